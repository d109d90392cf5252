#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Children that were not made by fork(): by _Fork(), clone(), system calls.
io=$PWD/../plugins/io/.libs/libpdump-io.so
mem=$PWD/../plugins/mem/.libs/libpdump-mem.so
modules=$PDUMP_MODULES_BUILT
. "${srcdir:-.}/program/behaviour/kit.sh"
# Sanitizers keep their own state, which only fork() brings into a child.
if is_sanitized; then
    echo "skipped: sanitizers know no child but that of fork()"
    exit 77
fi
seconds=300
PDUMP_EVENTS=none
PDUMP_QUIET=1
export PDUMP_EVENTS PDUMP_QUIET

children() {
    cells perf_dump.csv visits region=child | awk '{ n += $1 } END { print n + 0 }'
}

# check ABOUT VARIABLE=VALUE...: all cases, with these.  The figures are ways of
# making a child times its ends.  Of a program with threads only the children
# of fork() are followed.
check() {
    about=$1
    shift
    for follow in 0 1; do
        behaviour "$about, PDUMP_FOLLOW=$follow: no other threads"
        run 0 "$@" PDUMP_FOLLOW=$follow strangers alone
        quiet
        same "$(visits parent)$(visits parent/after)" 11 "the parent's visits"
        same "$(children)" $((follow * ${alone:-25})) "the children's visits"
        stores 0

        behaviour "$about, PDUMP_FOLLOW=$follow: children of children"
        run 0 "$@" PDUMP_FOLLOW=$follow strangers grandchild
        quiet
        same "$(children)" $((follow * ${grandchild:-2})) "visits of both"
        stores 0

        behaviour "$about, PDUMP_FOLLOW=$follow: made by a signal handler"
        run 0 "$@" PDUMP_FOLLOW=$follow strangers handler
        quiet
        same "$(visits parent)" 5 "the parent's visits"
        stores 0

        behaviour "$about, PDUMP_FOLLOW=$follow: while other threads record"
        run 0 "$@" PDUMP_FOLLOW=$follow strangers threads
        quiet
        same "$(visits parent)" 1 "the parent's visits"
        same "$(children)" $((follow * 16)) "the children's visits"
        stores 0
    done
}

check "regions" A=a
# Our own threads are threads, too.
alone=5 grandchild=0
check "memory over time" PDUMP_MEMORY=1
check "events" PDUMP_RECORD=events
alone=25 grandchild=2
check "signals" PDUMP_SIGNALS=TERM
if [ -f "$io" ] && [ -f "$mem" ]; then
    check "--io" LD_PRELOAD="$io"
    check "--heap" LD_PRELOAD="$mem"
    check "--io and --heap" LD_PRELOAD="$io $mem"

    behaviour "what a child does in our memory is not ours"
    run 0 LD_PRELOAD="$io" strangers alone
    same "$(visits parent/write)" 1 "the parent's calls of write()"
fi

# The pid decides there; a child that is no child of fork() has no regions.
behaviour "a kernel that does not wipe memory"
for case in alone grandchild handler threads; do
    for follow in 0 1; do
        run 0 NO_WIPE=1 PDUMP_FOLLOW=$follow strangers $case
        [ ! -f "$io" ] || run 0 NO_WIPE=1 PDUMP_FOLLOW=$follow \
            LD_PRELOAD="$io $mem" strangers $case
        stores 0
    done
done

behaviour "pdump run"
PDUMP_MODULES=$modules
export PDUMP_MODULES
for case in alone grandchild handler threads; do
    for options in "" "--io --heap" "--io --heap --memory"; do
        run 0 "$pdump" run --quiet $options strangers $case
        stores 0
    done
done

behaviour "bubblewrap"
if command -v bwrap >/dev/null && bwrap --ro-bind / / true 2>/dev/null; then
    for options in "" "--io --heap"; do
        for more in "" "--unshare-pid --proc /proc --dev /dev"; do
            run 9 "$pdump" run --quiet $options \
                bwrap --ro-bind / / $more sh -c 'echo here; exit 9'
            same "$(cat "$work/out")" here "standard output"
        done
    done
else
    echo "bubblewrap is not here, or may not make namespaces"
fi
finish
