#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What measuring may cost: PDUMP_THROTTLE, from the program to the report.  The
# recorder is in check_throttle.c, functions of compiled code in functions.sh.
visits=$PWD/control/visits
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

finish
