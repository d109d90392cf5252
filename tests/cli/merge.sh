#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pdump merge: files of ranks, children and runs, of every kind, in bounded
# memory.  MERGE=long: a thousand of them.
made=$PWD/cli/html/made
writer=$PWD/program/faults/writer
peak=$PWD/cli/merge/peak
modules=${PDUMP_MODULES_BUILT:-$PWD/../plugins/modules}
. "${srcdir:-.}/program/behaviour/kit.sh"
# HDF5 keeps what it once had.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
PDUMP_MODULES=$modules
PDUMP_EVENTS=none
export ASAN_OPTIONS PDUMP_MODULES PDUMP_EVENTS
has_hdf5=no
[ ! -f "$modules/pdump_hdf5.so" ] || has_hdf5=yes

# merged [ARGUMENT]...
merged() {
    run 0 "$pdump" merge "$@"
    quiet
}

# fails CODE TEXT ARGUMENT...
fails() {
    wanted=$1
    text=$2
    shift 2
    run "$wanted" "$pdump" merge "$@"
    grep -qF -e "$text" "$work/err" || failed "nothing about \"$text\""
}

# one FILE RANK PID PARENT REGION...: a process with these regions inside of
# main; the n-th has n visits.
one() {
    file=$1 rank=$2 pid=$3 parent=$4
    shift 4
    head=process,rank,pid,thread,node,parent,region,group,open,visits
    echo "$head,time.sum [ns],time.min [ns],time.max [ns],time.sumsq [ns^2]"
    echo "0,$rank,$pid,0,0,,main,user,0,1,1000,1000,1000,1e6"
    n=0
    for region in "$@"; do
        n=$((n + 1))
        echo "0,$rank,$pid,0,$n,0,$region,user,0,$n,$((n * 10)),10,$pid,100"
    done
} >"$1".csv

# parent_of FILE PARENT: with a file of its own for everything else.
parent_of() {
    run 0 "$pdump" export -o "x$1.csv" "$1.csv"
    sed "s/^process,0,parent,0$/process,0,parent,$2/" "x$1.meta.csv" \
        >"$1.meta.csv"
    mv "x$1.csv" "$1.csv"
    rm "x$1.meta.csv"
}

ranks() {
    cells "$1" rank | uniq | tr '\n' ' '
}

behaviour ranks that have a file each
one a 0 10 0 alpha beta
one b 1 11 0 gamma beta alpha
one c 2 12 0
merged -o all.csv a.csv b.csv c.csv
same "$(cat "$work/out")" "wrote ./all.csv" "what it says"
same "$(ranks all.csv)" "0 1 2 " ranks
same "$(cells all.csv visits region=alpha rank=1)" 3 "visits of alpha"
same "$(cells all.csv visits region=alpha rank=0)" 1 "visits of alpha"
run 0 "$pdump" export -o export.csv a.csv b.csv c.csv
cmp -s all.csv export.csv || failed "merge and export differ"
same "$(cells all.meta.csv value key=merged_files)" 3 "files in the metadata"

behaviour two runs of two ranks stay apart
run 0 "$made" a 2 12 2 3
run 0 "$made" b 2 25 3 3
merged -o all.csv *.csv
same "$(ranks all.csv)" "0 1 2 3 " ranks
same "$(cells all.csv pid rank=3 node=0)" 1001 "pid of rank 3"
same "$(cells all.meta.csv value key=merged_rank.2-3)" "0-1 of b.csv" origin
same "$(cells all.meta.csv value table=metadata key=ranks)" 4 "ranks"
readable all.csv
# What was in memory one by one is what is in memory at once.
for ending in csv json folded speedscope.json trace.json callgrind cali.json \
    dot pstats; do
    merged -o one.$ending a.csv b.csv
    run 0 "$pdump" export -o two.$ending all.csv
    cmp -s one.$ending two.$ending || failed "$ending differs"
done
cmp -s one.samples.csv two.samples.csv || failed "samples differ"

