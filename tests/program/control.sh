#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What measuring may cost, from the program to the report.  The recorder is in
# check_throttle.c and check_counted.c, throttled functions in functions.sh.
visits=$PWD/program/control/visits
calls=$PWD/wrap/functions/calls
modules=${PDUMP_MODULES_BUILT:-$PWD/../plugins/modules}
io=$PWD/../plugins/io/.libs/libpdump-io.so
. "${srcdir:-.}/program/behaviour/kit.sh"
PDUMP_EVENTS=none
PDUMP_MODULES=$modules
export PDUMP_EVENTS PDUMP_MODULES

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

# listed FOLDER: the names in it.
listed() { (cd "$1" && ls -A | tr '\n' ' '); }

behaviour a run as a folder
texts="manifest.txt perf_dump.csv perf_dump.meta.csv settings.txt warnings.txt "
run 0 PDUMP_EXPERIMENT_DIR=runs/a/ PDUMP_THROTTLE=100:1000000 "$visits" tiny
same "$(listed runs)" "a " "one folder"
same "$(listed runs/a | sed 's/perf_dump.samples.csv //')" "$texts" "its files"
grep -q "region tiny are not recorded" runs/a/warnings.txt ||
    failed "no log of warnings"
grep -qx "PDUMP_THROTTLE=100:1000000" runs/a/settings.txt ||
    failed "no settings"
grep -qx "dump: perf_dump.csv" runs/a/manifest.txt || failed "no manifest"
readable runs/a
reports "visits of region tiny"
timeout 300 "$pdump" export -f json -o x.json runs/a 2>"$work/err" ||
    failed "pdump export of a folder"
same "$(listed .)" "runs x.json " "nothing beside it"

run 0 PDUMP_EXPERIMENT_DIR=runs/a "$visits" flushed
quiet
same "$(listed runs)" "a a.1 " "the earlier one is kept"
same "$(listed runs/a)" "$texts" "two dumps of a run are one"
cp runs/a/perf_dump.csv .
same "$(visits second)" 1 "the last dump"
run 0 PDUMP_EXPERIMENT_DIR=runs/a "$visits" nested
same "$(listed runs)" "a a.1 a.2 " "earlier ones are kept"
grep -q second runs/a.2/perf_dump.csv || failed "the second is a.2"

behaviour an empty folder
mkdir empty
run 0 PDUMP_EXPERIMENT_DIR=empty "$visits" nested
quiet
same "$(listed .)" "empty " "it is taken"
readable empty

behaviour a folder that is somebody else\'s
mkdir mine
echo precious >mine/file
run 0 PDUMP_EXPERIMENT_DIR=mine "$visits" nested
warns "mine is not a run; this one is in"
same "$(cat mine/file)" precious "what was there"
same "$(listed .)" "mine mine.1 " "it has another name"
readable mine.1
run 0 PDUMP_EXPERIMENT_DIR=mine "$visits" flushed
warns "mine is not a run; this one is in"
same "$(listed .)" "mine mine.1 mine.2 " "two dumps of a run are one here, too"
timeout 300 "$pdump" report mine 2>"$work/err" && failed "a report of mine"
grep -q "not one of a run of libpdump" "$work/err" || failed "what it is"
echo text >text
run 0 PDUMP_EXPERIMENT_DIR=text "$visits" nested
same "$(cat text)" text "a file that was there"
readable text.1
run 0 PDUMP_EXPERIMENT_DIR=text/deeper "$visits" nested
warns "PDUMP_EXPERIMENT_DIR"
there perf_dump.csv

# A sanitized library cannot be preloaded.
behaviour a folder of pdump run
if [ -e "$PDUMP_MODULES/libpdump-run.so" ] && ! is_sanitized; then
    run 0 "$pdump" run --quiet --experiment it "$visits" nested
    quiet
    same "$(listed .)" "it " "a folder"
    readable it
fi

finish
