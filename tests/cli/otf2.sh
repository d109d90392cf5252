#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Events as an archive of OTF2, and what OTF2's own programs see in it.
modules=$PDUMP_MODULES_BUILT
. "${srcdir:-.}/program/behaviour/kit.sh"
made=$PWD/cli/otf2/made
plain=$PWD/cli/html/made
quota=$PWD/.libs/quota.so
PDUMP_MODULES=$modules
export PDUMP_MODULES

behaviour a format that is not there is named
run 0 "$plain" run 2 30 2 0
run 2 PDUMP_MODULES=/nowhere "$pdump" export -f otf2 run.csv
grep -q 'otf2 is not installed: .*built without it' "$work/err" ||
    failed "it says something else"

if [ ! -f "$modules/pdump_otf2.so" ]; then
    echo "there is no OTF2 module"
    [ $n_failed -eq 0 ] && exit 77
    finish
fi
# The library keeps what it once had.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0:detect_leaks=0
export ASAN_OPTIONS

behaviour a dump without events
run 0 "$plain" run 2 30 2 0
run 1 "$pdump" export -f otf2 run.csv
grep -q 'PDUMP_RECORD=events' "$work/err" || failed "it does not say what to do"
same "$(find . -name '*otf2*')" "" "files left"

behaviour a run without events leaves no empty store
run 0 PDUMP_EVENTS=none PDUMP_RECORD=events PDUMP_OUTPUT_FORMAT=otf2 \
    sessions empty
warns 'there are no events, which otf2 consists of: no region has begun'
grep -q 'warnings say why\|pdump recover' "$work/err" && failed "it says more"
stores 0

behaviour an archive
run 0 "$made" run otf2
same "$(cat "$work/out")" "./run.otf2" "what it says"
for name in traces.otf2 traces.def traces/0.evt traces/2.evt traces.marker; do
    [ -f "run.otf2/$name" ] || failed "no $name: $(find run.otf2)"
done
same "$(find . -name '.*' ! -name .)" "" "files left"

behaviour a name that is taken
run 0 "$made" run otf2
run 0 "$made" run otf2
[ -f run-1.otf2/traces.otf2 ] || failed "no second archive: $(ls)"

behaviour ranks with a wide gap
run 0 "$made" run otf2 2147483647
grep -q '2 messages to or from ranks that are not in the dump' "$work/err" ||
    failed "it says: $(cat "$work/err")"

behaviour "what OTF2's programs read"
if command -v otf2-print >/dev/null; then
    run 0 "$made" run otf2
    run 0 otf2-print run.otf2/traces.otf2
    same "$(cat "$work/err")" "" "what it complains of"
    # KIND COUNT
    events() {
        same "$(grep -c "^$1 " "$work/out")" "$2" "$1"
    }
    events ENTER 6
    events LEAVE 6
    events METRIC 1
    events MPI_SEND 2
    events MPI_RECV 1
    grep -Eq '^ENTER +0 +1000 +Region: "solve "x"" <1>' "$work/out" ||
        failed "no region at its time: $(grep ENTER "$work/out")"
    grep -Eq '^MPI_SEND +0 +2000 +Receiver: 1 .*Tag: 7, Length: 8' \
        "$work/out" || failed "no message: $(grep MPI_ "$work/out")"
    grep -Eq '^MPI_RECV +2 +2200 +Sender: 0 .*Tag: 7, Length: 8' \
        "$work/out" || failed "no receive: $(grep MPI_ "$work/out")"
    run 0 otf2-print -G run.otf2/traces.otf2
    for text in '"MPI Rank 1"' '"MPI_COMM_WORLD"' '"PAPI_TOT_INS"' \
        '"thread 1: worker"' 'Ticks per Seconds: 1000000000'; do
        grep -qF "$text" "$work/out" || failed "no $text"
    done
    run 0 otf2-marker run.otf2/traces.otf2
    for text in here '12 events are missing here'; do
        grep -qF "$text" "$work/out" || failed "no marker $text"
    done
else
    echo "no otf2-print: nobody reads the archive"
fi

behaviour a full disk
if [ -f "$quota" ]; then
    run 1 LD_PRELOAD="$quota" QUOTA_DIR=. QUOTA_ERROR=ENOSPC QUOTA_AT=8 \
        QUOTA_STAYS=1 TMPDIR=. "$made" run otf2
    same "$(find . -name '*otf2*')" "" "files left"
fi
finish
