#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What stacks cost: `make stacks`, or with variables:
#   PDUMP_COMMAND, DEEP, HANDLER  the programs `pdump`, `deep` and `handler`
#   WORK                          rounds of deep (10000000: seconds)
#   ROUNDS                        of each side (15), in turns
# The ratio of CPU times is the median of the rounds' ratios.  With --strict, a
# missed "must" is an error.
set -u

pdump=${PDUMP_COMMAND:-pdump} deep=${DEEP:-./deep} handler=${HANDLER:-./handler}
work=${WORK:-10000000} rounds=${ROUNDS:-15}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1
PDUMP_STORE=$folder PDUMP_OVERWRITE=1 PDUMP_QUIET=1
export PDUMP_STORE PDUMP_OVERWRITE PDUMP_QUIET
n_missed=0

# take HZ: a line "HZ seconds".
take() {
    echo "$1 $(PDUMP_STACKS=$1 PDUMP_FILENAME="at$1" timeout 300 "$deep" "$work")"
}

for _ in $(seq "$rounds"); do
    take 0
    take 100
    take 1000
done >times || exit 1

# ratio HZ: the median of the rounds' ratios to none.
ratio() {
    awk -v hz="$1" '$1 == 0 { none = $2 } $1 == hz { print $2 / none }' times |
        sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# fact HZ KEY: of the last round.
fact() {
    "$pdump" export -f csv -o facts.csv "at$1".* >/dev/null 2>&1
    sed -n "s/^metadata,[0-9]*,$2,//p" facts.meta.csv
}

# row TITLE VALUE LOW HIGH GOAL: the value must be between the two.
row() {
    said=$(echo "$2 $3 $4" |
        awk '{ print ($1 >= $2 && $1 <= $3 ? "ok" : "MISSED") }')
    [ "$said" = ok ] || n_missed=$((n_missed + 1))
    printf '%-52s %8s %8s %8s %s\n' "$1" "$2" "$4" "$5" "$said"
}

set -- "${1:-}" $("$handler")
printf '%-52s %8s %8s %8s\n' '' 'is' must goal
row 'CPU time at 100 a second' "$(ratio 100)" 0 1.01 1.005
row 'CPU time at 1000 a second, or what the kernel gives' "$(ratio 1000)" 0 1.25 -
row "handler, $5 frames, by _Unwind_Backtrace's ($2, $3 ns)" "$4" 0 0.5 0.2
for hz in 100; do
    n=$(fact $hz stacks)
    row "stacks a second of CPU time, by asked ($n)" "$(echo "$n $hz \
        $(fact $hz stacks_cpu_time_ns)" | awk '{ print $1 / $2 / $3 * 1e9 }')" \
        0.97 1.03 -
    row 'unfinished, %' "$(echo "$n $(fact $hz stacks_unfinished)" |
        awk '{ print 100 * $2 / $1 }')" 0 0.5 0.1
done
[ "$1" != --strict ] || [ $n_missed -eq 0 ]
