#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ranks that fill one HDF5 file together, with every MPI that has an HDF5: what
# is in it, and that no failure keeps anybody waiting.
here=$PWD
modules=${PDUMP_MODULES_BUILT:-$PWD/../plugins/modules}
. "${srcdir:-.}/program/behaviour/kit.sh"

# More ranks than cores, and perhaps root.
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_btl_vader_single_copy_mechanism=none
OMPI_MCA_mpi_yield_when_idle=1
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
PDUMP_MODULES=$modules
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
    OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_mpi_yield_when_idle \
    OMPI_MCA_btl_vader_single_copy_mechanism ASAN_OPTIONS PDUMP_MODULES
seconds=300
n_mpis=0

# fill CODE RANKS ARGUMENT...
fill() {
    code=$1
    n=$2
    shift 2
    # Open MPI ends with the code of the first rank to fail, MPICH, too.
    run "$code" $start -n "$n" "$program" "$@"
}

filled() { same "$(cat "$work/out")" filled "what rank 0 says"; }

for mpi in openmpi mpich; do
    program=$here/cli/hdf5/fill_$mpi
    [ $mpi = openmpi ] && start=${OPENMPI_RUN:-} || start=${MPICH_RUN:-}
    [ -x "$program" ] && [ -n "$start" ] || continue
    n_mpis=$((n_mpis + 1))

    for n in 1 2 4; do
        behaviour "$mpi, $n ranks"
        fill 0 $n x.h5 $n 100 30
        filled
        readable x.h5
    done

    behaviour "$mpi, large, and ranks that differ"
    fill 0 3 x.h5 3 20000 3000 irregular
    filled

    behaviour "$mpi, events"
    fill 0 4 x.h5 3 10 0 events
    filled

    behaviour "$mpi, ranks without rows"
    fill 0 4 x.h5 2 100 0
    filled

    behaviour "$mpi, a rank that cannot reach the file"
    fill 1 3 x.h5 3 100 10 unreachable
    grep -q 'rank 2: /nowhere/x.h5: No such file' "$work/out" ||
        failed "no reason"
    same "$(grep -c 'another rank could not write it' "$work/out")" 2 "others"

    behaviour "$mpi, a rank that finds another file of that name"
    fill 1 3 x.h5 3 100 10 another
    grep -q 'x.h5: rank 2 has another file of that name' "$work/out" ||
        failed "no reason"
    same "$(grep -c 'another rank could not write it' "$work/out")" 2 "others"

    behaviour "$mpi, a full disk"
    mkdir -p "$work/disk"
    for size in 300k 1m 4m; do
        mount -t tmpfs -o size=$size pdump-test "$work/disk" 2>/dev/null ||
            break
        fill 1 3 "$work/disk/x.h5" 3 20000 3000
        grep -q 'No space left on device' "$work/out" || failed "no reason"
        umount "$work/disk"
    done
done
if [ $n_mpis -eq 0 ]; then
    echo "there is no MPI with an HDF5"
    exit 77
fi
finish
