#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One HDF5 file for all ranks, written by rank 0 or by all of them together.
. "${srcdir:-.}/kit.sh"
. "$tests/dumps.sh"
seconds=300
build=${MODULES%/plugins/modules}

if [ ! -e "$MODULES/pdump_hdf5.so" ]; then
    echo "no HDF5 module"
    exit 77
fi
PDUMP_OUTPUT_FORMAT=hdf5
export PDUMP_OUTPUT_FORMAT
ending=h5
ways=gather
[ ! -e "$MODULES/$MPI_SONAME/pdump_hdf5_mpi.so" ] || ways="gather collective"

for way in $ways; do
    PDUMP_HDF5=$way
    export PDUMP_HDF5

    for n in 1 4; do
        behaviour "$MPI, $n ranks, $way"
        ranks $n PDUMP_OUTPUT_FORMAT=hdf5,csv lives plain
        good $n
        dump perf_dump.$n "$(worked $(seq 0 $((n - 1))))"
        # The two formats have the same, to the last nanosecond.
        table perf_dump.$n >/dev/null
        cmp perf_dump.csv "$work/table.csv" || failed "not what the CSV has"
        cmp perf_dump.meta.csv "$work/table.meta.csv" ||
            failed "not what the CSV's meta file has"
    done

    behaviour "$MPI, $way: regions that differ"
    ranks 3 PDUMP_OUTPUT_FORMAT=hdf5,csv shapes different
    table perf_dump.3 >/dev/null
    cmp perf_dump.csv "$work/table.csv" || failed "not what the CSV has"

    behaviour "$MPI, $way: a second run"
    ranks 2 lives plain
    ranks 2 lives plain
    files perf_dump.2 perf_dump.2.old-1

    behaviour "$MPI, $way: ranks in another order"
    ranks 4 flush split
    dump even.2 "$(worked 0 2)" "0 later 1" "2 later 1"
    dump odd.2 "$(worked 1 3)" "1 later 1" "3 later 1"
    if command -v h5dump >/dev/null; then
        same "$(h5dump -y -d /profile/rank even.2.h5 | sed -n \
            's/^ *\([0-9, ]*\)$/\1/p' | tr -d ' \n')" 2,0 "ranks in their order"
    fi

    behaviour "$MPI, $way: the name is a link"
    echo "somebody's data" >"$work/victim"
    ln -s "$work/victim" perf_dump.2.h5
    ranks 2 lives plain
    done_by 2
    said 1 'is taken; writing perf_dump.2-1.h5 instead'
    same "$(cat "$work/victim")" "somebody's data" "the file behind the link"
    dump perf_dump.2-1 "$(worked 0 1)"

    # The full disk: 64 KiB are not enough for 5000 regions of four ranks.
    behaviour "$MPI, $way: a full disk"
    mkdir disk tmp
    if mount -t tmpfs -o size=64k pdump-test disk 2>/dev/null; then
        ranks 4 PDUMP_DUMP_DIR="$PWD/disk" TMPDIR="$PWD/tmp" \
            OMPI_MCA_orte_tmpdir_base="$work" shapes many
        done_by 4
        n=$(ls disk | wc -l | tr -d ' ')
        umount disk
        same "$n" 0 "files on the full disk"
        said 1 "the output is in $PWD/tmp/perf_dump.4.h5"
        at_least "$(rows tmp/perf_dump.4 | wc -l)" 20000 "rows"
    fi
    stores 0
done
unset PDUMP_HDF5

# Above PDUMP_GATHER_MAX the ranks write together, if they can; what needs all
# of it at once is left to each of them.
if [ "$ways" != gather ]; then
    # Which of the two it was shows in what was loaded.
    for max in 0 64; do
        behaviour "$MPI: PDUMP_GATHER_MAX=$max"
        mkdir "$work/loaded.$max"
        ranks 2 PDUMP_GATHER_MAX=$max LD_DEBUG=files \
            LD_DEBUG_OUTPUT="$work/loaded.$max/by" lives plain
        good 2
        dump perf_dump.2 "$(worked 0 1)"
    done
    grep -q 'pdump_hdf5_mpi.so.*generating link map' "$work"/loaded.0/* ||
        failed "they did not write together"
    ! grep -q 'pdump_hdf5_mpi.so.*generating link map' "$work"/loaded.64/* ||
        failed "they did write together"
    behaviour "$MPI: too much for one, and no module to write together"
    cp -rL "$MODULES" modules
    rm modules/*/pdump_hdf5_mpi.so
    ranks 2 PDUMP_MODULES="$PWD/modules" PDUMP_GATHER_MAX=0 \
        PDUMP_HDF5=collective lives plain
    rm -r modules
    said 1 'rank 0 writes for all'
    dump perf_dump.2 "$(worked 0 1)"
fi
behaviour "$MPI: too much for one, as JSON"
ranks 2 PDUMP_GATHER_MAX=0 PDUMP_OUTPUT_FORMAT=json lives plain
done_by 2
same "$(grep -c 'more than PDUMP_GATHER_MAX' "$work/err")" 1 "messages"
there perf_dump.rank-0.json
there perf_dump.rank-1.json
stores 0

behaviour "$MPI: statistics only"
ranks 4 PDUMP_RANKS=stats PDUMP_OUTPUT_FORMAT=hdf5,csv lives plain
good 4
table perf_dump.4 >/dev/null
cmp perf_dump.stats.csv "$work/table.stats.csv" || failed "other statistics"
same "$(cells perf_dump.stats.csv rank_of_max path=solve metric=visits)" 3 \
    "rank that has most visits"

behaviour "$MPI: steps are one array, ranks by steps"
python=
for candidate in "${PYTHON:-}" python3 /usr/bin/python3; do
    [ -n "$python" ] || [ -z "$candidate" ] ||
        ! timeout 300 "$candidate" -c 'import h5py' 2>/dev/null ||
        python=$candidate
done
ranks 3 lives steps
if [ -n "$python" ]; then
    same "$(timeout 300 "$python" -c '
import h5py
f = h5py.File("perf_dump.3.h5")
print(f["samples/time"].shape[0], f["samples/time"].ndim,
      (f["samples/time"][:] >= 0).all())')" "3 2 True" "array of steps"
fi

# Python's own HDF5, whichever comes first.  It cannot load a sanitized library.
find_python h5py
if ! is_sanitized && [ -n "$python" ]; then
    for order in 'import h5py; before = 1' 'before = 0'; do
        behaviour "$MPI, Python with h5py: $order"
        cat >job.py <<PYTHON
$order
import os, runpy, sys
sys.argv[1:] = ["$build/libpdump/.libs/libpdump.so", "mpi first"]
runpy.run_path("$tests/languages/job.py", run_name="__main__")
import h5py
if not before:
    h5py.File("own%d.h5" % os.getpid(), "w")["x"] = [1, 2, 3]
PYTHON
        ranks 2 "$python" job.py
        done_by 2
        dump perf_dump.2 "$(worked 0 1)"
    done
fi

finish
