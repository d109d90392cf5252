#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# MPI calls obey PDUMP_THROTTLE: those after the first 101 are left out with
# their bytes, and counted.  The mean is below a second on every machine.
. "${srcdir:-.}/pmpi/kit.sh"

# reports TEXT: in whatever lines.
reports() {
    tr '\n' ' ' <"$work/report" | tr -s ' ' | grep -qF -e "$1" ||
        failed "the report does not say \"$1\": $(cat "$work/report")"
}

behaviour "$MPI: calls that are made too often"
watched 2 PDUMP_THROTTLE=100:1000000000 often
same "$(grep sum "$work/out")" "sum 999000" "what has arrived"
warns "short regions are left out after many visits"
same "$(figures @)" "0 to 1 202 1616
1 from 0 202 1616
MPI_Irecv@1 101 0 0 0
MPI_Isend@0 101 808 0 0
MPI_Recv@1 101 0 808 0
MPI_Send@0 101 808 0 0
MPI_Wait@0 101 0 0 101
MPI_Wait@1 101 0 808 101" "what was recorded"
same "$(visits MPI_Send) $(visits MPI_Wait)" "101 202" "visits"
for name in MPI_Send MPI_Recv MPI_Isend MPI_Irecv MPI_Wait; do
    noted "visits of region $name are not recorded: PDUMP_THROTTLE, after 101"
done
cells perf_dump.meta.csv value table=warning key=count | grep -qx 899 ||
    failed "the number of calls that were left out"
readable perf_dump.csv
reports "visits of region MPI_Send are not recorded"

behaviour "$MPI: what is left out has no events"
watched 2 PDUMP_THROTTLE=100:1000000000 PDUMP_RECORD=events often
same "$(grep sum "$work/out")" "sum 999000" "what has arrived"
for kind in send receive; do
    same "$(cells perf_dump.events.csv value kind=$kind |
        awk '{ n++; bytes += $1 } END { print n, bytes }')" "202 1616" \
        "events, $kind"
done

behaviour "$MPI: calls that are not short enough"
watched 2 PDUMP_THROTTLE=100:1 often
quiet
same "$(calls_of MPI_Send) $(calls_of MPI_Wait)" "1000 2000" "calls"
finish
