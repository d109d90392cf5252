#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Memory over time: what the looks see, who sees them, and what they disturb.
modules=$PDUMP_MODULES_BUILT
sanitizers=${PDUMP_SANITIZERS:-no}
io=$PWD/../plugins/io/.libs/libpdump-io.so
grow=$PWD/program/memory/grow
python=
for candidate in "${PYTHON:-}" /usr/bin/python3 python3; do
    [ -n "$python" ] || [ -z "$candidate" ] ||
        ! "$candidate" -c 'import mprof' 2>/dev/null || python=$candidate
done
. "${srcdir:-.}/program/behaviour/kit.sh"
PDUMP_EVENTS=none
PDUMP_MODULES=$modules
export PDUMP_EVENTS PDUMP_MODULES

# most FIELD [PATTERN] [FILE]: the largest value of a field, in MiB, in the
# moments whose label fits the pattern.
most() {
    awk -F, -v field="$1" -v pattern="${2:-.}" '
        $1 == "memory" && $9 == field && $8 ~ pattern && $13 > most {
            most = $13
        }
        END { printf "%d\n", most / 1048576 }' "${3:-perf_dump.details.csv}"
}

# less FIRST SECOND BY ABOUT: FIRST is less than SECOND by at least that.
less() {
    [ $(($1 + $3)) -le "$2" ] || failed "$4: $1 and $2"
}

behaviour steps of a known size
run 0 PDUMP_MEMORY=5 "$grow"
quiet
at_least "$(grep -c '^memory,.*,rss,' perf_dump.details.csv)" 10 looks
small=$(most rss ' main/small$')
large=$(most rss ' main/small/large$')
# Sanitizers remember memory that was given back.
[ "$sanitizers" != no ] ||
    less "$(most rss ' main$')" "$small" 8 "what 16 MiB more are"
less "$small" "$large" 48 "what 64 MiB more are"
at_least "$(most pss)" 8 "a proportional size"
# The thread that looks is none of the program's.
same "$(awk -F, 'NR > 1 { print $4 }' perf_dump.csv | sort -u)" 0 threads
same "$(awk -F, '$1 == "memory" { print $5 }' perf_dump.details.csv |
    sort -u)" 0 "threads of the table"
run 0 "$pdump" report perf_dump.csv
grep -q '^Memory: peak [0-9.]* MB, in main/small/large$' "$work/out" ||
    failed "no peak in the report: $(cat "$work/out")"
grep -q '1 thread[^s]' "$work/out" || failed "more threads than one"
! grep -q pdump-memory "$work/out" || failed "our thread is in the report"

# grown REGION FIGURE MIB: by that, give or take what the kernel counts late.
grown() {
    cells perf_dump.csv "pdump::rss_growth.$2 [B]" path="$1" |
        awk -v mib="$3" '{ n++; off = $1 / 1048576 - mib }
            END { exit n != 1 || off < -1 || off > 1 }' ||
        failed "growth of $1: $(cells perf_dump.csv \
            "pdump::rss_growth.$2 [B]" path="$1") instead of $3 MiB"
}

# Sanitizers take memory for what they know of memory.
if [ "$sanitizers" = no ]; then
    behaviour growth by region, up and down
    run 0 PDUMP_EVENTS=pdump::rss_growth "$grow" growth
    quiet
    grown keeps sum 16
    grown keeps min 8
    grown keeps max 8
    grown gives sum -16
    grown gives max -16
    grown passes/takes sum 32
    grown passes sum 0
    grown last/takes sum 32
    grown last sum 0
    run 0 "$pdump" report --width 0 perf_dump.csv
    grep -q '^gives .* -1[67]\.[0-9] MB' "$work/out" ||
        failed "no negative growth in the report: $(cat "$work/out")"
    cp "$work/out" wanted
    run 0 "$pdump" report --width 0 --sort pdump::rss_growth perf_dump.csv
    same "$(awk '/MB/ { print $1; exit }' "$work/out")" keeps "who grew most"
    for format in callgrind json; do
        run 0 "$pdump" export -f $format perf_dump.csv
    done
    ! grep -q '^[0-9]* .*-' perf_dump.callgrind ||
        failed "a negative cost, which callgrind does not know"
    grep -q '[^0-9]-1[67][0-9]\{6\}[^0-9]' perf_dump.json ||
        failed "no negative growth in JSON"
    if timeout 300 "$pdump" export -f hdf5 perf_dump.csv >/dev/null 2>&1; then
        run 0 "$pdump" report --width 0 perf_dump.h5
        same "$(sed 's/\.h5/.csv/' "$work/out")" "$(cat wanted)" \
            "the report of the HDF5 file"
    fi

    behaviour growth where counters are read now and then
    run 0 PDUMP_EVENTS=pdump::rss_growth PDUMP_COUNTERS_EVERY=2 "$grow" growth
    grown passes/takes sum 32
    grown passes sum 0
fi

behaviour not unless asked
run 0 "$grow"
[ ! -e perf_dump.details.csv ] || failed "there is a table"
run 0 PDUMP_MEMORY=often "$grow"
grep -q 'PDUMP_MEMORY=often: it must be a number' "$work/err" ||
    failed "no word on a bad value"

