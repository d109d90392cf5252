#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kill.sh [KILLS]: kill -9 at random moments; every completed visit is in the
# recovered dump, and no record is torn.
PATH=$PWD/program/ends:$PATH
kills=${1:-${KILLS:-60}}
. "${srcdir:-.}/program/behaviour/kit.sh"
seed=$(date +%s)
n_early=0
n_visits=0
slow=1

# Nothing was completed, so that nothing needs to be there.
too_early() {
    n_early=$((n_early + 1))
    same "$(awk -F, '{ n += $2 } END { print n + 0 }' "$work/reported")" 0 \
        "completed visits, but there is no dump"
}

# strike N MICROSECONDS WAY EVENTS
strike() {
    behaviour "kill $1 (seed $seed) after $2 us, by $3, with events $4"
    run 0 PDUMP_EVENTS="$4" killer "$2" "$3"
    cp "$work/out" "$work/reported"
    if ! timeout 300 "$pdump" recover "$PDUMP_STORE" >"$work/out" 2>"$work/err"
    then
        # Clearly said, and only of a store that was never begun.
        grep -Eq 'no store of a dead|not yet started|empty|nothing is left' \
            "$work/err" || failed "pdump recover"
        too_early
        return
    fi
    stores 0
    steady=0
    [ "$3" != steady ] || steady=1
    awk -v steady=$steady -f "$kit/../../program/ends/killed.awk" "$work/reported" \
        perf_dump.csv >"$work/out" </dev/null
    n_visits=$((n_visits + $(sed -n 's/^visits //p' "$work/out")))
    ! grep -v '^visits ' "$work/out" >"$work/err" || failed "not all is right"
}

awk -v n="$kills" -v seed="$seed" 'BEGIN {
    srand(seed)
    split("pipe memory steady steady", way)
    way[0] = way[4]
    for (i = 0; i < n; i++)
        print i, int(rand() * 30000), way[i % 4],
            i % 5 == 4 ? "pdump::minor_faults" : "none"
}' >"$work/moments"
while read -r n us way events; do
    # Where programs start slowly, the moments are later.
    [ "$n_early" -le $((n / 2 + 2)) ] || [ $slow -gt 32 ] || slow=$((slow * 2))
    strike "$n" $((us * slow)) "$way" "$events"
done <"$work/moments"
cd / || exit 99
echo "$kills kills, $n_early of them before the first visit, $n_visits visits"
what="all kills"
at_least $((kills - n_early)) $((kills / 4)) "kills that met a recording"
finish
