#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pdump score on dumps that score/made made, whose figures are known, in every
# kind of file; what it writes is a filter that libpdump takes.
modules=${PDUMP_MODULES_BUILT:-$PWD/../plugins/modules}
made=$PWD/cli/score/made
regions=$PWD/program/filter/regions
timeline=$PWD/program/timeline/program
. "${srcdir:-.}/program/behaviour/kit.sh"
PDUMP_MODULES=$modules
PDUMP_EVENTS=none
export PDUMP_MODULES PDUMP_EVENTS

# line TEXT: it is in the output; blanks count as one.
line() {
    tr -s ' ' <"$work/out" | grep -qxF -e "$1" ||
        failed "no line '$1' in: $(head -n 30 "$work/out")"
}

# no_line TEXT: no line has that in it.
no_line() { ! grep -qF -e "$1" "$work/out" || failed "there is '$1'"; }

behaviour two ranks
run 0 "$made" a
run 0 "$pdump" score a.csv
quiet
line "a.csv: 28024 visits of 6 regions"
line " timeline 448 kB, 264 kB in the largest process (rank 1, pid 1001)"
line " memory PDUMP_EVENTS_MODE=ring PDUMP_EVENTS_BUFFER=357 PDUMP_MEMORY_MAX=17"
line " recording 100 ns per visit, 2.80 ms, 9.3 % of the time"
line "ALL 28.0 k 30.0 ms 100.0 1.79 us 448 kB 264 kB"
line "user 22.0 k 29.1 ms 97.0 2.24 us 352 kB 216 kB"
line "mpi 6.00 k 900 us 3.0 150 ns 96.0 kB 48.0 kB"
line "! 2 regions are too short to be worth recording: 64 % of the visits, which take"
line "A visit is two events of 8 bytes in a timeline."
no_line solve
cp "$work/out" wanted

run 0 LC_ALL=C.UTF-8 "$pdump" score a.csv
line "ALL 28.0 k 30.0 ms 100.0 1.79 µs 448 kB 264 kB"
grep -q '^ALL  *28.0 k .* 100.0   1.79 µs    448 kB' "$work/out" ||
    failed "columns of µs are not aligned"

run 0 "$pdump" score -r a.csv
line " !user 15.0 k 3.00 ms 10.0 200 ns 240 kB 160 kB tiny"
line " !user 3.00 k 300 us 1.0 100 ns 48.0 kB 24.0 kB odd #*"
line " user 4.00 k 13.0 ms 43.3 4.00 us 64.0 kB 32.0 kB solve"
line " mpi 6.00 k 900 us 3.0 150 ns 96.0 kB 48.0 kB MPI_Test"
line " user 20 2.00 us 0.0 100 ns 320 B 160 B rare"
same "$(awk '/region$/ { on = 1 } on && /tiny|solve|main/ { print $NF }' \
    "$work/out" | tr '\n' ' ')" "tiny solve main " "the order"

# Other kinds of file tell the same.
if timeout 300 "$pdump" export -f hdf5 a.csv >/dev/null 2>&1; then
    run 0 "$pdump" score a.h5
    same "$(sed 's/a\.h5/a.csv/' "$work/out")" "$(cat wanted)" "of the HDF5 file"
fi
run 0 "$pdump" score a.csv a.csv
line "a.csv: 56048 visits of 6 regions"

behaviour statistics over ranks
run 0 "$made" s stats
run 0 "$pdump" score -r s.csv
quiet
line "s.csv: 28022 visits of 6 regions"
line " timeline 448 kB, at most 264 kB in the largest process"
line " !user 15.0 k 3.00 ms 15.0 200 ns 240 kB 160 kB tiny"
line " user 4.00 k 13.0 ms 65.0 4.00 us 64.0 kB 32.0 kB solve"

behaviour a filter that is made, and its effect
run 0 "$made" a
run 0 "$pdump" score -g a.csv
quiet
line "pdump.filter excludes them."
same "$(grep -v '#.*s' pdump.filter | tr -s ' \n' ' ')" \
    'SCOREP_REGION_NAMES_BEGIN EXCLUDE tiny odd\ \#\* SCOREP_REGION_NAMES_END ' \
    "the filter"