behaviour nothing to be seen
run 0 PDUMP_MEMORY=5 "$grow" blind
warns "PDUMP_MEMORY: /proc/thread-self/statm cannot be read"
same "$(n_warnings)" 1 warnings
noted "PDUMP_MEMORY: /proc/thread-self/statm cannot be read"

# Before Linux 5.9 a thread cannot have descriptors of its own.
if [ "$(uname -r | awk -F. '{ print $1 * 1000 + $2 }')" -ge 5009 ]; then
    behaviour numbers of descriptors are the program\'s
    run 0 PDUMP_MEMORY=1 "$grow" numbers
    quiet
    at_least "$(grep -c '^memory,.*,rss,' perf_dump.details.csv)" 10 looks
fi

behaviour the comma of a language
mkdir locales
if localedef -c -i de_DE -f UTF-8 ./locales/de_DE.UTF-8 >"$work/out" 2>&1 &&
    [ "$(LOCPATH="$PWD/locales" LC_ALL=de_DE.UTF-8 locale decimal_point)" = , ]; then
    run 0 LOCPATH="$PWD/locales" LC_ALL=de_DE.UTF-8 PDUMP_MEMORY=5 "$grow"
    at_least "$(grep -c '^memory,.*,rss,' perf_dump.details.csv)" 10 looks
    same "$(awk -F, '$1 == "memory" && $8 !~ /^[0-9]+[.][0-9][0-9][0-9]( |$)/' \
        perf_dump.details.csv | head -n 1)" "" "a label with another comma"
else
    echo "no locales to make: nobody writes a comma"
fi

behaviour children
run 0 PDUMP_MEMORY=5 "$grow" child
at_least "$(most children)" 24 "memory of the child"
same "$(awk -F, '$1 == "memory" { print $4 }' perf_dump.details.csv |
    sort -u | wc -l | tr -d ' ')" 1 "processes with a table"
run 0 PDUMP_OVERWRITE=1 PDUMP_MEMORY=5 PDUMP_FOLLOW=1 "$grow" child
at_least "$(most children)" 24 "memory of a child that is followed"

behaviour killed
run 137 PDUMP_MEMORY=5 "$grow" kill
run 0 "$pdump" recover "$PDUMP_STORE"/*
at_least "$(most rss large perf_dump.details.csv)" 64 "after kill -9"

case $sanitizers in
*thread*) ;; # it has a thread of its own, which never ends
*)
    behaviour all threads end
    seconds=300
    run 0 PDUMP_MEMORY=5 "$grow" exit
    at_least "$(most rss)" 64 "peak"
    behaviour a first thread that ends by SYS_exit keeps its exit code
    run 7 PDUMP_MEMORY=5 "$grow" quit
    run 7 PDUMP_MEMORY=5 PDUMP_RECORD=events "$grow" quit
    run 7 "$pdump" run -q --memory=5 "$grow" quit
    # The search for leaks does not see the memory of a thread that has ended so.
    run 3 PDUMP_MEMORY=5 \
        ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$grow" pass
    ;;
esac

if [ "$sanitizers" = no ] && [ -f "$io" ]; then
    behaviour looks are no I/O of the program
    run 0 PDUMP_MEMORY=1 LD_PRELOAD="$io" "$grow"
    at_least "$(most rss)" 64 "peak"
    ! grep -q '/proc\|statm' perf_dump.details.csv ||
        failed "I/O of ours: $(grep '/proc' perf_dump.details.csv | head -n 3)"
    behaviour a command
    run 0 "$pdump" run --memory=5 -o whole.csv "$grow"
    at_least "$(most rss large whole.details.csv)" 64 "with pdump run"
    run 2 "$pdump" run --memory=often "$grow"
fi

behaviour the page
run 0 PDUMP_MEMORY=5 "$grow"
run 0 "$pdump" html perf_dump.csv
grep -q '"memory":\[{"rank":' perf_dump.html || failed "no line in the page"
! grep -q '"name":"memory"' perf_dump.html || failed "a table of moments"
browser=
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v $name)
done
if [ -n "$browser" ]; then
    run 0 HOME="$work/here" "$browser" --headless --no-sandbox --disable-gpu \
        --user-data-dir="$work/here/profile" --dump-dom \
        "file://$work/here/perf_dump.html"
    grep -q 'Peak: process [0-9]* at .* MiB.*, in main/small/large' "$work/out" ||
        failed "no peak in the page"
fi

behaviour for mprof
run 0 PDUMP_MEMORY=5 "$grow"
run 0 "$pdump" export -f mprof perf_dump.csv
same "$(sed -n '1s/ .*//p' perf_dump.mprof.dat)" CMDLINE "first line"
if [ -n "$python" ]; then
    run 0 "$python" -c 'import mprof
read = mprof.read_mprofile_file("perf_dump.mprof.dat")
assert "grow" in read["cmd_line"], read["cmd_line"]
assert max(read["mem_usage"]) > 64, max(read["mem_usage"])
assert read["timestamp"] == sorted(read["timestamp"])
assert read["timestamp"][0] > 1.6e9
start, end, before, after, depth = read["func_timestamp"]["main/small/large"][0]
assert start <= end and depth == 2'
else
    echo "no memory_profiler: nobody reads its format"
fi
run 0 PDUMP_FILENAME=none "$grow"
run 1 "$pdump" export -f mprof none.csv
grep -q PDUMP_MEMORY "$work/err" || failed "no word on what is missing"
finish
