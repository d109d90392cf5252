#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Children that are made at a bad moment.
. "${srcdir:-.}/program/behaviour/kit.sh"
# A child that starts a session allocates, and now and then hangs in the allocator
# of a sanitizer: the libraries of gcc 12 do not take the lock of their allocator
# in fork(), so the child inherits it from a thread that has it.
[ "$sanitizers" = no ] || {
    echo "children do not survive a sanitizer's allocator"
    exit 77
}

for follow in 0 1; do
    behaviour "fork() at every moment of the start, PDUMP_FOLLOW=$follow"
    seconds=900 run 0 PDUMP_EVENTS=none PDUMP_OVERWRITE=1 PDUMP_QUIET=1 \
        PDUMP_FOLLOW=$follow children starting
done
finish
