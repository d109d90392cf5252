#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `pdump run` adds to a process that does nothing, in system calls: figures
# that do not depend on the machine's speed or load.
if [ -n "${LOCK_CHECKS:-}" ]; then
    echo "a library that checks its locks makes calls for that"
    exit 77
fi
PDUMP_MODULES=$PDUMP_MODULES_BUILT
modules=$PDUMP_MODULES
. "${srcdir:-.}/behaviour/kit.sh"
needs_preload
PDUMP_MODULES=$modules
# As by default: HDF5 if it is there.
unset PDUMP_OUTPUT_FORMAT
export PDUMP_MODULES
# The script that libtool makes of an uninstalled pdump adds a folder to be
# searched, which is not ours to count.
trace='env -u LD_LIBRARY_PATH strace -o calls'
if ! timeout 300 strace -o "$work/out" true 2>/dev/null; then
    echo "there is no strace, or it may not trace"
    exit 77
fi

# calls [PATTERN]: of the program that was traced, all or such.
calls() {
    grep -v '^[+-]' calls | grep -c -- "${1:-.}"
}

behaviour nothing is loaded, opened or started that is not used
run 0 "$pdump" run -q $trace true
for word in papi pfm hdf5 libdw libmpi perf_event_open localtime; do
    same "$(calls "$word")" 0 "calls with $word"
done
for word in nanosleep clone; do
    same "$(calls "^$word")" 0 "calls of $word"
done

behaviour the number of system calls
run 0 LD_PRELOAD="$modules/libpdump-run.so" $trace true
bare=$(calls)
for options in '' '--io --heap'; do
    run 0 "$pdump" run -q $options $trace true
    echo "with '$options': $(calls), with libraries that do nothing: $bare"
    # When this was written: 89 more, and 114 with two more libraries.
    most=$((bare + 98))
    [ -z "$options" ] || most=$((bare + 126))
    at_least $most "$(calls)" "system calls with '$options'"
done
finish
