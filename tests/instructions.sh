#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Instructions per region pair, counted by callgrind: the speed of the hot path
# on a machine that is never quiet.  A run with N pairs is subtracted from one
# with 2 N, which leaves N pairs and nothing else, the same in every run.
#
# The limits are 8 % above what gcc 12 -O2 made of the library when they were
# set: 243, 202 and 68.  Whoever makes it faster lowers them; whoever must raise
# one says why.
set -u

limit_name=262
limit_number=218
limit_off=73
pairs=10000

skip() {
    echo "skipped: $1"
    exit 77
}

case ${PDUMP_SANITIZERS:-no} in
no) ;;
*) skip "the sanitizers' instructions would be counted" ;;
esac
[ "$(uname -m)" = x86_64 ] || skip "the limits are those of x86-64"
command -v valgrind >/dev/null || skip "no valgrind"
[ -x ./instructions ] || skip "./instructions is not built"
libtool=${LIBTOOL:-../libtool}
[ -x "$libtool" ] || skip "no $libtool"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
for name in $(env | sed -n 's/^\(PDUMP_[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done
# valgrind hides that the cycle counter is steady: insist on it.
export PDUMP_CLOCK=tsc PDUMP_EVENTS=none PDUMP_DUMP_DIR="$work"
# Of the C library's functions take those that every machine has.
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2_Usable,-AVX2,-AVX512VL,-EVEX

# count HOW N: instructions of a run.
count() {
    timeout 120 "$libtool" --mode=execute valgrind --tool=callgrind \
        --callgrind-out-file=/dev/null ./instructions "$1" "$2" \
        >"$work/out" 2>"$work/err"
    code=$?
    if [ $code -ne 0 ]; then
        cat "$work/out" "$work/err" >&2
        return $code
    fi
    sed -n 's/^==[0-9]*== Collected : \([0-9]*\)$/\1/p' "$work/err"
}

n_failed=0
# check HOW LIMIT
check() {
    once=$(count "$1" $pairs) || exit $?
    twice=$(count "$1" $((2 * pairs))) || exit $?
    if [ -z "$once" ] || [ -z "$twice" ]; then
        echo "FAILED: valgrind tells no count"
        cat "$work/err"
        exit 1
    fi
    each=$(((twice - once) / pairs))
    echo "$1: $each instructions per pair, at most $2"
    if [ $each -le 0 ] || [ $each -gt "$2" ]; then
        echo "FAILED: $1"
        grep '^pdump:' "$work/err" # perhaps not the clock that was asked for
        n_failed=$((n_failed + 1))
    fi
}

check name $limit_name
check number $limit_number
check off $limit_off
[ $n_failed -eq 0 ]
