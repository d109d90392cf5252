#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pdump run --io: the files of MPI are one row, those of the program a row each.
. "${srcdir:-.}/kit.sh"
needs_preload
seconds=300
programs_io=$programs/io
folded='MPI and system files'

# files DUMP: what the table has, without the folder.  ROMIO and OMPIO try out
# locks with a file beside the shared one.
files() {
    cells "$1" label table=io field=calls | sed "s#^$PWD/##" | sort -u |
        grep -v '^shared\.'
}

behaviour "$MPI: files of the program, and one row of MPI's"
run 0 "$pdump" run --io -q -- "$MPI_RUN" -n 2 "$programs_io/files"
same "$(files perf_dump.details.csv)" "$folded
own-0
own-1
shared" files
at_least "$(cells perf_dump.details.csv value table=io field=calls \
    "label=$folded" | awk '{ n += $1 } END { print n }')" 10 "calls of MPI"
run 0 "$pdump" report --io perf_dump.csv
same "$(grep -c " $folded\$" "$work/out")" 1 "rows of the report"

behaviour "$MPI: PDUMP_IO=system shows them one by one"
run 0 PDUMP_IO=system "$pdump" run --io -q -- "$MPI_RUN" -n 2 \
    "$programs_io/files"
same "$(files perf_dump.details.csv | grep -c "^$folded\$")" 0 "common rows"
at_least "$(files perf_dump.details.csv | grep -c '^/proc/')" 1 "of /proc"

behaviour "$MPI: PDUMP_IO=-system leaves them out"
run 0 PDUMP_IO=-system "$pdump" run --io -q -- "$MPI_RUN" -n 2 \
    "$programs_io/files"
same "$(files perf_dump.details.csv)" "own-0
own-1
shared" files

finish
