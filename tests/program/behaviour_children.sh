#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Children that are made at a bad moment.
. "${srcdir:-.}/program/behaviour/kit.sh"
# A forked child keeps its parent's memory, which is no leak of the child's; and
# the leak checker may hang in a child of a program with threads.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
# Its threads are those of the parent, not lost ones.
TSAN_OPTIONS=${TSAN_OPTIONS:+$TSAN_OPTIONS:}atexit_sleep_ms=0:die_after_fork=0
TSAN_OPTIONS=$TSAN_OPTIONS:report_thread_leaks=0
export ASAN_OPTIONS TSAN_OPTIONS

for follow in 0 1; do
    # A child that records allocates, and now and then hangs in the allocator of
    # ThreadSanitizer: the library of gcc 12 does not take the lock of its
    # allocator in fork(), so the child inherits it from a thread that has it.
    [ "$follow" = 0 ] || [ "$sanitizers" != thread ] || continue
    behaviour "fork() at every moment of the start, PDUMP_FOLLOW=$follow"
    seconds=900 run 0 PDUMP_EVENTS=none PDUMP_OVERWRITE=1 PDUMP_QUIET=1 \
        PDUMP_FOLLOW=$follow children starting
done
finish
