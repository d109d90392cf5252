#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A signal while pdump writes (export, html, merge, recover): no half file, and
# what was there stays as it was.  On a terminal a line tells how far it is,
# elsewhere none.  Needs PDUMP_COMMAND.
set -u

if [ -z "${PDUMP_COMMAND:-}" ]; then
    echo "PDUMP_COMMAND is not set"
    exit 77
fi
case $PDUMP_COMMAND in
/*) ;;
*) PDUMP_COMMAND=$PWD/$PDUMP_COMMAND ;;
esac
program=$PWD/program/timeline/program
late=$PWD/.libs/late_signal.so
work=$(mktemp -d) || exit 99
waiter=
trap '[ -z "$waiter" ] || kill -KILL $waiter 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 99
mkdir tmp out store
TMPDIR=$work/tmp
PDUMP_MODULES=${PDUMP_MODULES_BUILT:-}
PDUMP_STORE=$work/store
# Memory that a signal has left is no leak.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export TMPDIR PDUMP_MODULES PDUMP_STORE ASAN_OPTIONS
n_failed=0 n_caught=0
: >err

failed() {
    n_failed=$((n_failed + 1))
    echo "FAILED: $1"
    ls -la out
    cat err
}

# A dump of so many ranks, each with 500 regions.
make_dump() {
    awk -v ranks="$1" 'BEGIN {
        print "process,rank,pid,thread,node,parent,region,group,visits,time.sum [ns]"
        for (r = 0; r < ranks; r++)
            for (i = 0; i < 500; i++)
                printf "%d,%d,%d,0,%d,%s,region_%d,user,1,%d\n", r, r, \
                    1000 + r, i, i ? i - 1 : "", i, 1000000 - i
    }' >dump.csv </dev/null
}

# The store of a program that was killed, with so many thousand visits.
make_store() {
    rm -f store/*
    PDUMP_RECORD=events PDUMP_EVENTS=none PDUMP_EVENTS_MODE=ring \
        PDUMP_EVENTS_BUFFER=65536 PDUMP_MEMORY_MAX=256 \
        timeout 300 "$program" killed "${1}000" >log 2>err </dev/null
    [ "$(ls store | wc -l)" -eq 1 ] || failed "there is no store"
}

# make SIZE: what $verb is to read.
make() {
    case $verb in
    recover) make_store "$1" ;;
    *) make_dump "$1" ;;
    esac
}

# The words of a command that writes a file out/x.ENDING.
words() {
    case $verb in
    export) echo "export -f json -o out/x.json dump.csv" ;;
    html) echo "html -o out/x.html dump.csv" ;;
    merge) echo "merge -o out/x.csv dump.csv" ;;
    recover) echo "recover -o out/x.csv store" ;;
    esac
}

# Wait until the process has a file under another name; 1 if it was too fast.
has_begun() {
    while kill -0 "$1" 2>/dev/null; do
        ls out/.x.* >/dev/null 2>&1 && return 0
    done
    return 1
}

# A signal came too late: the result has its name, the command says so.
has_succeeded() {
    [ "$(cat "out/$name")" != before ] || failed "$1: no new file"
    [ "$(ls -A out | grep -c '^\.')" -eq 0 ] || failed "$1: something is left"
    grep -q "wrote out/.*$name" log || failed "$1: nothing is told"
    ! grep -q 'ended by signal' err || failed "$1: it says that it failed"
}

# late SIGNAL NUMBER: the signal comes when the file is about to get its name,
# or has just got it.
late() {
    for after in '' 1; do
        make 5
        rm -rf out && mkdir out
        name=$(words | sed 's/.* out\///; s/ .*//')
        # shellcheck disable=SC2046
        env LD_PRELOAD="$late" LATE_SIGNAL="$2" ${after:+LATE_SIGNAL_AFTER=1} \
            "--default-signal=$1" timeout 300 "$PDUMP_COMMAND" $(words) \
            >log 2>err </dev/null
        code=$?
        [ $code -eq 0 ] || failed "$verb, $1 in the end: exit code $code"
        has_succeeded "$verb, $1 in the end"
    done
}

# interrupt SIGNAL NUMBER: while it writes; 1 if it was too fast for us.
interrupt() {
    signal=$1 number=$2
    rm -rf out && mkdir out
    name=$(words | sed 's/.* out\///; s/ .*//')
    echo before >"out/$name"
    # shellcheck disable=SC2046
    env "--default-signal=$signal" timeout 300 "$PDUMP_COMMAND" $(words) \
        >log 2>err </dev/null &
    waiter=$!
    # timeout passes a signal on to its command.
    has_begun $waiter && kill "-$signal" $waiter 2>/dev/null
    wait $waiter
    code=$?
    waiter=
    [ $code -eq 0 ] && has_succeeded "$verb, $signal" && return 1
    n_caught=$((n_caught + 1))
    [ $code -eq $((128 + number)) ] || [ $code -eq 124 ] ||
        failed "$verb, $signal: exit code $code"
    [ "$(ls -A out)" = "$name" ] || failed "$verb, $signal: something is left"
    [ "$(cat "out/$name")" = before ] ||
        failed "$verb, $signal: the old file has gone"
    [ -z "$(ls -A tmp)" ] || failed "$verb, $signal: something is in TMPDIR"
    grep -q "pdump $verb: .*no unfinished file is left" err ||
        failed "$verb, $signal: nothing is told"
}

