#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# HDF5 as a user meets it: by setting, by pdump, by h5py, with trouble.
writer=$PWD/program/faults/writer
everything=$PWD/program/behaviour/everything
own=$PWD/cli/hdf5/own
fake=$PWD/.libs/fake_hdf5.so
quota=$PWD/.libs/quota.so
shrink=$PWD/.libs/shrink.so
modules=${PDUMP_MODULES_BUILT:-$PWD/../plugins/modules}
docs=$(cd "${srcdir:-.}/../docs" && pwd)
example=$(cd "${srcdir:-.}/cli/hdf5" && pwd)/example.py
. "${srcdir:-.}/program/behaviour/kit.sh"

if [ ! -f "$modules/pdump_hdf5.so" ]; then
    echo "there is no HDF5 module"
    exit 77
fi
# HDF5 keeps what it once had; the sanitizers' library has to be the first.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0:detect_leaks=0
PDUMP_EVENTS=none
PDUMP_MODULES=$modules
PDUMP_OUTPUT_FORMAT=hdf5
export ASAN_OPTIONS PDUMP_EVENTS PDUMP_MODULES PDUMP_OUTPUT_FORMAT

# pdump CODE ARGUMENT...
command() {
    wanted=$1
    shift
    run "$wanted" "$pdump" "$@"
}

# says TEXT: the one line on standard error has it.
says() {
    same "$(wc -l <"$work/err" | tr -d ' ')" 1 "lines on stderr"
    warns "$1"
}

behaviour a run writes one file that pdump reads
run 7 PDUMP_RECORD=profile,samples "$writer" small
quiet
stores 0
same "$(ls)" perf_dump.h5 files
readable perf_dump.h5
grep -q 'region 3' "$work/report" || failed "no region in the report"
command 0 info
grep -q "^  hdf5  *$modules/pdump_hdf5.so" "$work/out" || failed "pdump info"

behaviour a second run leaves the first alone
run 7 "$writer" small
cp perf_dump.h5 first.h5
run 7 "$writer" small
quiet
cmp -s first.h5 perf_dump.old-1.h5 || failed "the first file is gone"
readable perf_dump.h5 perf_dump.old-1.h5

behaviour from hdf5 to csv and back nothing is lost
run 7 PDUMP_RECORD=profile,samples "$writer" small
command 0 export -f csv perf_dump.h5
same "$(cat "$work/out")" "wrote ./perf_dump.csv" "what export says"
command 0 export -o back.h5 perf_dump.csv
cmp -s perf_dump.h5 back.h5 || failed "back.h5 differs"
command 0 export -o again.csv back.h5
for suffix in csv samples.csv meta.csv; do
    cmp -s perf_dump.$suffix again.$suffix || failed "again.$suffix differs"
done
cat >timeline.csv <<END
process,rank,thread,node,region,visits
0,0,0,0,main,1
END
cat >timeline.meta.csv <<END
table,index,key,value
dump,0,format,libpdump
dump,0,version,1
dump,0,rows,1
dump,0,events,3
END
cat >timeline.events.csv <<END
process,rank,pid,thread,time [ns],kind,node,region,what,name,value,tag
0,0,0,0,10,enter,0,main,,,,
0,0,0,0,12,send,0,main,1,,4096,7
0,0,0,0,15,leave,0,main,,,,
END
command 0 export -o timeline.h5 timeline.csv
command 0 export -o timeline2.csv timeline.h5
cmp timeline.events.csv timeline2.events.csv || failed "events differ"
command 0 report timeline.h5
grep -q '^timeline: 3 events on 1 thread$' "$work/out" || failed "no timeline"
command 0 export -o two.h5 perf_dump.h5 again.csv
command 0 report two.h5
grep -q '2 processes' "$work/out" || failed "not merged"

behaviour export says what it cannot do
run 7 "$writer" small
command 2 export perf_dump.h5
command 2 export -f nonsense perf_dump.h5
grep -q 'there are csv.*hdf5' "$work/err" || failed "no list of formats"
command 2 export -o x.nonsense perf_dump.h5
command 2 export -f hdf5 perf_dump.h5
warns 'perf_dump.h5 is to be read'
command 2 export -f csv
command 1 export -f csv nowhere.h5
says 'nowhere.h5'
same "$(ls)" perf_dump.h5 files

behaviour damaged files: one line, and nothing of HDF5\'s own
run 7 "$writer" small
size=$(wc -c <perf_dump.h5)
for at in 0 9 60 300 2000 5000 $((size - 100)); do
    cp perf_dump.h5 bad.h5
    printf '\377\001\002\003' |
        dd of=bad.h5 bs=1 seek="$at" conv=notrunc 2>/dev/null
    cmp -s bad.h5 perf_dump.h5 && continue
    command 1 report bad.h5
    says bad.h5
done
head -c $((size / 2)) perf_dump.h5 >bad.h5
command 1 report bad.h5
says 'bad.h5'

