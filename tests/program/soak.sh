#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Eight threads record for a while, with forks: memory stays flat and nothing is
# lost.  SOAK=long: 10^8 visits.
PATH=$PWD/program/ends:$PATH
. "${srcdir:-.}/program/behaviour/kit.sh"
n_wanted=100000 duration=3
[ "${SOAK:-}" != long ] || n_wanted=100000000 duration=10

for follow in 0 1; do
    behaviour "a soak of $n_wanted visits, PDUMP_FOLLOW=$follow"
    seconds=3000 run 0 PDUMP_EVENTS=none PDUMP_FOLLOW=$follow \
        soak $n_wanted $duration
    grep '^# ' "$work/err"
    same "$(n_warnings)" 0 warnings
    read -r n n_children <"$work/out"
    echo "$n visits, $n_children children"
    at_least "$n" $n_wanted visits
    same $(($(visits outer) + $(visits outer/inner))) "$n" "visits in the dump"
    same "$(cells perf_dump.csv rounds.sum path=outer |
        awk '{ n += $1 } END { print n }')" $((n / 2)) "rounds counted"
    same "$(visits child)" $((follow * n_children * 100)) "visits of children"
    stores 0
done
finish
