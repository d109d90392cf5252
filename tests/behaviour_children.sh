#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Children that are made at a bad moment.
. "${srcdir:-.}/behaviour/kit.sh"
# A forked child keeps its parent's memory, which is no leak of the child's; and
# the leak checker may hang in a child of a program with threads.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
# Its threads are those of the parent, not lost ones.
TSAN_OPTIONS=${TSAN_OPTIONS:+$TSAN_OPTIONS:}atexit_sleep_ms=0:die_after_fork=0
TSAN_OPTIONS=$TSAN_OPTIONS:report_thread_leaks=0
export ASAN_OPTIONS TSAN_OPTIONS

for follow in 0 1; do
    # Now and then a child that records does not survive ThreadSanitizer.
    [ "$follow" = 0 ] || [ "$sanitizers" != thread ] || continue
    behaviour "fork() at every moment of the start, PDUMP_FOLLOW=$follow"
    seconds=900 run 0 PDUMP_EVENTS=none PDUMP_OVERWRITE=1 PDUMP_QUIET=1 \
        PDUMP_FOLLOW=$follow children starting
done
finish
