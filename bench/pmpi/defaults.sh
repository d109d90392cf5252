#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `pdump run --mpi` adds to programs that do nothing but call MPI: by
# default, with the time only, and with counters in every call.
# MPI_RUN, PDUMP_MODULES as in mpi/run.sh; PDUMP_COMMAND is the pdump to run.
set -u

program=$PWD/pmpi/traffic
if [ -z "${MPI_RUN:-}" ]; then
    echo "defaults of MPI calls: skipped, there is no mpirun"
    exit 0
fi
command=$PDUMP_COMMAND
. "${srcdir:-.}/mpi/environment.sh"
unset PDUMP_EVENTS
PDUMP_OUTPUT_FORMAT=csv
PDUMP_STORE=$folder
export PDUMP_OUTPUT_FORMAT PDUMP_STORE

# measure NAME WHAT [WORD]...: a line of its own.
measure() {
    name=$1 what=$2
    shift 2
    us=$(timeout -k 5 120 "$@" "$MPI_RUN" -n 2 "$program" "$what" \
        </dev/null 2>err) || { cat err >&2; exit 1; }
    echo "$what $name $us"
}

i=0
while [ $((i += 1)) -le "${ROUNDS:-5}" ]; do
    for what in byte window; do
        measure bare $what env
        measure default $what "$command" run -q --mpi
        measure none $what "$command" run -q --mpi -e none
        measure counters $what "$command" run -q --mpi \
            -e pdump::cpu_time,pdump::minor_faults
    done
done >times || exit 1

printf '\n%-24s %9s %6s\n' "2 ranks" "us a call" ratio
sort -k 1,2 -k 3n times | awk '
    { key = $1 " " $2; if (!(key in least)) { least[key] = $3; list[++n] = key } }
    END {
        for (i = 1; i <= n; i++) {
            split(list[i], word, " ")
            printf "%-24s %9.3f %6.2f\n", list[i], least[list[i]],
                least[list[i]] / least[word[1] " bare"]
        }
    }'
