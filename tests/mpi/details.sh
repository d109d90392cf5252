#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Details of calls, of all ranks in one dump: each rank's, or united.
. "${srcdir:-.}/kit.sh"
. "$tests/dumps.sh"
seconds=300
PDUMP_OUTPUT_FORMAT=csv
export PDUMP_OUTPUT_FORMAT

# details FILE FIELD: "RANK THREAD PATH LABEL VALUE;" of every row, sorted.
details() {
    for column in rank thread path label value; do
        cells "$1.details.csv" $column field="$2" >"$work/$column"
    done
    paste -d ' ' "$work/rank" "$work/thread" "$work/path" "$work/label" \
        "$work/value" | sort | tr '\n' ';'
}

# called RANK...: what call_all() of job/details.c records.
called() {
    for caller in "$@"; do
        echo "$caller 0 solve/send place 0 $((caller + 1))"
        echo "$caller 0 solve/send place $((caller + 100)) 1"
    done | sort | tr '\n' ';'
}

for n in 1 2 3; do
    behaviour "$MPI: details of $n ranks"
    ranks $n details same
    good $n
    same "$(details perf_dump calls)" "$(called $(seq 0 $((n - 1))))" calls
    same "$(cells perf_dump.details.csv value field=bytes label='place 0' \
        rank=$((n - 1)))" $((10 * n * n)) "bytes of the last rank"
    same "$(cells perf_dump.details.csv index field=sizes label='place 100')" \
        5 "the one bin that has a call"
done

behaviour "$MPI: threads of several ranks"
ranks 2 details threads
good 2
same "$(details perf_dump calls)" "$({
    called 0 1 | tr ';' '\n'
    echo "0 1 solve/send place 0 1"
    echo "1 1 solve/send place 0 1"
} | sort | tr '\n' ';')" calls

behaviour "$MPI: a rank without details"
ranks 3 details some
good 3
same "$(details perf_dump calls)" "$(called 0 2)" calls

behaviour "$MPI: a table with other fields on one rank"
ranks 3 details foreign
good 3
same "$(details perf_dump calls)" "$(called 0 1)" calls
same "$(cells perf_dump.meta.csv value table=warning key=text)" \
    'details in trips with other fields than elsewhere, left out' warning

united='  solve/send place 0 6;  solve/send place 100 1;'
united="$united  solve/send place 101 1;  solve/send place 102 1;"
for kept in stats 2; do
    behaviour "$MPI: PDUMP_RANKS=$kept"
    ranks 3 PDUMP_RANKS=$kept details same
    good 3
    same "$(details perf_dump calls)" "$united" calls
    same "$(cells perf_dump.details.csv value field=least label='place 0')" 10 \
        "least of all ranks"
    same "$(cells perf_dump.meta.csv value table=metadata key=details)" \
        'united over ranks' metadata
done

behaviour "$MPI: more than rank 0 may have"
ranks 3 PDUMP_GATHER_MAX=0 details same
done_by 3
same "$(details perf_dump calls)" "$united" calls
cells perf_dump.meta.csv value table=warning key=text |
    grep -q 'more than PDUMP_GATHER_MAX: they were united' ||
    failed "no warning"

behaviour "$MPI: ranks that are killed"
timeout -k 10 $seconds "$MPI_RUN" -n 2 env details killed >"$work/out" \
    2>"$work/err" </dev/null
stores 2
saved
for file in *.details.csv; do
    details "${file%.details.csv}" calls | tr ';' '\n'
done >"$work/recovered"
same "$(sort "$work/recovered" | tr '\n' ';')" "$(called 0 1)" calls

# The same in an HDF5 file, which h5py and pdump can read, however it is made.
if [ -e "$MODULES/pdump_hdf5.so" ]; then
    PDUMP_OUTPUT_FORMAT=hdf5,csv
    ways=gather
    [ ! -e "$MODULES/$MPI_SONAME/pdump_hdf5_mpi.so" ] ||
        ways="gather collective"
    python=
    for candidate in "${PYTHON:-}" python3 /usr/bin/python3; do
        [ -n "$python" ] || [ -z "$candidate" ] ||
            ! timeout 300 "$candidate" -c 'import h5py' 2>/dev/null ||
            python=$candidate
    done
    for way in $ways; do
        behaviour "$MPI: details in HDF5, $way"
        ranks 3 PDUMP_HDF5=$way details many
        good 3
        timeout 300 "$pdump" export -f csv -o "$work/table" perf_dump.3.h5 \
            >/dev/null || failed "pdump export"
        cmp perf_dump.details.csv "$work/table.details.csv" ||
            failed "not what the CSV has"
        [ -n "$python" ] || continue
        same "$(timeout 300 "$python" -c '
import h5py
trips = h5py.File("perf_dump.3.h5")["trips"]
name, ptr = trips["label_name"][:].tobytes(), trips["label_name_ptr"][:]
names = [name[i:j].decode() for i, j in zip(ptr, ptr[1:])]
print(len(trips["node"]), trips["calls"][:].sum(), trips["sizes"].shape,
      (trips["label"][:] == names.index("place 7")).sum())')" \
            "6000 6000 (6000, 8) 3" "with h5py"
    done
fi

finish
