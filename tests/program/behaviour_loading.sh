#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Libraries that record while they are loaded, and threads that load them: no
# lock of ours is held when the loader is called.
library=$PWD/.libs/behaviour_loaded.so
io=$PWD/../plugins/io/.libs/libpdump-io.so
modules=$PDUMP_MODULES_BUILT
. "${srcdir:-.}/program/behaviour/kit.sh"
if [ ! -f "$library" ]; then
    echo "skipped: no shared libraries"
    exit 77
fi
for i in 1 2 3 4; do
    cp "$library" "$work/loaded$i.so"
done
seconds=300
PDUMP_EVENTS=none
PDUMP_QUIET=1
PDUMP_OVERWRITE=1
# With modules to look for, so that the loader is asked for them.
PDUMP_MODULES=$modules
export PDUMP_EVENTS PDUMP_QUIET PDUMP_OVERWRITE PDUMP_MODULES

for case in recording restarting; do
    behaviour "$case while libraries are loaded"
    run 0 loading $case "$work"/loaded?.so
    if [ -f "$io" ] && ! is_sanitized; then
        behaviour "$case while libraries are loaded, with --io"
        run 0 LD_PRELOAD="$io" loading $case "$work"/loaded?.so
    fi
done

# Constructors that start, write and end sessions, as another thread does: the
# modules that both need are loaded before one of them waits for the other.
format=csv
[ ! -f "$modules/pdump_html.so" ] || format=csv,html
for events in none ""; do
    behaviour "sessions of constructors while libraries are loaded, '$events'"
    run 0 LOADED_CONTROLS=1 PDUMP_QUIET=0 PDUMP_OUTPUT_FORMAT=$format \
        PDUMP_EVENTS="$events" loading restarting "$work"/loaded?.so
    ! grep -q 'for 60 seconds' "$work/err" || failed "a thread waited in vain"
done
finish
