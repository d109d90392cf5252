#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Events that programs have recorded, in the formats of other programs: as many
# as there were, in order, by the rules of the format, and in a real browser.
modules=$PDUMP_MODULES_BUILT
writer=$PWD/program/faults/writer
program=$PWD/program/timeline/program
made=$PWD/cli/otf2/made
. "${srcdir:-.}/program/behaviour/kit.sh"
. "$kit/../../cli/export/kit.sh"
# OTF2 keeps what it once had.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
PDUMP_MODULES=$modules
PDUMP_EVENTS=none
PDUMP_RECORD=events
export ASAN_OPTIONS PDUMP_MODULES PDUMP_EVENTS PDUMP_RECORD
has_otf2=no
[ ! -f "$modules/pdump_otf2.so" ] || has_otf2=yes
browser=
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v $name)
done

# count PATTERN NUMBER FILE
count() {
    same "$(grep -o -e "$1" "$3" | wc -l | tr -d ' ')" "$2" "$1 in $3"
}

# exported: perf_dump.csv as x, and whether its events are in it.
exported() {
    for format in chrome speedscope; do
        run 0 "$pdump" export -f $format -o x perf_dump.csv
        quiet
    done
    run 0 "$pdump" html -o x.html perf_dump.csv
    quiet
    [ $has_otf2 = no ] || run 0 "$pdump" export -f otf2 -o x perf_dump.csv
    in_order x perf_dump.events.csv
}

# in_order NAME EVENTS
in_order() {
    [ -n "$python" ] || {
        echo "skipped: $what: there is no python3"
        return 0
    }
    run 0 "$python" "$formats/timeline.py" chrome $1.trace.json "$2"
    run 0 "$python" "$formats/timeline.py" speedscope $1.speedscope.json "$2"
}

# archive NAME ENTERS [METRICS MARKERS]: what OTF2's own programs count.
archive() {
    [ $has_otf2 = yes ] && command -v otf2-print >/dev/null || {
        echo "skipped: $what: there is no OTF2"
        return 0
    }
    run 0 otf2-print "$1.otf2/traces.otf2"
    same "$(grep -c '^ENTER ' "$work/out")" "$2" "ENTER"
    same "$(grep -c '^LEAVE ' "$work/out")" "$2" "LEAVE"
    same "$(grep -c '^METRIC ' "$work/out")" "${3:-0}" "METRIC"
    run 0 otf2-marker "$1.otf2/traces.otf2"
    same "$(grep -c '^MARKER ' "$work/out")" "${4:-0}" "markers"
}

behaviour as many events as two threads with 200 visits each have
run 7 "$writer" small
exported
count '"ph":"B"' 400 x.trace.json
count '"ph":"E"' 400 x.trace.json
count '"type":"O"' 400 x.speedscope.json
count '"type":"C"' 400 x.speedscope.json
count '"shown":400,"all":400,"all_lanes":2' 1 x.html
archive x 400

behaviour the same from the program itself
run 7 PDUMP_OUTPUT_FORMAT="csv,chrome,speedscope,html$([ $has_otf2 = no ] ||
    echo ,otf2)" "$writer" small
quiet
in_order perf_dump perf_dump.events.csv
count '"ph":"B"' 400 perf_dump.trace.json
count '"type":"O"' 400 perf_dump.speedscope.json
count '"shown":400,"all":400,"all_lanes":2' 1 perf_dump.html
archive perf_dump 400

behaviour regions that threads leave open
run 0 "$program" threads 100
exported
count '"ph":"B"' 405 x.trace.json
count '"ph":"E"' 405 x.trace.json
count '"type":"evented"' 5 x.speedscope.json
count '"shown":405,"all":405,"all_lanes":5' 1 x.html
archive x 405

behaviour markers and counters
run 0 PDUMP_EVENTS=pdump::minor_faults PDUMP_EVENTS_COUNTERS=1 "$program" all
exported
count '"ph":"B"' 3 x.trace.json
count '"ph":"i"' 2 x.trace.json
count '"ph":"C"' 6 x.trace.json
count '"name":"middle","cat":"marker"' 1 x.trace.json
archive x 2 6 2 # the parameter is no region there

# spoilt SCRIPT NUMBER: x.trace.json after a change that sed makes, bad.NUMBER.
spoilt() {
    sed "$1" x.trace.json >"bad.$2"
    ! cmp -s x.trace.json "bad.$2" || failed "$1 changes nothing"
}

behaviour the schema of trace events
run 7 PDUMP_RECORD=profile,samples "$writer" small
run 0 "$pdump" export -f chrome -o profile perf_dump.csv
run 0 "$program" threads 10
run 0 "$pdump" export -f chrome -o threads perf_dump.csv
run 0 PDUMP_EVENTS=pdump::minor_faults PDUMP_EVENTS_COUNTERS=1 "$program" all
run 0 "$pdump" export -f chrome -o all perf_dump.csv
run 0 "$made" x chrome
spoilt 's/"ph":"B",/"ph":"Q",/' 1
spoilt '/"ph":"E"/s/"ts":[0-9.]*/"at":7/' 2
spoilt '/"ph":"C"/s/"value":-77/"value":"-77"/' 3
spoilt '/"ph":"s"/s/"id":1,//' 4
spoilt '/"ph":"f"/s/"bp":"e",//' 5
spoilt '/"ph":"i"/s/"s":"t"/"s":"thread"/' 6
spoilt 's/"traceEvents"/"events"/' 7
spoilt 's/"pid":1,/"pid":"1",/' 8
valid "$formats/chrome.schema.json" profile.trace.json threads.trace.json \
    all.trace.json x.trace.json -- bad.1 bad.2 bad.3 bad.4 bad.5 bad.6 bad.7 \
    bad.8

behaviour "speedscope's schema, with events"
run 7 "$writer" small
run 0 "$pdump" export -f speedscope -o x perf_dump.csv
sed 's/"type":"O"/"type":"P"/' x.speedscope.json >bad.json
valid speedscope x.speedscope.json -- bad.json

behaviour trace events in a browser
run 7 "$writer" small
run 0 "$pdump" export -f chrome -o x perf_dump.csv
run 7 PDUMP_RECORD=profile PDUMP_FILENAME=plain "$writer" small
run 0 "$pdump" export -f chrome -o plain plain.csv
run 0 "$made" made chrome
# The browser has to see that this one is wrong.
sed '0,/"ph":"E"/s/"ph":"E"/"ph":"B"/' x.trace.json >bad.trace.json
sed '/"ph":"f"/d' made.trace.json >arrow.trace.json
if [ -n "$browser" ] && [ -n "$python" ]; then
    run 0 HOME="$work/here" "$python" "$formats/load.py" "$browser" \
        x.trace.json plain.trace.json made.trace.json bad.trace.json \
        arrow.trace.json
    same "$(cat "$work/out")" "x.trace.json B400 E400 M5
plain.trace.json M5 X20
made.trace.json B6 C1 E6 M7 f1 i4 s1
bad.trace.json begins without an end
arrow.trace.json arrows with one end" "what the browser sees"
else
    echo "skipped: $what: there is no Chromium or no Python"
fi
finish
