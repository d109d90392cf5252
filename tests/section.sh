#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What reports tell of MPI and of I/O, from a dump that was made by hand.
. "${srcdir:-.}/behaviour/kit.sh"
made=$PWD/html/made

# has LINE: is it in the output, whatever blanks it has?
has() {
    sed 's/  */ /g; s/^ //; s/ $//' "$work/out" | grep -Fxq -- "$1" ||
        failed "no line '$1'"
}

behaviour MPI by function, site, rank and size
run 0 "$made" run 2 20 2 5
run 0 "$pdump" report --mpi --width 0 run.csv
has "function % time calls mean max sent received blocked imb %"
has "MPI_Send 100.0 10.0 us 30 333 ns 0 160 B 0 0 0.0"
has "80.0 8.00 us 10 800 ns 0 0 MPI_Send made.c:2 (main)"
has "20.0 2.00 us 20 100 ns 160 B 0 MPI_Send made.c:1 (<i>main</i>)"
has "1 0.0 5.00 us 15 80 B 0 0"
has "from 4 B 20 66.7 ########################################"
! grep -q region "$work/out" || failed "the tree is there, too"

behaviour only what is largest
run 0 "$made" run 4 20 2 5
run 0 "$pdump" report --mpi --top 1 --width 0 run.csv
has "... and 1 more call sites (--top)"
has "... and 3 more ranks (--top)"
! grep -q 'made.c:1' "$work/out" || failed "the second site is there, too"

behaviour only some ranks
run 0 "$made" run 4 20 2 5
run 0 "$pdump" report --mpi --rank 1,2 --width 0 run.csv
has "MPI_Send 100.0 10.0 us 30 333 ns 0 160 B 0 0 0.0"

behaviour files and functions
run 0 "$made" run 2 20 2 5
run 0 "$pdump" report --io --width 0 run.csv
has "600 ns 6 0 - - 0 fwrite"
has "600 ns 6 0 - - 0 /tmp/file"

behaviour the tree says what there is
run 0 "$made" run 2 20 2 5
run 0 "$pdump" report run.csv
grep -q '^MPI (--mpi): .* of the run time' "$work/out" || failed "no MPI"
grep -q '^I/O (--io): .* of the run time' "$work/out" || failed "no I/O"

behaviour nothing was recorded
run 0 PDUMP_EVENTS=none regions names
run 1 "$pdump" report --mpi perf_dump.csv
grep -q 'pdump run --mpi' "$work/err" || failed "no way out"
run 1 "$pdump" report --io perf_dump.csv
grep -q 'pdump run --io' "$work/err" || failed "no way out"
run 2 "$pdump" report --io --csv perf_dump.csv
finish
