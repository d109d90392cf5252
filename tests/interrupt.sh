#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A signal while `pdump export` writes: no half file, and the file that was there
# stays as it was.  On a terminal a line tells how far it is, elsewhere none.
# Needs PDUMP_COMMAND.
set -u

if [ -z "${PDUMP_COMMAND:-}" ]; then
    echo "PDUMP_COMMAND is not set"
    exit 77
fi
case $PDUMP_COMMAND in
/*) ;;
*) PDUMP_COMMAND=$PWD/$PDUMP_COMMAND ;;
esac
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
mkdir tmp
TMPDIR=$work/tmp
export TMPDIR
n_failed=0 n_caught=0

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

# Interrupt the export when its file has appeared under another name.
interrupt() {
    signal=$1 number=$2
    rm -rf out && mkdir out
    echo before >out/x.json
    env "--default-signal=$signal" timeout 120 "$PDUMP_COMMAND" export -f json \
        -o out/x.json dump.csv >log 2>err </dev/null &
    waiter=$!
    while kill -0 $waiter 2>/dev/null; do
        if ls out/.x.*.json >/dev/null 2>&1; then
            # timeout passes a signal on to its command.
            kill "-$signal" $waiter
            break
        fi
    done
    wait $waiter
    code=$?
    [ $code -eq 0 ] && return 1
    n_caught=$((n_caught + 1))
    [ $code -eq $((128 + number)) ] || [ $code -eq 124 ] ||
        failed "$signal: exit code $code"
    [ "$(ls -A out)" = x.json ] || failed "$signal: something is left"
    [ "$(cat out/x.json)" = before ] || failed "$signal: the old file has gone"
    [ -z "$(ls -A tmp)" ] || failed "$signal: something is left in TMPDIR"
    grep -q 'no unfinished file is left' err || failed "$signal: nothing is told"
}

for pair in 'TERM 15' 'HUP 1' 'INT 2'; do
    for ranks in 20 100 400; do
        make_dump $ranks
        # shellcheck disable=SC2086
        interrupt $pair && break
    done
done
[ $n_caught -gt 0 ] || echo "it was always faster than the signal"

# Not on a terminal: no line, whatever the time.
make_dump 2
timeout 60 "$PDUMP_COMMAND" export -f json -o out/y.json dump.csv >log 2>err ||
    failed "export"
[ ! -s err ] || failed "something on standard error"
[ "$(cat log)" = 'wrote out/y.json' ] || failed "it says $(cat log)"

# A file that cannot be read is told once, with its code.
timeout 60 "$PDUMP_COMMAND" export -f json -o out/z.json nofile.csv >log 2>err
[ $? -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] || failed "a missing file"
timeout 60 "$PDUMP_COMMAND" export -f json -o out/z.json dump.csv >/dev/full 2>err
[ $? -eq 1 ] && grep -q 'cannot write' err || failed "a full disk"

# A reader that waits for a pipe is long work.
if command -v script >/dev/null && mkfifo pipe; then
    TERM=xterm timeout 20 script -qec "timeout -s TERM 4 '$PDUMP_COMMAND' export \
        -f json -o out/p.json pipe" /dev/null >line 2>&1 </dev/null
    grep -q 'pdump export: reading 1 of 1, [1-3] s' line ||
        { cat line; failed "no line on a terminal"; }
    TERM=dumb timeout 20 script -qec "timeout -s TERM 2 '$PDUMP_COMMAND' export \
        -f json -o out/p.json pipe" /dev/null >line 2>&1 </dev/null
    ! grep -q 'reading' line || failed "a line on a dumb terminal"
fi

[ $n_failed -eq 0 ] || exit 1
echo "all as expected; interrupted $n_caught times"
