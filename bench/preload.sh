#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a library to preload adds to a call; started by `make bench`.
#   preload.sh TITLE PROGRAM LIBRARY BARE FLOOR
# PROGRAM prints ns per call.  LIBRARY is one of ours, in PDUMP_MODULES; BARE is
# the least that stands in front of the call, and FLOOR says what that is.
set -u

title=$1 program=$PWD/$2 library=$3 bare=$PWD/$4 floor=$5
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
while [ $((i += 1)) -le "${PRELOAD_ROUNDS:-40}" ]; do
    measure none
    measure bare "$bare"
    measure ours "$PDUMP_MODULES/$library"
    measure off "$PDUMP_MODULES/$library" PDUMP_DISABLE=1
done >times || exit 1

# A tenth of the rounds were quicker, as in the other benchmarks.
quick() {
    awk -v name="$1" '$1 == name { print $2 }' times | sort -n |
        awk '{ all[NR] = $1 } END { print all[int((NR + 9) / 10)] }'
}
none=$(quick none)
printf '\n%-32s %9s %9s\n' "$title" ns added
for row in "none without a tool" "bare $floor" "ours $library" \
    "off PDUMP_DISABLE=1"; do
    quick "${row%% *}" | awk -v what="${row#* }" -v none="$none" \
        '{ printf "%-32s %9.1f %9.1f\n", what, $1, $1 - none }'
done
