#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What libpdump-io.so adds to a small pread(); started by `make bench`.
# PDUMP_MODULES has libpdump-io.so, IO_BARE is the floor.
set -u

program=$PWD/io/pread
. "${srcdir:-.}/mpi/environment.sh"
PDUMP_OUTPUT_FORMAT=csv
export PDUMP_OUTPUT_FORMAT
head -c 4096 /dev/zero >data

# measure NAME [LIBRARY [VARIABLE=VALUE]]: a process of its own, a line of its own
measure() {
    name=$1
    ns=$(timeout 20 env ${2:+LD_PRELOAD="$2"} ${3:+"$3"} "$program" data) ||
        exit 1
    echo "$name $ns"
}

i=0
while [ $((i += 1)) -le "${IO_ROUNDS:-40}" ]; do
    measure none
    measure bare "$IO_BARE"
    measure ours "$PDUMP_MODULES/libpdump-io.so"
    measure off "$PDUMP_MODULES/libpdump-io.so" PDUMP_DISABLE=1
done >times || exit 1

# A tenth of the rounds were quicker, as in the other benchmarks.
quick() {
    awk -v name="$1" '$1 == name { print $2 }' times | sort -n |
        awk '{ all[NR] = $1 } END { print all[int((NR + 9) / 10)] }'
}
none=$(quick none)
printf '\n%-32s %9s %9s\n' "pread() of 64 bytes" ns added
for row in "none without a tool" "bare two clock reads" "ours libpdump-io.so" \
    "off PDUMP_DISABLE=1"; do
    quick "${row%% *}" | awk -v what="${row#* }" -v none="$none" \
        '{ printf "%-32s %9.1f %9.1f\n", what, $1, $1 - none }'
done
