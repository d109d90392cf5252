#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that restrict their own system calls (seccomp) under pdump run: they
# do what they do without, and what was recorded before is there.
sandbox=$PWD/wrap/run/sandbox
modules=$PDUMP_MODULES_BUILT
. "${srcdir:-.}/program/behaviour/kit.sh"
needs_preload
seconds=300
PDUMP_MODULES=$modules
export PDUMP_MODULES

PDUMP_DISABLE=1 timeout 300 "$sandbox" refused >/dev/null 2>&1
if [ $? -ne 7 ]; then
    echo "there is no seccomp here"
    exit 77
fi

# measure MODE [OPTION]...: with the exit code and the output of the program.
measure() {
    mode=$1
    shift
    run 7 "$pdump" run --quiet "$@" "$sandbox" "$mode"
    same "$(cat "$work/out")" out "standard output"
    readable perf_dump.csv
    stores 0
}

for options in '' --io '--io --memory --heap' --stacks=10000; do
    for mode in kill kill_by_syscall kill_child strict; do
        behaviour "$mode, with options '$options'"
        measure $mode $options
        quiet
        same "$(visits sandbox/before)" 1 "visits before"
        same "$(cells perf_dump.csv visits region=after)" "" "visits after"
        same "$(cells perf_dump.csv open region=sandbox)" 0 "the program"
        noted "recording stopped when the program restricted its system calls"
    done
    case $options in
    --stacks*)
        behaviour "a filter that kills for what stacks need"
        measure kill_stacks $options
        quiet
        same "$(visits sandbox/before)" 1 "visits before"
        ;;
    esac

    behaviour "a filter for all threads, with options '$options'"
    measure kill_threads $options
    quiet
    same "$(visits sandbox/before)" 1 "visits before"
    same "$(visits sandbox/thread)" 1 "visits of the thread"

    behaviour "a filter that the kernel refuses, with options '$options'"
    measure refused $options
    quiet
    same "$(cells perf_dump.csv visits region=after)" 1 "visits after"

    behaviour "a filter that is not for our calls, with options '$options'"
    measure foreign $options
    quiet
    same "$(visits sandbox/before)" 2 "visits before and after"
    same "$(visits sandbox/after)" 1 "visits after"

    behaviour "calls that fail, with options '$options'"
    measure eperm $options
    same "$(visits sandbox/before)" 2 "visits before and after"
    same "$(visits sandbox/after)" 1 "visits after"
done

# new_regions: so many have one visit each.
new_regions() {
    awk -F, '/,new region [0-9]+,/ { n++ } END { print n + 0 }' perf_dump.csv
}

# The store has to grow several times for these.
for mode in eperm enosys; do
    behaviour "calls fail and the store grows: $mode"
    run 7 "$pdump" run "$sandbox" $mode 9000
    same "$(n_warnings)" 0 "messages"
    stores 0
    readable perf_dump.csv
    same "$(new_regions)" 9000 "new regions"
    same "$(visits sandbox/after)" 9001 "visits of a known region"
done

behaviour the store cannot grow
run 7 "$pdump" run "$sandbox" no_growth 9000
same "$(n_warnings)" 1 "messages"
same "$(visits sandbox/before)" 2 "visits before"
same "$(visits sandbox/after)" 9001 "visits of a known region"
at_least "$(new_regions)" 20 "new regions"
same $(($(new_regions) + $(visits 'sandbox/<overflow>'))) 9000 "visits of all"
noted "cannot grow"
readable perf_dump.csv
stores 0

# Before Linux 5.14 the store is opened to grow.
behaviour an old kernel
run 7 PDUMP_EVENTS=none "$sandbox" old 9000
quiet
same "$(new_regions)" 9000 "new regions"
same "$(visits after)" 9001 "visits of a known region"

behaviour an old kernel, and the store cannot grow
run 7 PDUMP_EVENTS=none "$sandbox" old_no_growth 9000
warns 'cannot grow'
recovered
same "$(visits before)" 2 "visits before"
same "$(visits after)" 9001 "visits of a known region"
at_least "$(new_regions)" 20 "new regions"
same $(($(new_regions) + $(visits '<overflow>'))) 9000 "visits of all"

# Without pdump run nobody knows of the filter: docs/run.md.
behaviour without pdump run the records are in the store
run 159 PDUMP_EVENTS=none "$sandbox" kill
recovered
at_least "$(visits before)" 1 "visits before"
finish
