#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs of ranks that differ: in programs, regions, metrics, size.
. "${srcdir:-.}/kit.sh"
. "$tests/dumps.sh"
seconds=300

behaviour "$MPI: two programs"
ranks 2 lives plain : -n 2 flush self
good 4
dump perf_dump "$(worked 0 1 2 3)"
for r in 0 1; do
    same "$(process perf_dump $r command)" 'lives plain' "program of $r"
done
for r in 2 3; do
    same "$(process perf_dump $r command)" 'flush self' "program of $r"
done

behaviour "$MPI: different regions"
ranks 4 shapes different
good 4
files perf_dump
dump perf_dump '0 even 1' '0 even/common 1' '2 even 1' '2 even/common 1' \
    '1 odd 1' '1 odd/common 1' '3 odd 1' '3 odd/common 1'
same "$(cells perf_dump.csv mine.sum depth=0 | tr '\n' ' ')" ' 2 3 4 ' \
    "a counter that rank 0 does not have"

behaviour "$MPI: different metrics"
ranks 1 PDUMP_EVENTS=pdump::minor_faults lives plain : \
    -n 1 env PDUMP_EVENTS=pdump::major_faults lives plain : \
    -n 1 env PDUMP_EVENTS=none lives plain
good 3
files perf_dump
dump perf_dump "$(worked 0 1 2)"
same "$(cells perf_dump.meta.csv value table=metric key=name | tr '\n' ' ')" \
    'time pdump::minor_faults pdump::major_faults ' metrics
# given RANK: which of both metrics it has.
given() {
    for m in minor major; do
        value=$(cells perf_dump.csv pdump::${m}_faults.sum rank="$1" path=solve)
        printf '%s' "${value:+$m}"
    done
}
same "$(given 0) $(given 1) $(given 2)" 'minor major ' "metrics of the ranks"

behaviour "$MPI: thousands of regions"
ranks 4 shapes many
good 4
files perf_dump
same "$(rows perf_dump | wc -l | tr -d ' ')" 20000 rows
same "$(rows perf_dump | grep -cv ' 1$')" 0 "rows that are not one visit"
same "$(cells perf_dump.csv node path='region 8 of -1' | sort -u | wc -l |
    tr -d ' ')" 1 "nodes of a region that all have"
readable perf_dump.csv

behaviour "$MPI: a name of 64 KB"
ranks 2 shapes long_name
good 2
files perf_dump
same "$(cells perf_dump.csv region rank=1 | awk '{ print length($0) }' |
    tr '\n' ' ')" '65535 5 ' "lengths of names"

behaviour "$MPI: nothing is sent during the run"
ranks 2 PDUMP_EVENTS=none shapes silent
good 2
rm recorded
dump perf_dump '0 quick 1000000'

# Which ranks are in the file.
behaviour "$MPI: PDUMP_RANKS=all"
ranks 3 PDUMP_RANKS=all lives plain
good 3
dump perf_dump "$(worked 0 1 2)"

behaviour "$MPI: PDUMP_RANKS=stats"
ranks 3 PDUMP_RANKS=stats lives plain
good 3
there perf_dump.csv
same "$(rows perf_dump)" '' rows
same "$(cells perf_dump.meta.csv value table=metadata key=ranks)" 3 ranks

behaviour "$MPI: PDUMP_RANKS=2"
ranks 5 PDUMP_RANKS=2 lives plain
good 5
dump perf_dump "$(worked 0 2)"

behaviour "$MPI: PDUMP_RANKS=9"
ranks 2 PDUMP_RANKS=9 lives plain
good 2
dump perf_dump "$(worked 0 1)"

for value in few -1 2x 99999999999; do
    behaviour "$MPI: PDUMP_RANKS=$value"
    ranks 2 PDUMP_RANKS="$value" lives plain
    done_by 2
    said 1 "PDUMP_RANKS=$value: it must be"
    stores 0
    files perf_dump
    dump perf_dump "$(worked 0 1)"
done

# The module of another MPI is of no use, and of no harm.
behaviour "$MPI: no module for it"
mkdir "$work/here/modules"
for folder in "$MODULES"/*; do
    [ "$folder" = "$MODULES/$MPI_SONAME" ] || ln -s "$folder" modules/
done
ranks 2 PDUMP_MODULES="$work/here/modules" lives plain
rm -r modules
good 2
files perf_dump.rank-0 perf_dump.rank-1
dump perf_dump.rank-0 "$(worked 0)"
dump perf_dump.rank-1 "$(worked 1)"

# Put where a module should be, it must not be taken.
behaviour "$MPI: a module that is none"
mkdir -p modules/"$MPI_SONAME"
echo nonsense >modules/"$MPI_SONAME"/pdump_mpi.so
ranks 2 PDUMP_MODULES="$PWD/modules" lives plain
rm -r modules
done_by 2
warns "every rank writes its own file, because the MPI module cannot be used"
warns "$MPI_SONAME/pdump_mpi.so is not a module of libpdump"
files perf_dump.rank-0 perf_dump.rank-1

finish
