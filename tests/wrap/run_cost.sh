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
. "${srcdir:-.}/program/behaviour/kit.sh"
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
# O_PATH: a folder, to open a file in it.
for word in papi pfm hdf5 libdw libmpi perf_event_open localtime O_PATH; do
    same "$(calls "$word")" 0 "calls with $word"
done
for word in nanosleep clone; do
    same "$(calls "^$word")" 0 "calls of $word"
done

behaviour what is inside of libpdump is not looked up by the loader
run 0 "$pdump" run -q env -u LD_LIBRARY_PATH LD_DEBUG=bindings \
    LD_DEBUG_OUTPUT="$work/bindings" true
cat "$work"/bindings.* >"$work/all"
at_least "$(grep -c 'libpdump.so.0 .* to .*libc.so' "$work/all")" 1 \
    "functions of the C library that were looked up"
same "$(grep -c 'libpdump.so.0 .* to .*libpdump.so.0 .*pdump_' "$work/all")" 0 \
    "functions of libpdump that were looked up by libpdump"

behaviour what pdump run does for each process
printf 'for i in $(seq $1); do env true; done\n' >loop
for n in 10 30; do
    run 0 $trace "$pdump" run -q sh loop $n
    opened=$(($(calls O_PATH) - ${opened:-0}))
done
# To take the store, to look for its events, and to remove it.
at_least 65 $opened "folders that were opened for 20 processes"

behaviour the number of system calls
run 0 LD_PRELOAD="$modules/libpdump-run.so" $trace true
bare=$(calls)
for options in '' --stacks '--io --heap'; do
    run 0 "$pdump" run -q $options $trace true
    echo "with '$options': $(calls), with libraries that do nothing: $bare"
    # When this was written: 85 more, 92 with stacks, 109 with two more
    # libraries.
    case $options in
    '') most=$((bare + 93)) ;;
    --stacks) most=$((bare + 100)) ;;
    *) most=$((bare + 120)) ;;
    esac
    at_least $most "$(calls)" "system calls with '$options'"
done
finish