behaviour no module
run 7 PDUMP_MODULES=/nowhere "$writer" small
says 'hdf5 is not installed: /nowhere/pdump_hdf5.so: No such file'
there perf_dump.csv
absent perf_dump.h5

behaviour another HDF5 is in the way
if [ -f "$fake" ]; then
    run 7 LD_PRELOAD="$fake" "$writer" small
    says 'another HDF5 is in the way'
    warns "$fake"
    there perf_dump.csv
    absent perf_dump.h5
fi

if [ -x "$own" ]; then
    for name in before after late; do
        behaviour "a program with an HDF5 of its own, $name"
        run 7 "$own" $name
        same "$(cat "$work/out")" 'HDF5 1' stdout
        quiet
        readable perf_dump.h5
        if type h5ls >/dev/null 2>&1; then
            h5ls own.h5 | grep -q mine || failed "the program's own file"
        fi
    done
fi

for tool in 'h5dump -r' 'h5ls -r'; do
    behaviour "$tool reads it"
    run 7 "$writer" small
    type ${tool% *} >/dev/null 2>&1 || continue
    run 0 $tool perf_dump.h5
    quiet
    grep -q profile "$work/out" || failed "no profile"
done

behaviour the example of the manual works
for python in "${PYTHON:-python3}" /usr/bin/python3; do
    $python -c 'import h5py, numpy' 2>/dev/null && break
    python=
done
if [ -n "$python" ]; then
    run 7 "$writer" small
    run 0 "$python" "$example" "$docs/hdf5.md"
    quiet
    same "$(grep -c ' s  region [0-9]$' "$work/out")" 10 "regions"
fi

if [ -f "$shrink" ]; then
    n=0
    while n=$((n + 1)) && [ $n -le 20 ]; do
        behaviour "a file that shrinks at the $n-th read"
        run 7 "$writer" small
        run 0 "$pdump" report --csv perf_dump.h5
        cp perf_dump.h5 whole.h5
        cp "$work/out" "$work/figures"
        env LD_PRELOAD="$shrink" SHRINK=perf_dump.h5 SHRINK_AT=$n \
            timeout -k 10 300 "$pdump" report --csv perf_dump.h5 \
            >"$work/out" 2>"$work/err"
        code=$?
        cmp -s perf_dump.h5 whole.h5 && break # so many reads there are not
        # Whatever was read before stays right.
        [ $code -eq 1 ] || cmp -s "$work/figures" "$work/out" ||
            failed "exit code $code, and other figures"
    done
    [ $n -gt 3 ] || failed "there were only $n reads"
fi

# A disk that fails.
disk=$work/disk
trap 'cd /; umount "$disk" 2>/dev/null; rm -rf "$work"' EXIT
mkdir -p "$disk" "$work/tmp"
behaviour a full disk
if mount -t tmpfs -o size=32k pdump-test "$disk" 2>/dev/null; then
    for free in 0 1 2 3 4 5 6; do
        what="a disk with $free free blocks"
        rm -rf "$disk"/* "$work/tmp"/*
        mkdir "$disk/out"
        dd if=/dev/zero of="$disk/filler" bs=4096 2>/dev/null
        truncate -s "-$((free * 4096))" "$disk/filler"
        run 7 PDUMP_DUMP_DIR="$disk/out" TMPDIR="$work/tmp" "$writer" flushing
        same "$(cat "$work/out")" "begin
end" stdout
        if [ -s "$work/err" ]; then
            says 'No space left on device; the output is in'
            # An earlier flush may have had room.
            same "$(ls -A "$disk/out" | grep -v '^perf_dump.h5$')" '' \
                "files on the full disk"
            readable "$work"/tmp/perf_dump.h5
        else
            readable "$disk/out/perf_dump.h5"
        fi
    done
    umount "$disk"
fi
if [ -f "$quota" ]; then
    for error in EIO EDQUOT LIE; do
        n=0
        while n=$((n + 1)) && [ $n -lt 200 ]; do
            behaviour "a disk that fails with $error, call $n"
            rm -rf "$disk"/* "$work/tmp"/* "$work/log"
            run 7 PDUMP_DUMP_DIR="$disk" TMPDIR="$work/tmp" \
                LD_PRELOAD="$quota" QUOTA_DIR="$disk" QUOTA_ERROR=$error \
                QUOTA_AT=$n QUOTA_STAYS=1 QUOTA_LOG="$work/log" "$writer" small
            [ -s "$work/log" ] || break
            what="$what ($(head -n 1 "$work/log"))"
            stores 0
            if [ -s "$work/err" ]; then
                says 'the output is in'
                readable "$work"/tmp/perf_dump.h5
            else
                # The last call is one that may fail.
                readable "$disk/perf_dump.h5"
            fi
        done
        at_least $n 3 "calls that can fail"
        quiet
        readable "$disk/perf_dump.h5"
    done
fi
finish
