#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Events of whole programs: what is there, what is lost, what outlives a kill.
# SOAK=long: with 10^8 of them.
program=$PWD/program/timeline/program
quota=$PWD/.libs/quota.so
. "${srcdir:-.}/program/behaviour/kit.sh"

PDUMP_RECORD=events
PDUMP_EVENTS=none
export PDUMP_RECORD PDUMP_EVENTS

# has LINE...: standard output has each of these lines.
has() {
    for line in "$@"; do
        grep -qxF -e "$line" "$work/out" ||
            failed "no line '$line' in: $(head -c 400 "$work/out")"
    done
}

# tidy: no file of events is left, nor a store.
tidy() {
    stores 0 # in whose folder the files of events are
    same "$(find . -name '*.events' | wc -l)" 0 "files of events left"
}

behaviour every kind of event
run 0 "$program" all
same "$(sed '/^sum/,$d' "$work/out")" "lane 0
marker - start
enter outer
enter n=1
enter step
marker step middle
leave step
leave n=1
leave outer" events
has "events_mode flush" "events_lost 0"
quiet
tidy
same "$(visits outer)" 1 "the profile, too"

behaviour counters on request
run 0 PDUMP_EVENTS=pdump::minor_faults PDUMP_EVENTS_COUNTERS=1 "$program" all
same "$(grep -c '^counter outer' "$work/out")" 2 "values of outer"
run 0 PDUMP_EVENTS=pdump::minor_faults "$program" all
same "$(grep -c '^counter' "$work/out")" 0 "values without the wish"

behaviour the filter holds for events
echo 'PDUMP_REGION_NAMES_BEGIN EXCLUDE visit mid* PDUMP_REGION_NAMES_END' >f
run 0 PDUMP_FILTER=f "$program" all
grep -q middle "$work/out" && failed "an excluded marker"
run 0 PDUMP_FILTER=f "$program" many 1000
has "sum enter 1 leave 1 lost 0"

# The one that is kept for that moment is enough to read the file of events.
behaviour no descriptor is left at the end
run 0 PDUMP_OUTPUT_FORMAT=csv \
    sh -c 'ulimit -n 1000 && exec "$@"' sh "$program" crowded 400000
grep -q 'could not be read' perf_dump.meta.csv && failed "events are missing"
same "$(awk -F, '$6 == "enter" || $6 == "leave" { n++ } $6 == "lost" { n += $11 }
    END { print n }' perf_dump.events.csv)" 800000 "events, and those lost"
tidy

behaviour without the wish there are none
run 0 PDUMP_RECORD=profile "$program" all
same "$(cat "$work/out")" "" events
quiet

behaviour more events than fit are written to a file
run 0 PDUMP_EVENTS_BUFFER=1024 "$program" many 1000000
lost=$(sed -n 's/^events_lost //p' "$work/out")
awk -v lost="$lost" '/^sum/ { exit !($3 + $5 + lost == 2000002) }' \
    "$work/out" || failed "not all events: $(cat "$work/out")"
at_least "$(awk '/^sum/ { print $3 }' "$work/out")" 100000 "events in the file"
tidy
same "$(visits outer/visit)" 1000000 "the profile"

behaviour a ring keeps the last events
run 0 PDUMP_EVENTS_MODE=ring PDUMP_EVENTS_BUFFER=64 "$program" many 100000
has "events_mode ring" "events_lost 0" "last leave outer"
at_least "$(sed -n 's/^events_dropped //p' "$work/out")" 100000 dropped
quiet
tidy

behaviour threads have lanes of their own
run 0 "$program" threads 1000
same "$(grep -c '^lane' "$work/out")" 5 lanes
same "$(grep -c '^sum enter 1001 leave 1000 lost 0' "$work/out")" 4 threads
has "sum enter 1 leave 1 lost 0" "last leave visit"
tidy

behaviour many threads, one after the other
run 0 PDUMP_MEMORY_MAX=16 "$program" storm 3000
same "$(grep -c '^lane' "$work/out")" 3000 lanes
has "events_lost 0"
tidy

