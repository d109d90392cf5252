#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Figures are true, or they are not there: counters of threads that go on, of
# very short regions, of calls.
PATH=$PWD/program/figures:$PATH
modules=$PDUMP_MODULES_BUILT
. "${srcdir:-.}/program/behaviour/kit.sh"
cpu='pdump::cpu_time.sum [ns]'
faults='pdump::minor_faults.sum [1]'

# Two threads with so much CPU time each, at least: see figures.c.
used=100000000

behaviour threads that are alive at the end have their CPU time
run 0 PDUMP_EVENTS=pdump::cpu_time,pdump::minor_faults figures alive exit
same "$(cells perf_dump.csv open path=spin | tr '\n' ' ')" "1 1 " "open regions"
for column in "$cpu" "$faults"; do
    same "$(cells perf_dump.csv "$column" path=spin | grep -c '^[0-9]')" 2 \
        "values of $column"
done
for ns in $(cells perf_dump.csv "$cpu" path=spin); do
    at_least "$ns" $used "ns on a CPU"
done
for ns in $(cells perf_dump.csv 'pdump::cpu_time.exclusive [ns]' path=spin); do
    at_least "$ns" $((used / 2)) "ns on a CPU, without the regions inside"
done
readable perf_dump.csv
grep -q '^(open): ' "$work/report" || failed "no word of open regions"

behaviour what only the thread itself could read is missing
run 0 PDUMP_EVENTS=pdump::cpu_time,pdump::ctx_voluntary figures alive exit
same "$(cells perf_dump.csv 'pdump::ctx_voluntary.sum [1]' path=spin |
    tr '\n' ' ')" "  " "context switches"
same "$(cells perf_dump.csv 'pdump::ctx_voluntary.sum [1]' path=spin/part |
    grep -c '^[0-9]')" 2 "context switches of what had ended"

behaviour a killed program has no counters in open regions
run 137 PDUMP_EVENTS=pdump::cpu_time figures alive kill
recovered
same "$(cells perf_dump.csv "$cpu" path=spin | tr '\n' ' ')" "  " "CPU time"
same "$(cells perf_dump.csv "$cpu" path=spin/part | grep -c '^[0-9]')" 2 \
    "CPU time of what had ended"
same "$(cells perf_dump.csv 'time.sum [ns]' path=spin | grep -c '^[1-9]')" 2 \
    "times"
readable perf_dump.csv

# A thread has no more CPU time than time; 5 % are for two clocks that differ.
never_above() {
    cells perf_dump.csv "$cpu" >"$work/cpu"
    cells perf_dump.csv 'time.sum [ns]' | paste -d ' ' - "$work/cpu" |
        awk 'NF == 2 { n++; if ($2 > 1.05 * $1) { print "too much:", $0; bad++ } }
             END { exit bad || n == 0 }' >"$work/err" ||
        failed "more CPU time than time"
}

for overhead in keep subtract; do
    behaviour "short regions do not have the cost of their counters, $overhead"
    run 0 PDUMP_EVENTS=pdump::cpu_time,pdump::minor_faults \
        PDUMP_OVERHEAD=$overhead figures brief 20000
    same "$(visits all/outer/inner)" 20000 visits
    never_above
    cells perf_dump.meta.csv value key=counters_overhead_per_visit |
        grep -q '^pdump::cpu_time [1-9][0-9]* ns$' ||
        failed "the dump does not say what was taken off"
done

# Nothing is read between CPU time at a begin and CPU time at an end.
behaviour CPU time is read last at a begin and first at an end
if [ "$sanitizers" = no ] && timeout 300 strace -o "$work/out" true 2>/dev/null; then
    run 0 PDUMP_EVENTS=pdump::cpu_time,pdump::minor_faults strace -o "$work/calls" \
        -e trace=getrusage,clock_gettime figures brief 100
    at_least "$(awk '/CPUTIME/ && last ~ /CPUTIME/ { n++ } { last = $0 }
        END { print n + 0 }' "$work/calls")" 200 "readings in a row"
else
    echo "there is no strace, it may not trace, or a sanitizer forbids it"
fi

# left REGION NS: what is left of the cost of reading CPU time after it was
# subtracted, per visit and before CPU time was cut to the elapsed time.
left() {
    n=20000
    rm -f perf_dump.*
    run 0 PDUMP_EVENTS=pdump::cpu_time,pdump::minor_faults figures "$1" $n
    same "$(cells perf_dump.meta.csv value key=counters_overhead_per_visit |
        sed 's/^\(pdump::cpu_time [0-9]* ns\).*/\1/')" \
        "pdump::cpu_time $reading ns" "cost of a reading"
    cut=$(cells perf_dump.meta.csv value key=cpu_time_cut_ns)
    rows=$(cells perf_dump.meta.csv value key=cpu_time_cut_rows)
    [ "${rows:-1}" = 1 ] || failed "$rows rows were cut"
    same $(($(cells perf_dump.csv "$cpu" path="$1") + ${cut:-0} -
        $(cat "$work/out"))) $((n * $2)) "ns that are left of '$1'"
}

# With a fake clock, each reading of which takes so many ns (figures.c), nothing
# is left in an empty region.  Where the program reads the same clock at the begin
# and the end of a region, that adds one reading to what it has counted itself.
behaviour what a reading of counters costs is known
reading=500
left empty 0
left used $reading

# values PATH: of the last metric, which is a counter of the machine's choice.
values() {
    counter=$(cells perf_dump.meta.csv value table=metric key=name | tail -n 1)
    unit=$(cells perf_dump.meta.csv value table=metric key=unit | tail -n 1)
    cells perf_dump.csv "$counter.sum [$unit]" path="$1" | grep -c '^[0-9]'
}

if [ "$sanitizers" != no ]; then
    echo "a sanitized library cannot be preloaded: calls are not tested"
    finish
fi
PDUMP_MODULES=$modules
export PDUMP_MODULES
behaviour calls have their time only, regions have counters
run 0 "$pdump" run --quiet --io figures calls 1000
same "$(cells perf_dump.csv visits path=figures/write/fwrite)" 1000 visits
same "$(values figures/write/fwrite)" 0 "counters of calls"
same "$(values figures/write)" 1 "counters of the region around them"
same "$(values figures)" 1 "counters of the program"
same "$(cells perf_dump.meta.csv value key=overhead_ns_per_call |
    grep -c '^[0-9]')" 1 "cost of a call"
readable perf_dump.csv

behaviour events that are asked for are counted in calls
for way in option variable; do
    case $way in
    option) run 0 "$pdump" run --quiet --io -e pdump::cpu_time \
        figures calls 1000 ;;
    variable) run 0 PDUMP_EVENTS=pdump::cpu_time \
        "$pdump" run --quiet --io figures calls 1000 ;;
    esac
    same "$(values figures/write/fwrite)" 1 "counters of calls, by $way"
    rm -f perf_dump.*
done

finish