behaviour files of every kind
run 7 PDUMP_RECORD=profile,samples "$writer" small
mv perf_dump.csv a.csv
mv perf_dump.meta.csv a.meta.csv
mv perf_dump.samples.csv a.samples.csv
[ $has_hdf5 = no ] || run 0 "$pdump" export -o b.h5 a.csv
timeout 300 survivor killed >/dev/null 2>&1 </dev/null
stores 1
set -- a.csv "$PDUMP_STORE"/*.store
[ $has_hdf5 = no ] || set -- "$@" b.h5
merged -o all.csv "$@"
same "$(ranks all.csv)" "$([ $has_hdf5 = no ] && echo '0 1 ' || echo '0 1 2 ')" \
    "ranks"
if [ $has_hdf5 = yes ]; then
    merged -o all.h5 "$@"
    run 0 "$pdump" export -o again.csv all.h5
    cmp -s all.csv again.csv || failed "by way of HDF5 it is another"
    cmp -s all.samples.csv again.samples.csv || failed "the samples are others"
fi

behaviour a program that still records
mkfifo said
survivor live >said 2>/dev/null &
alive=$!
trap 'kill $alive 2>/dev/null; clean' EXIT
exec 3<said
read -r line <&3
one a 0 10 0 alpha
merged -o all.csv a.csv "$PDUMP_STORE"/*.store
[ $has_hdf5 = no ] || merged -o all.h5 a.csv "$PDUMP_STORE"/*.store
kill $alive
wait $alive
exec 3<&-
readable all.csv

behaviour a child that has a file of its own has the rank of its parent
one a 0 10 0 alpha
one b 0 11 0 beta
one c 0 12 0 gamma
parent_of b 10
merged -o all.csv b.csv c.csv a.csv
same "$(cells all.csv rank pid=11 region=main)" \
    "$(cells all.csv rank pid=10 region=main)" "rank of the child"
same "$(cells all.csv rank region=main | sort -u | wc -l | tr -d ' ')" 2 ranks

behaviour runs added up
one a 0 10 0 alpha beta
one b 0 20 0 gamma alpha
one c 1 30 0 alpha
one d 0 40 0 delta
parent_of d 10
merged --sum -o all.csv a.csv b.csv c.csv d.csv
same "$(cells all.csv visits region=alpha rank=0)" 3 "visits of alpha"
same "$(cells all.csv visits region=alpha rank=1)" 1 "visits of alpha on 1"
same "$(cells all.csv visits region=main rank=0 process=0)" 2 "visits of main"
same "$(cells all.csv 'time.sum [ns]' region=main rank=0 process=0)" 2000 sum
same "$(cells all.csv 'time.min [ns]' region=alpha rank=0)" 10 min
same "$(cells all.csv 'time.max [ns]' region=alpha rank=0)" 20 max
same "$(cells all.csv 'time.sumsq [ns^2]' region=alpha rank=0)" 200 sumsq
same "$(cells all.csv process region=delta)" \
    "$(cells all.csv process region=main visits=1 rank=0)" "the child's process"
readable all.csv
run 0 "$made" s 1 3 1 2
cp s.csv u.csv
cp s.samples.csv u.samples.csv
cp s.meta.csv u.meta.csv
run 0 "$pdump" merge --sum -o sum.csv s.csv u.csv
warns '4 samples'
absent sum.samples.csv
cells sum.meta.csv value table=warning key=text | grep -q 'left out' ||
    failed "the sum does not note what it lacks"

behaviour of what had not ended in several runs each is a visit
for name in a b c; do
    cat >$name.csv <<END
process,rank,pid,thread,node,parent,region,group,open,visits,time.sum [ns]
0,0,10,0,0,,main,user,1,0,1000
0,0,10,0,1,0,alpha,user,0,2,500
END
done
merged --sum -o all.csv a.csv b.csv c.csv
same "$(cells all.csv visits region=main)" 2 "visits of main"
same "$(cells all.csv open region=main)" 1 "main is open"
same "$(cells all.csv visits region=alpha)" 6 "visits of alpha"
run 0 "$pdump" diff --all a.csv all.csv
grep -q '+0.0% .* main$' "$work/out" || failed "three runs differ from one"

behaviour the sum of runs is the sum that pstats makes
one a 0 10 0 alpha beta
one b 0 20 0 gamma alpha
one c 0 30 0 alpha beta alpha2
merged --sum -o sum.pstats a.csv b.csv c.csv
for name in a b c; do
    run 0 "$pdump" export -o $name.pstats $name.csv
done
python=
for candidate in "${PYTHON:-}" /usr/bin/python3 python3; do
    [ -n "$python" ] || [ -z "$candidate" ] ||
        ! "$candidate" -c 'import pstats' 2>/dev/null || python=$candidate
done
if [ -n "$python" ]; then
    cat >same.py <<'END'
import pstats

# Times to the picosecond: one side adds ns, the other seconds.
def figures(stats):
    return {key: (calls, primitive, round(own, 12), round(total, 12),
                  {caller: (*value[:2], *(round(x, 12) for x in value[2:]))
                   for caller, value in callers.items()})
            for key, (calls, primitive, own, total, callers)
            in stats.stats.items()}

ours, theirs = pstats.Stats("sum.pstats"), pstats.Stats("a.pstats")
theirs.add("b.pstats", "c.pstats")
assert figures(ours) == figures(theirs), (figures(ours), figures(theirs))
calls = {key[2]: value[1] for key, value in ours.stats.items()}
assert calls == {"main": 3, "alpha": 4, "beta": 4, "gamma": 1, "alpha2": 3}, \
    calls
END
    run 0 "$python" same.py
else
    echo "skipped: $what: there is no python3"
fi

behaviour what cannot be merged
one a 0 10 0 alpha
one b 0 11 0 beta
fails 2 'which file?' -o x.csv
fails 2 'which format?' a.csv
fails 2 'into which file?' -f json a.csv
fails 2 'twice' -o x.csv a.csv ./a.csv
fails 2 'is to be read' -o b.csv a.csv b.csv
fails 1 'missing.csv: ' -o x.csv a.csv missing.csv
head -c 30 a.csv >cut.csv
fails 1 'cut.csv:' -o x.csv a.csv cut.csv
echo nonsense >foreign.csv
fails 1 'foreign.csv:1: ' -o x.csv a.csv foreign.csv
echo "1,0,11,0,9,77,orphan,user,0,1,10,10,10,1" >>b.csv
fails 1 'b.csv:4: ' -o x.csv a.csv b.csv
absent x.csv
same "$(ls -A | grep -c '^\.')" 0 "temporary files"
merged -o x.csv a.csv
merged -o x.csv a.csv
there x.old-1.csv
PDUMP_GATHER_MAX=0
export PDUMP_GATHER_MAX
fails 1 'PDUMP_GATHER_MAX' -o y.json a.csv x.csv
absent y.json
unset PDUMP_GATHER_MAX

# many NUMBER: so many files with 10 000 rows each, as arguments.
many() {
    i=0
    while [ $i -lt "$1" ]; do
        i=$((i + 1))
        [ -f $i.csv ] || cp big.csv $i.csv
        echo $i.csv
    done
}

# memory NUMBER: at its most, in KiB.
memory() {
    rm -f all.*
    run 0 "$peak" "$pdump" merge -f "$format" -o all $(many "$1")
    cat "$work/out"
}

behaviour memory does not grow with the number of files
few=4 lots=40 seconds=900
[ "${MERGE:-}" != long ] || lots=1000
if is_sanitized; then
    echo "skipped: sanitizers keep memory"
    finish
fi
run 0 "$made" big 1 10000 1 0
rm big.meta.csv
for format in csv $([ $has_hdf5 = no ] || echo hdf5); do
    a=$(memory $few)
    b=$(memory $lots)
    echo "$format: $few files: $a KiB, $lots files: $b KiB"
    at_least $((a + 3000 + lots * 2)) "${b:-999999}" "memory for $lots files"
done
finish