# The thread sanitizer starts no threads in a child, and has one of its own.
if is_thread_sanitized; then
    echo "skipped: fork, and the end of the first thread"
else
    behaviour a forked child has its own events
    run 0 PDUMP_FOLLOW=1 PDUMP_EVENTS_BUFFER=32 "$program" forks 20000
    same "$(grep -c '^lane 0' "$work/out")" 2 processes
    sum=$(awk '/^sum/ { print $3 + $5 + $7; exit }' "$work/out")
    same "$sum" 20000 "events of the child"
    sum=$(awk '/^sum/ { sum = $3 + $5 + $7 } END { print sum }' "$work/out")
    same "$sum" 80002 "events of the parent"
    tidy
    # One that is not followed has none.
    run 1 PDUMP_FOLLOW=0 PDUMP_EVENTS_BUFFER=32 "$program" forks 20000
    same "$(grep -c '^lane' "$work/out")" 1 processes
    tidy

    # Our thread must not keep a process that has ended.
    behaviour the first thread ends first
    seconds=300
    run 0 PDUMP_EVENTS_BUFFER=64 PDUMP_MEMORY=10 "$program" headless 10000
    seconds=300
fi

behaviour a kill leaves the last events of a ring
run 137 PDUMP_EVENTS_MODE=ring PDUMP_EVENTS_BUFFER=64 "$program" killed 100000
stores 1
store=$(echo "$PDUMP_STORE"/*)
run 0 "$program" tell "$store"
has "events_mode ring" "last enter last words"
at_least "$(awk '/^sum/ { print $3 }' "$work/out")" 1000 "events in the ring"
recovered

behaviour a kill leaves what was written, and recover removes it
run 137 PDUMP_EVENTS_BUFFER=256 "$program" killed_late 300000
same "$(ls "$PDUMP_STORE"/*.events | wc -l)" 1 "files of events"
run 0 "$program" tell "$(echo "$PDUMP_STORE"/*.store)"
sum=$(awk '/^sum/ { print $3 + $5 + $7 }' "$work/out")
same "$sum" 900002 "events"
at_least "$(awk '/^sum/ { print $3 }' "$work/out")" 10000 "events in the file"
recovered
tidy
same "$(visits outer/visit)" 300000 "the profile"

behaviour two sessions
run 0 PDUMP_EVENTS_BUFFER=64 "$program" twice 100000
has "sum enter 1 leave 1 lost 0"
tidy

behaviour a full disk costs events and no more
if is_sanitized; then
    echo "skipped: a library to preload in front of the sanitizers"
else
    run 0 QUOTA_DIR="$PDUMP_STORE" QUOTA_AT=40 QUOTA_ERROR=ENOSPC \
        QUOTA_STAYS=1 LD_PRELOAD="$quota" PDUMP_EVENTS_BUFFER=256 \
        "$program" many 1000000
    warns "events are lost: $PDUMP_STORE/pdump-"
    at_least "$(sed -n 's/^events_lost //p' "$work/out")" 100000 lost
    same "$(visits outer/visit)" 1000000 "the profile"
fi

behaviour values that make no sense
for value in 0 -1 31 9999999999 much; do
    run 0 PDUMP_EVENTS_BUFFER=$value "$program" many 10
    warns "PDUMP_EVENTS_BUFFER=$value: it must be a number in 32-1048576"
    has "sum enter 11 leave 11 lost 0"
done
run 0 PDUMP_EVENTS_MODE=sideways "$program" many 10
warns "PDUMP_EVENTS_MODE=sideways: it must be one of flush|ring; using flush"

if [ "${SOAK:-}" = long ]; then
    behaviour a hundred million events
    seconds=600
    run 0 "$program" many 50000000
    sum=$(awk '/^sum/ { print $3 + $5 + $7 }' "$work/out")
    same "$sum" 100000002 events
    tidy
fi
finish
