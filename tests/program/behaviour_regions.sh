#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names, ends, depth and numbers of regions, from the program to the file.
. "${srcdir:-.}/program/behaviour/kit.sh"
PDUMP_EVENTS=none
export PDUMP_EVENTS

behaviour odd names come back from the file as they were
run 0 regions names
quiet
same "$(cells perf_dump.csv region)" "$(cat <<'END'
größe ∆
a,b
say "hello"
two\nlines
left/right
back\slash
x;y
 blanks 
END
printf "'"'\r\n\377\376 not UTF-8\n' # prefix for spreadsheets: docs/csv.md
cat <<'END'
region=1
'=SUM(A1)
%s%n%d
END
head -c 65535 /dev/zero | tr '\0' n
printf '\nabc')" "regions"
same "$(cells perf_dump.csv visits | sort -u)" 1 "visits of each"
same "$(cells perf_dump.csv path region=left/right)" 'left\/right' path
same "$(cells perf_dump.csv path region='back\slash')" 'back\\slash' path
readable perf_dump.csv

behaviour bad names are refused and change nothing
run 0 regions bad_names
same "$(cells perf_dump.csv region)" outer regions
same "$(visits outer)" 1 visits

behaviour a program that ignores errors is warned once
run 0 regions careless
warns "region '' was never begun here"
same "$(n_warnings)" 1 warnings
same "$(cells perf_dump.meta.csv value table=warning key=count)" 100 count

behaviour wrong ends change nothing, and each name is a warning
run 0 regions wrong_ends
warns "region 'never' was never begun here; none is open"
warns "region 'outer' is not open here; none is open"
warns "region 'innermost' was never begun here; 'inner' is open"
same "$(cells perf_dump.meta.csv value table=warning key=count | sort -u)" 3 \
    "count of each warning"
grep -q "'innermost' was never begun" perf_dump.meta.csv ||
    failed "the dump does not say so"
warns "'inner' is open in it"
same "$(visits outer)" 3 outer
same "$(visits outer/inner)" 3 inner
same "$(cells perf_dump.csv open | sort -u)" 0 open

behaviour what is left open is in the dump and marked
run 0 regions left_open
quiet
same "$(cells perf_dump.csv open path=step/outer)" 1 "outer open"
same "$(cells perf_dump.csv visits path=step/outer)" 0 "outer visits"
same "$(cells perf_dump.csv open path=step/outer/inner)" 1 "inner open"
same "$(cells perf_dump.csv visits path=step/outer/inner)" 1 "inner visits"
same "$(cells perf_dump.csv open path=step/outer/inner/n=3)" 1 "n=3 open"
same "$(cells perf_dump.csv open region=profiled)" 1 "profile open"
same "$(cells perf_dump.csv open region=step)" 1 "step open"
readable perf_dump.csv

behaviour regions nest ten thousand deep
run 0 regions deep
quiet
same "$(cells perf_dump.csv region depth=9999 | sort | tr '\n' ,)" \
    'level 9999,recursive,' "deepest regions"
same "$(cells perf_dump.csv visits | sort -u)" 1 "visits of each"
same "$(cells perf_dump.csv visits | wc -l | tr -d ' ')" 20000 rows
same "$(cells perf_dump.csv bottom.sum region='level 9999')" 1 counter
readable perf_dump.csv

behaviour deeper than PDUMP_DEPTH_MAX is balanced and counted
run 0 PDUMP_DEPTH_MAX=10 regions too_deep
same "$(cells perf_dump.csv visits region=down | wc -l | tr -d ' ')" 10 levels
same "$(cells perf_dump.csv visits region=down | sort -u)" 2 visits
same "$(visits after)" 1 after
noted PDUMP_DEPTH_MAX
same "$(cells perf_dump.meta.csv value table=warning key=count | sort -n |
    tail -n 1)" 10 "lost visits"

behaviour a million names end in one overflow node
seconds=300 run 0 regions many_names
same "$(grep -c '^' perf_dump.csv)" 500001 "lines of the file"
at_least "$(visits '<overflow>')" 500000 "visits of <overflow>"
same "$(visits 'name 0')" 2 "visits of the first name"
noted PDUMP_REGIONS_MAX
readable perf_dump.csv
rm -f perf_dump.csv

behaviour the number of names is a setting
run 0 PDUMP_REGIONS_MAX=100 N_NAMES=1000 regions many_names
same "$(cells perf_dump.csv visits | awk '{ n += $1 } END { print n }')" 1001 \
    "visits in all"
at_least "$(visits '<overflow>')" 900 overflow

behaviour little memory for records costs detail, not the run
run 0 PDUMP_MEMORY_MAX=1 N_NAMES=100000 regions many_names
at_least "$(n_warnings)" 0 warnings
same "$(cells perf_dump.csv visits | awk '{ n += $1 } END { print n }')" \
    100001 "visits in all"

behaviour regions by number
run 0 regions numbers
# Other ways than the quick one.
run 0 PDUMP_CLOCK=monotonic PDUMP_DUMP_DIR=clock regions numbers
run 0 PDUMP_EVENTS=pdump::minor_faults PDUMP_DUMP_DIR=counted regions numbers
same "$(visits solve/dot)" 3 visits
same "$(cells perf_dump.csv file region=solve)" solver.c file
same "$(cells perf_dump.csv line region=solve)" 42 line

behaviour names built in one buffer stay apart
run 0 regions same_buffer
quiet
same "$(cells perf_dump.csv region | tr '\n' ,)" 'part 0,part 1,part 2,' names

behaviour blocks are left by break, continue, return and goto
run 0 regions scopes
for name in plain broken returned returned/within jumped 'in an empty name'; do
    same "$(visits "$name")" 1 "$name"
done
same "$(visits continued)" 4 continued
same "$(cells perf_dump.csv open | sort -u)" 0 open

behaviour C++ exceptions leave regions
if command -v scopes >/dev/null; then
    run 0 scopes
    warns "none is open"
    same "$(visits block)" 3 "PDUMP_REGION"
    same "$(visits object)" 3 "pdump::region"
    same "$(visits object/inner)" 3 inner
    same "$(cells perf_dump.csv open | sort -u)" 0 open
fi
finish
