#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The memory of rank 0 does not grow with the number of ranks: it holds the
# tables of all, and the rows of one rank at a time.
. "${srcdir:-.}/kit.sh"
seconds=300

if is_sanitized; then
    echo "sanitizers need memory of their own"
    exit 77
fi

regions=20000
counters=7 # and the time
# Of a rank's rows: 32 bytes, and 5 numbers of each metric.
bytes=$((regions * (32 + (counters + 1) * 40)))

# growth N [VARIABLE=VALUE]...: of rank 0, in KiB.
growth() {
    n=$1
    shift
    ranks "$n" PDUMP_HDF5=gather PDUMP_EVENTS=none "$@" \
        "$programs/memory/growth" $regions $counters $bytes
    kib=$(sed -n 's/^growth \([0-9]*\)$/\1/p' "$work/out")
    at_least "$kib" 1 "growth of $n ranks"
    kib=${kib:-0}
}

# bounded FEW [VARIABLE=VALUE]...: more ranks have as many times these bytes
# more; what is allowed is less than one.
bounded() {
    few=$1
    shift
    behaviour "$MPI, $few and 8 ranks: $*"
    growth "$few" "$@"
    before=$kib
    growth 8 "$@"
    echo "$MPI $*: $before KiB with $few ranks, $kib KiB with 8;" \
        "a rank has $((bytes / 1024)) KiB"
    [ $((kib - before)) -lt $((bytes / 1024)) ] ||
        failed "8 ranks instead of $few: $((kib - before)) KiB more on rank 0"
    [ "$kib" -lt $((8 * bytes / 1024)) ] ||
        failed "rank 0 grew by $kib KiB, as much as the rows of all ranks"
}

bounded 2 PDUMP_OUTPUT_FORMAT=csv PDUMP_RANKS=all
if [ -f "$MODULES/pdump_hdf5.so" ]; then
    bounded 2 PDUMP_OUTPUT_FORMAT=hdf5 PDUMP_RANKS=all
    bounded 2 PDUMP_OUTPUT_FORMAT=hdf5 PDUMP_RANKS=stats
    bounded 3 PDUMP_OUTPUT_FORMAT=hdf5 PDUMP_RANKS=2
fi

finish
