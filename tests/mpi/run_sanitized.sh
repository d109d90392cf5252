#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pdump run --mpi: ranks that are built with AddressSanitizer start, have their
# MPI calls recorded, and still find what they look for.
. "${srcdir:-.}/kit.sh"
needs_preload
. "$tests/job/kit.sh"
seconds=300
mkdir "$work/bin"
PATH=$work/bin:$PATH # in front of the other `bare`

# built FLAG...: bin/bare, which runs without us.
built() {
    "$MPI_CC" -g -fsanitize=address "$@" -o "$work/bin/bare" \
        "$tests/job/bare.c" 2>"$work/err" &&
        timeout 300 "$MPI_RUN" -n 2 bare >/dev/null 2>"$work/err"
}

# recorded: two ranks, each with its calls, and no word of ours.
recorded() {
    printed 2
    same "$(n_warnings)" 0 warnings
    # The sanitizer hides that threads are MPI's own: they have rows, too.
    same "$(rows perf_dump.csv | tr , '\n' | sort -u | tr '\n' ,)" \
        "0 bare,1 bare," rows
    job_calls
    same "$(visits bare/MPI_Barrier)" 4 "visits of MPI_Barrier"
    same "$(cells perf_dump.csv path depth=0 | sort -u)" bare "outermost regions"
    stores 0
}

# ways NAME: pdump run around mpirun and within it.
ways() {
    for options in --mpi '--mpi --io --memory'; do
        behaviour "$MPI: $1, pdump run $options mpirun"
        run 0 "$pdump" run $options -q -- "$MPI_RUN" -n 2 bare
        recorded
        behaviour "$MPI: $1, mpirun pdump run $options"
        run 0 "$MPI_RUN" -n 2 "$pdump" run $options -q bare
        recorded
    done
    behaviour "$MPI: $1, an overflow"
    timeout -k 10 300 "$pdump" run --mpi -q -- "$MPI_RUN" -n 2 bare overflow \
        >"$work/out" 2>"$work/err" && failed "exit code 0"
    grep -q heap-buffer-overflow "$work/err" || failed "it is not found"
}

n_built=0
if built; then
    n_built=1
    ways AddressSanitizer
fi
if built -static-libasan; then
    n_built=2
    ways "AddressSanitizer, linked statically"
fi
[ $n_built -gt 0 ] || {
    echo "$MPI_CC has no AddressSanitizer: $(head -n 3 "$work/err")"
    exit 77
}
finish
