#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Instructions that we add to a call of MPI, counted by callgrind in our
# libraries only: what keeps a call's cost where it is on a machine that is
# never quiet.  The limits are 8 % above what -O2 of gcc 12 (418, 613; 1126 for
# MPI_Put and MPI_Win_flush) and clang 14 (438, 636; not counted, 15 % above gcc)
# made of it when they were set.
. "${srcdir:-.}/pmpi/kit.sh"
n=5000

skip() {
    echo "skipped: $1"
    exit 77
}

[ "$(uname -m)" = x86_64 ] || skip "the limits are those of x86-64"
command -v valgrind >/dev/null || skip "no valgrind"
case $("$programs/pmpi/cost") in
gcc) limits="451 662 1216" ;;
clang) limits="473 686 1295" ;;
*) skip "the library is not built for speed" ;;
esac
# The clock whose reads are two instructions.
PDUMP_CLOCK=tsc
export PDUMP_CLOCK

# count HOW N OTHERS: $sum is the instructions of a run in our libraries.
count() {
    if ! LD_PRELOAD=$library timeout -k 5 300 valgrind --tool=callgrind \
        --callgrind-out-file="$work/counts" "$programs/pmpi/cost" "$@" \
        >"$work/out" 2>"$work/err"; then
        ! grep -q 'debuginfo reader' "$work/err" ||
            skip "this valgrind cannot read what this compiler writes"
        failed "valgrind"
        finish
    fi
    # Where valgrind imitates an old processor, the cycle counter is not steady.
    ! grep -q '^pdump:.*PDUMP_CLOCK=tsc' "$work/err" ||
        skip "no steady cycle counter"
    # "ob=(3) NAME" is "ob=(3)" from then on; a line of figures after "calls="
    # is what the called function took.
    sum=$(awk '/^c?ob=/ {
            id = $1
            sub(/.*=/, "", id)
            if (NF > 1)
                is_ours[id] = $2 ~ /\/libpdump[^\/]*$/
            if (!/^c/)
                here = id
        }
        /^calls=/ { is_other = 1; next }
        /^[-+*0-9]/ {
            if (!is_other && is_ours[here])
                sum += $NF
            is_other = 0
        }
        END { printf "%d\n", sum }' "$work/counts")
}

# check HOW LIMIT: a table finds windows by their addresses, and some addresses
# share a place there; so a window may also be one that others come before.
check() {
    for others in 0 1 2 3; do
        count "$1" $n $others
        once=$sum
        count "$1" $((2 * n)) $others
        each=$(((sum - once) / n))
        echo "$MPI: $1: $each instructions, at most $2"
        [ $each -gt "$2" ] && [ "$1" = window ] || break
    done
    [ $each -gt 100 ] && [ $each -le "$2" ] || failed "$each for a $1, not $2"
}

behaviour "$MPI: instructions that are added to a call"
# shellcheck disable=SC2086
set -- $limits
check rank "$1"
check message "$2"
check window "$3"
finish
