#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that know nothing of libpdump, as Debian has them, on 2 ranks: under
# `pdump run --mpi` each computes what it computes without, and ends as without.
# What is not installed is left out; `scripts/test --long` installs
#   cp2k lammps nwchem quantum-espresso
. "${srcdir:-.}/pmpi/kit.sh"
seconds=600
OMP_NUM_THREADS=1
export OMP_NUM_THREADS
n_run=0

# is_there COMMAND: it is installed, and is for this MPI.
is_there() {
    path=$(command -v "$1") && {
        ldd "$path" 2>/dev/null | grep -q "$MPI_SONAME " && return
    }
    echo "$1 is not installed, or not for $MPI"
    return 1
}

# compare PATTERN COMMAND...: the lines with that pattern, which are its results.
compare() {
    pattern=$1
    shift
    run 0 "$MPI_RUN" -n 2 "$@"
    grep -- "$pattern" "$work/out" >"$work/alone"
    [ -s "$work/alone" ] || failed "no result"
    rm -rf perf_dump*
    run 0 "$pdump" run -q --mpi -- "$MPI_RUN" -n 2 "$@"
    grep -- "$pattern" "$work/out" | diff "$work/alone" - >"$work/err" ||
        failed "other results"
    at_least "$(cells perf_dump.csv path rank=1 group=mpi | wc -l)" 3 \
        "functions of MPI on rank 1"
    # What one rank has sent to another, that one has received; of one-sided calls
    # only the caller knows.
    figures | awk '$1 ~ /^MPI_R?(Get|Put|Accumulate|Fetch)/ { has_windows = 1 }
        $2 == "to" { sent += $5 }
        $2 == "from" { received += $5 }
        END {
            if (!has_windows && sent != received)
                print "sent", sent, "received", received
        }' >"$work/err"
    [ ! -s "$work/err" ] || failed "messages"
    n_run=$((n_run + 1))
}

if is_there cp2k.psmp; then
    behaviour "$MPI: CP2K, a molecule of water"
    compare 'ENERGY|' cp2k.psmp -i "$tests/programs/h2o.cp2k"
fi
if is_there lmp; then
    behaviour "$MPI: LAMMPS, a melt"
    compare '^ *[0-9]* *[0-9.]* *-[0-9.]* ' lmp -log none \
        -in "$tests/programs/melt.lammps"
fi
if is_there pw.x; then
    behaviour "$MPI: Quantum ESPRESSO, silicon"
    ld1.x <"$tests/programs/silicon.ld1" >"$work/err" 2>&1 ||
        failed "no pseudopotential"
    compare '^!' pw.x -in "$tests/programs/silicon.pw"
fi
if is_there nwchem.openmpi; then
    behaviour "$MPI: NWChem, a molecule of water"
    compare 'Total SCF energy' nwchem.openmpi "$tests/programs/h2o.nwchem"
fi
[ $n_run -gt 0 ] || [ $n_failed -gt 0 ] || exit 77
finish
