#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What measuring may cost, from the program to the report.  The recorder is in
# check_throttle.c and check_counted.c, throttled functions in functions.sh.
visits=$PWD/control/visits
calls=$PWD/functions/calls
io=$PWD/../plugins/io/.libs/libpdump-io.so
. "${srcdir:-.}/behaviour/kit.sh"
PDUMP_EVENTS=none
export PDUMP_EVENTS

# reports TEXT: in whatever lines.
reports() {
    tr '\n' ' ' <"$work/report" | tr -s ' ' | grep -qF -e "$1" ||
        failed "the report does not say \"$1\": $(cat "$work/report")"
}

behaviour regions that are visited too often
run 0 PDUMP_THROTTLE=100:1000000 "$visits" tiny
warns "short regions are left out after many visits"
same "$(cells perf_dump.csv visits region=tiny |
    awk '{ n += $1 } END { print n }')" 101 "visits of tiny"
same "$(visits all/long)" 1 "visits of long"
same "$(cells perf_dump.csv visits group=step |
    awk '{ n += $1 } END { print n }')" 1000 "steps, which stay"
noted "visits of region tiny are not recorded: PDUMP_THROTTLE, after 101 visits"
cells perf_dump.meta.csv value table=warning key=count | grep -qx 899 ||
    failed "the number of visits that were left out"
readable perf_dump.csv
reports "visits of region tiny are not recorded"
run 0 PDUMP_OVERWRITE=1 PDUMP_THROTTLE=off "$visits" tiny
quiet

if ! is_sanitized && [ -f "$io" ]; then
    behaviour calls that are made too often
    run 0 PDUMP_THROTTLE=100:1000000 LD_PRELOAD="$io" "$visits" writes
    same "$(visits all/write)" 101 "visits of write"
    noted "visits of region write are not recorded"
fi

behaviour counters in some visits only
run 0 PDUMP_EVENTS=pdump::minor_faults PDUMP_COUNTERS_EVERY=10 "$visits" faults
quiet
same "$(cells perf_dump.meta.csv value key=counters_every)" 10 "the metadata"
same "$(visits all/fault)" 1000 "visits"
same "$(cells perf_dump.csv pdump::minor_faults.min path=all/fault)" 1 \
    "the faults of a visit"
if ! is_sanitized; then
    sum=$(cells perf_dump.csv pdump::minor_faults.sum path=all/fault)
    at_least "$sum" 1000 "faults"
    at_least 1500 "$sum" "about as many faults as there were"
fi
readable perf_dump.csv
reports "Counters were read in one of 10 visits"
run 0 PDUMP_EVENTS=none PDUMP_COUNTERS_EVERY=10 PDUMP_OVERWRITE=1 \
    "$visits" faults
quiet
same "$(cells perf_dump.meta.csv value key=counters_every)" "" "no counters"
run 0 PDUMP_EVENTS=pdump::minor_faults PDUMP_COUNTERS_EVERY=10 \
    PDUMP_RECORD=samples PDUMP_OVERWRITE=1 "$visits" faults
warns "PDUMP_COUNTERS_EVERY does not go with"
run 0 PDUMP_COUNTERS_EVERY=0 PDUMP_OVERWRITE=1 "$visits" faults
warns "PDUMP_COUNTERS_EVERY=0"

if [ -x "$calls" ]; then
    behaviour counters in some visits of functions
    run 0 "$calls" plain
    all=$(cells perf_dump.csv visits group=function)
    run 0 PDUMP_EVENTS=pdump::minor_faults PDUMP_COUNTERS_EVERY=7 \
        PDUMP_OVERWRITE=1 "$calls" plain
    quiet
    same "$(cells perf_dump.csv visits group=function)" "$all" "visits"
    same "$(cells perf_dump.csv open | sort -u)" 0 open
fi

behaviour without the cost of measuring
run 0 "$visits" nested
same "$(cells perf_dump.meta.csv value key=overhead)" "" "nothing subtracted"
run 0 PDUMP_OVERWRITE=1 PDUMP_OVERHEAD=subtract "$visits" nested
quiet
same "$(cells perf_dump.meta.csv value key=overhead)" subtracted "the metadata"
same "$(visits outer/inner)" 100000 "visits"
for figure in sum exclusive min max; do
    at_least "$(cells perf_dump.csv time.$figure | sort -n | head -n 1)" 0 \
        "no time is less than nothing: $figure"
done
readable perf_dump.csv
reports "(subtracted)"
run 0 PDUMP_OVERHEAD=some PDUMP_OVERWRITE=1 "$visits" nested
warns "PDUMP_OVERHEAD=some"

finish
