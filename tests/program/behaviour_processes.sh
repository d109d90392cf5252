#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# fork(), vfork(), exec and system() in measured programs.
. "${srcdir:-.}/program/behaviour/kit.sh"
# A forked child keeps its parent's memory, which is no leak of the child's; and
# the leak checker may hang in a child of a program with threads.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
# And a second of rest at every exit is much for hundreds of children.
TSAN_OPTIONS=${TSAN_OPTIONS:+$TSAN_OPTIONS:}atexit_sleep_ms=0
export ASAN_OPTIONS TSAN_OPTIONS

# Sets of events that can be counted here.
cases="none pdump"
if timeout 300 "$pdump" events perf::TASK-CLOCK >/dev/null 2>&1; then
    cases="$cases perf"
fi

# with CASE: the variables of a set of events.
with() {
    case $1 in
    none) echo PDUMP_EVENTS=none ;;
    pdump)
        echo PDUMP_EVENTS=pdump::minor_faults,pdump::cpu_time \
            FAULTS=pdump::minor_faults CPU_TIME=pdump::cpu_time
        ;;
    perf)
        echo PDUMP_EVENTS=perf::PAGE-FAULTS,perf::TASK-CLOCK \
            FAULTS=perf::PAGE-FAULTS CPU_TIME=perf::TASK-CLOCK
        ;;
    esac
}

for events in $cases; do
    behaviour "a forked child changes nothing, with $events"
    run 0 $(with $events) processes unfollowed
    quiet
    same "$(cells perf_dump.csv region | sort | tr '\n' ,)" \
        after,before,parent, regions
    same "$(cells perf_dump.csv visits | sort -u)" 1 visits
    same "$(ls -A | tr '\n' ,)" perf_dump.csv,perf_dump.meta.csv, files

    behaviour "PDUMP_FOLLOW=1: the dump has the rows of children, with $events"
    run 0 $(with $events) PDUMP_FOLLOW=1 processes followed
    same "$(cells perf_dump.csv region | sort | tr '\n' ,)" \
        after,child,grandchild,parent, regions
    same "$(cells perf_dump.csv visits | sort -u)" 1 visits
    same "$(cells perf_dump.csv pid | sort -u | wc -l | tr -d ' ')" 3 processes
    same "$(cells perf_dump.csv pid region=parent)" \
        "$(cells perf_dump.csv pid region=after)" "process of the parent"
    same "$(ls -A | tr '\n' ,)" perf_dump.csv,perf_dump.meta.csv, files
    stores 0
    readable perf_dump.csv

    behaviour "PDUMP_FOLLOW=1 without stores: a file each, with $events"
    run 0 $(with $events) PDUMP_FOLLOW=1 PDUMP_STORE=off processes followed
    same "$(cells perf_dump.csv region | sort | tr '\n' ,)" after,parent, parent
    set -- perf_dump-*[0-9].csv
    same $# 2 "files of children"
    same "$(for own; do cells "$own" region; done | sort | tr '\n' ,)" \
        child,grandchild, "regions of children"
    for own; do
        same "perf_dump-$(cells "$own" pid).csv" "$own" "name with the pid"
    done
    readable perf_dump.csv "$@"

    behaviour "programs started in a region change nothing, with $events"
    run 0 $(with $events) processes spawning
    quiet
    same "$(cells perf_dump.csv region | sort | tr '\n' ,)" \
        after,before,parent, regions

    behaviour "forks while other threads record, with $events"
    seconds=300 run 0 $(with $events) processes storm
    same "$(visits fork)" 100 forks
    stores 0
    same "$(cells perf_dump.csv region | sort -u | tr '\n' ,)" fork,thread, \
        regions
    absent perf_dump.old-1.csv
done

behaviour forks while other threads record, followed
seconds=300 run 0 PDUMP_EVENTS=none PDUMP_FOLLOW=1 PDUMP_QUIET=1 processes storm
same "$(cat perf_dump*.csv | grep -c ',child,user,')" 100 "children's rows"
stores 0

behaviour exec in a region leaves a store and nothing else
run 9 PDUMP_EVENTS=none processes replaced
quiet
same "$(ls -A)" '' files
recovered
same "$(cells perf_dump.csv open path=parent)" 1 "open region"
finish
