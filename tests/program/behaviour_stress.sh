#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Eight threads record while main looks, writes and ends; for TSan as well.
. "${srcdir:-.}/program/behaviour/kit.sh"

# The thread sanitizer takes minutes for each.
sets="none pdump::minor_faults,pdump::rss default"
! is_thread_sanitized || sets=none
for events in $sets; do
    [ "$events" != default ] || events=
    behaviour "nothing is lost, with events '$events'"
    seconds=500 run 0 PDUMP_EVENTS="$events" stress exact
    at_least "$(visits round)" 16000 rounds
    same "$(cells perf_dump.csv visits region=tried | sort -u)" 1000 tried
    same "$(cells perf_dump.csv region region=unseen)" '' "what was off"
    same "$(cells perf_dump.csv thread_name path=round | sort | tr '\n' ,)" \
        "$(for i in 0 1 2 3 4 5 6 7; do printf 'worker %d,' $i; done)" names
    absent perf_dump.old-1.csv
    readable perf_dump.csv

    behaviour "switching all threads off and on, with events '$events'"
    seconds=500 run 0 PDUMP_EVENTS="$events" stress switching
    at_least "$(visits main)" 1 main
done
finish