run 0 "$pdump" score -r -f pdump.filter a.csv
line "with pdump.filter: 10024 visits of 4 regions"
line " timeline 160 kB, 80.2 kB in the largest process (rank 1, pid 1001)"
line "user 22.0 k 29.1 ms 97.0 2.24 us 352 kB 216 kB 32.2 kB"
line "mpi 6.00 k 900 us 3.0 150 ns 96.0 kB 48.0 kB 48.0 kB"
line "-!user 15.0 k 3.00 ms 10.0 200 ns 240 kB 160 kB tiny"
line " user 4.00 k 13.0 ms 43.3 4.00 us 64.0 kB 32.0 kB solve"
run 1 "$pdump" score -g a.csv
warns "there is such a file"
run 0 "$pdump" score -g -o other.filter a.csv
there other.filter
run 0 "$pdump" score -g -o third.filter --threshold 1 a.csv
line "No region costs more than it tells: no filter is written."
absent third.filter
run 0 PDUMP_FILTER=pdump.filter PDUMP_FILENAME=b "$regions" by_name
same "$(cells b.csv path | sort -u | tr '\n' ' ')" \
    "main main/inner main/tiny2 main/tiny2/inner " "paths"

behaviour rules for files and MPI calls
run 0 "$made" a
printf 'PDUMP_FILE_NAMES_BEGIN EXCLUDE src/* PDUMP_FILE_NAMES_END' >all.filter
run 0 "$pdump" score -f all.filter a.csv
line "with all.filter: 0 visits of 0 regions"
printf 'PDUMP_REGION_NAMES_BEGIN EXCLUDE MPI_* PDUMP_REGION_NAMES_END' >mpi.filter
run 0 "$pdump" score -f mpi.filter a.csv
line "mpi 6.00 k 900 us 3.0 150 ns 96.0 kB 48.0 kB 0"

# advised CASE N: with the settings that the score of a profile tells, no event
# is lost or dropped; with the usual ones of a ring some are.
advised() {
    behaviour "the advice for a ring, taken: $1"
    run 0 "$timeline" "$1" "$2"
    run 0 "$pdump" score perf_dump.csv
    advice=$(sed -n 's/^  memory *\(PDUMP_EVENTS_MODE=ring .*\)/\1/p' "$work/out")
    [ -n "$advice" ] || failed "no advice: $(head -n 5 "$work/out")"
    run 0 PDUMP_OVERWRITE=1 PDUMP_RECORD=events $advice "$timeline" "$1" "$2"
    grep -qx 'events_mode ring' "$work/out" || failed "no ring"
    grep -qx 'events_lost 0' "$work/out" || failed "events are lost: $advice"
    grep -qx 'events_dropped 0' "$work/out" ||
        failed "events are dropped: $advice: $(grep dropped "$work/out")"
    run 0 PDUMP_OVERWRITE=1 PDUMP_RECORD=events PDUMP_EVENTS_MODE=ring \
        "$timeline" "$1" "$2"
    ! grep -qx 'events_dropped 0' "$work/out" || failed "the usual is enough"
}
advised many 1000000
advised threads 800000

behaviour more than any ring holds
run 0 "$made" a
sed 's/,3000,/,300000000000,/' a.csv >b.csv
cp a.meta.csv b.meta.csv
run 0 "$pdump" score b.csv
line " memory no ring holds that: filter it, or PDUMP_EVENTS_MODE=flush"

behaviour a file that does not say what recording cost
run 0 "$made" a
grep -v overhead a.meta.csv >less && mv less a.meta.csv
run 0 "$pdump" score -g a.csv
line " recording the file does not say what a visit cost"
line "No region costs more than it tells: no filter is written."

behaviour the store of a killed program
timeout 300 survivor killed >"$work/out" 2>"$work/err" </dev/null
store=$(ls "$PDUMP_STORE"/*.store 2>/dev/null | head -n 1)
if [ -n "$store" ]; then
    run 0 "$pdump" score "$store"
    quiet
    grep -q '^user ' "$work/out" || failed "no group in the store"
else
    failed "no store"
fi

behaviour mistakes
run 0 "$made" a
mkdir none
run 2 sh -c "cd none && '$pdump' score"
run 2 "$pdump" score --threshold x a.csv
run 2 "$pdump" score -o x a.csv
run 1 "$pdump" score nowhere.csv
run 1 "$pdump" score -f nowhere a.csv
warns "nowhere: No such file"
printf 'EXCLUDE' >bad
run 1 "$pdump" score -f bad a.csv
warns "bad:1:1: "
run 1 "$pdump" score -g -o no/such/folder a.csv
warns "no/such/folder: No such file"

finish