# hit SIGNAL NUMBER SIZE...: with more and more to do, until a signal meets it.
hit() {
    pair="$1 $2"
    shift 2
    for size in "$@"; do
        make "$size"
        # shellcheck disable=SC2086
        interrupt $pair && return
    done
    failed "$verb: it was always faster than $pair"
}

verb="export"
for pair in 'TERM 15' 'HUP 1' 'INT 2'; do
    # shellcheck disable=SC2086
    hit $pair 20 100 400 1600
done
verb=merge
hit INT 2 20 100 400 1600
if [ -f "$PDUMP_MODULES/pdump_html.so" ] ||
    "$PDUMP_COMMAND" export --help | grep -q '^  html '; then
    verb=html
    hit INT 2 100 400 1600 6400
fi
if [ -x "$program" ]; then
    verb=recover
    hit INT 2 100 300 1000 3000
    # What was not recovered can still be.
    [ "$(ls store | wc -l)" -eq 1 ] || failed "the store has gone"
    timeout 300 "$PDUMP_COMMAND" recover -o out/y.csv store >log 2>err ||
        failed "recover"
    [ -s out/y.csv ] && [ -z "$(ls store)" ] || failed "nothing is recovered"
fi

# A preloaded library cannot stand in front of a sanitizer's.
if [ "${PDUMP_SANITIZERS:-no}" = no ] && [ -f "$late" ]; then
    for verb in "export" merge recover; do
        late TERM 15
        late INT 2
    done
else
    echo "skipped: signals at the moment of the name"
fi

# Not on a terminal: no line, whatever the time.
make_dump 2
timeout 300 "$PDUMP_COMMAND" export -f json -o out/y.json dump.csv >log 2>err ||
    failed "export"
[ ! -s err ] || failed "something on standard error"
[ "$(cat log)" = 'wrote out/y.json' ] || failed "it says $(cat log)"

# A file that cannot be read is told once, with its code.
timeout 300 "$PDUMP_COMMAND" export -f json -o out/z.json nofile.csv >log 2>err
[ $? -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] || failed "a missing file"
timeout 300 "$PDUMP_COMMAND" export -f json -o out/z.json dump.csv >/dev/full 2>err
[ $? -eq 1 ] && grep -q 'cannot write' err || failed "a full disk"

# on_terminal TERM WORDS: in the background, on such a terminal; file line gets
# what it shows.
on_terminal() {
    TERM=$1 timeout 300 script -qfec "'$PDUMP_COMMAND' $2" /dev/null \
        >line 2>&1 </dev/null &
    waiter=$!
}

# shows TEXT: it comes, sooner or later.
shows() {
    for _ in $(seq 1500); do
        grep -q "$1" line && return
        kill -0 $waiter 2>/dev/null || break
        sleep 0.2
    done
    grep -q "$1" line
}

ends() {
    wait $waiter
    waiter=
}

# tells TEXT WORDS: a reader whose disk does not answer is long work.
tells() {
    LD_PRELOAD=$late LATE_OPEN=stuck.csv on_terminal xterm "$2"
    shows "$1" || { cat line; failed "no line '$1' on a terminal"; }
    kill $waiter
    ends
}

# Recovery has no such file: its child is stopped as it writes, and the
# one that waits for it goes on telling.
tells_recovery() {
    for size in 100 300 1000 3000; do
        make_store $size
        rm -rf out && mkdir out
        on_terminal xterm "recover -o out/x.csv store"
        has_begun $waiter || { ends && continue; }
        # .NAME.PID-N.SUFFIX
        child=$(ls -A out | sed -n 's/^\.x\.\([0-9]*\)-.*/\1/p' | head -n 1)
        [ -n "$child" ] && kill -STOP "$child" 2>/dev/null &&
            shows 'pdump recover: store 1 of 1, .* s'
        is_told=$?
        [ -z "$child" ] || kill -CONT "$child" 2>/dev/null
        ends
        [ $is_told -ne 0 ] || return
    done
    cat line
    failed "no line of recover on a terminal"
}

if command -v script >/dev/null && [ -f "$late" ] &&
    [ "${PDUMP_SANITIZERS:-no}" = no ] && cp dump.csv stuck.csv; then
    tells 'pdump export: reading 1 of 1, [0-9]* s' \
        "export -f json -o out/p.json stuck.csv"
    tells 'pdump html: reading 1 of 1, [0-9]* s' "html -o out/p.html stuck.csv"
    tells 'pdump merge: reading, [0-9]* s' "merge -o out/p.csv stuck.csv"
    [ ! -x "$program" ] || tells_recovery
    LD_PRELOAD=$late LATE_OPEN=stuck.csv \
        on_terminal dumb "export -f json -o out/p.json stuck.csv"
    sleep 2 # a line would come after one second
    kill $waiter
    ends
    ! grep -q 'reading' line || failed "a line on a dumb terminal"
else
    echo "skipped: there is no script(1), or nothing can be preloaded"
fi

[ $n_failed -eq 0 ] || exit 1
echo "all as expected; interrupted $n_caught times"
