#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The benchmarks of MPI dumps; started by `make bench`.
#   run.sh [--strict]     exit status 1 if a "must" is missed
# MPI_RUN is the mpirun to use, MPI_SONAME its library, PDUMP_MODULES the modules.
set -u

programs=$PWD/mpi
[ "${1:-}" != --strict ] || BENCH_STRICT=1
[ -z "${BENCH_STRICT:-}" ] || export BENCH_STRICT
if [ -z "${MPI_RUN:-}" ]; then
    echo "dumps of MPI jobs: skipped, there is no mpirun"
    exit 0
fi
. "${srcdir:-.}/mpi/environment.sh"
code=0

# on N PROGRAM ARGUMENT...
on() {
    n=$1
    shift
    timeout -k 5 300 "$MPI_RUN" -n "$n" "$@" </dev/null || code=1
}

# title WORD...
title() {
    printf '\n%-32s %9s %9s %6s %6s %6s %s\n' \
        "$*" floor ours ratio median must verdict
}

printf '\n'
on 1 env LD_PRELOAD="$PDUMP_MODULES/$MPI_SONAME/libpdump-pmpi.so" \
    "$programs/../pmpi/calls"

title "2 ranks record"
on 2 "$programs/pair" 400

if [ -x "$programs/dump" ]; then
    title "dump, 8 x 10 000 regions x 8"
    on 8 "$programs/dump" 10000 7 15 1.5
    title "dump, 2 x 10 000 regions x 2"
    PDUMP_EVENTS=pdump::cpu_time on 2 "$programs/dump" 10000 1 9 0 200 1000
    printf '\n* not in the floor: a bare gather and H5Dwrite do not do that.\n'
else
    echo "dumps: skipped, there is no HDF5"
fi
exit $code
