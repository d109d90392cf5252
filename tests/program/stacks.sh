#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stacks: they have the shares that the functions have, in every thread and below
# every region, also after kill -9; and they disturb nothing.
modules=$PDUMP_MODULES_BUILT
shares=$PWD/program/stacks/shares
harm=$PWD/program/stacks/harm
strange=$PWD/program/stacks/strange
throws=$PWD/program/stacks/throws
. "${srcdir:-.}/program/behaviour/kit.sh"
PDUMP_EVENTS=none
PDUMP_MODULES=$modules
export PDUMP_EVENTS PDUMP_MODULES
[ "$sanitizers" = no ] || {
    echo "sanitizers delay signals, and use the CPU time of others"
    exit 77
}

behaviour whether stacks can be taken here
run 0 PDUMP_STACKS=100 "$shares" 0.01
if grep 'no stacks are taken' "$work/err"; then
    exit 77
fi

# stacks FUNCTION [PATTERN]: stacks with that function just below all() in rows
# whose path matches; time PATTERN: the CPU time of rows.
stacks() {
    cells perf_dump.csv "pdump::stacks.sum [1]" region="$1" |
        awk '{ n += $1 } END { print n + 0 }'
}

stack_time() {
    cells perf_dump.csv "pdump::stack_time.sum [ns]" "$@" |
        awk '{ n += $1 } END { print n + 0 }'
}

fact() {
    cells perf_dump.meta.csv value table=metadata key="$1"
}

# Within 5 standard deviations, which is missed once in a million times.
has_shares() {
    all=$(($(stacks half) + $(stacks third) + $(stacks sixth) + $(stacks rest)))
    at_least "$all" 60 stacks
    for share in "half 50" "third 30" "sixth 15" "rest 5"; do
        set -- $share
        awk -v all="$all" -v n="$(stacks "$1")" -v percent="$2" 'BEGIN {
            p = percent / 100
            off = n - all * p
            exit off * off > 25 * all * p * (1 - p) + 4
        }' || failed "$(stacks "$1") of $all stacks are in $1, not $2 %"
    done
    same "$(fact stacks_unfinished)" 0 "unfinished stacks"
    # None, unless a thread that has a lock waits for a processor for long.
    at_least $((all / 100 + 1)) "$(fact stacks_lost)" "1 % of stacks, and lost"
}

# has_time ACTUAL WANTED ABOUT: at a hundred stacks a second, with 5 standard
# deviations and what is before the first stack.
has_time() {
    awk -v actual="$1" -v wanted="$2" 'BEGIN {
        off = (actual - wanted) / 1e7
        exit off * off > 25 * wanted / 1e7 + 25
    }' || failed "$3: $1 ns of stacks, and $2 ns of CPU time"
}

behaviour shares below regions
run 0 PDUMP_STACKS=100 "$shares" 3 regions
quiet
has_shares
while read -r region ns; do
    has_time "$(stack_time path="$region")" "$ns" "$region"
done <"$work/out"
at_least "$(cells perf_dump.csv visits path=first)" 1 visits
same "$(fact stacks_clock)" "CPU timer, 100 a second" "the clock"
readable perf_dump.csv

behaviour shares without regions
run 0 PDUMP_STACKS=250 "$shares" 2 bare
has_shares
has_time "$(fact stacks_cpu_time_ns)" "$(awk '{ print $2 }' "$work/out")" all

# Every thread has what it used, those that never call libpdump too.
behaviour threads
run 0 PDUMP_STACKS=100 "$shares" 6 threads
has_shares
grep '^thread' "$work/out" | while read -r region ns; do
    has_time "$(stack_time path="$region")" "$ns" "$region"
done
same "$(grep -c '^silent' "$work/out")" 4 "silent threads"
has_time "$(fact stacks_cpu_time_ns)" 6750000000 "all threads"
same "$(awk -F, 'NR > 1 { print $4 }' perf_dump.csv | sort -u | wc -l |
    tr -d ' ')" 9 threads

behaviour threads that are older than the session
run 0 PDUMP_STACKS=100 "$shares" 6 early
has_shares
has_time "$(fact stacks_cpu_time_ns)" 6750000000 "all threads"

behaviour kill -9
run 137 PDUMP_STACKS=100 "$shares" 2 killed
recovered
has_shares
has_time "$(stack_time path=main)" \
    "$(cells perf_dump.csv 'pdump::stack_time.sum [ns]' path=main)" main
has_time "$(fact stacks_cpu_time_ns)" 2000000000 "the killed process"

behaviour pdump run --stacks
run 0 "$pdump" run -q --stacks=100 -o perf_dump.csv -- "$shares" 6 threads
has_shares
has_time "$(fact stacks_cpu_time_ns)" 6750000000 "all threads"
run 0 "$pdump" run -q --stacks -o default.csv -- "$shares" 0.5 bare
grep -q 'stacks_clock,"CPU timer, 100 a second"' default.meta.csv ||
    failed "the default rate"
run 0 PDUMP_STACKS=100 "$pdump" run -q --no-stacks -o none.csv -- \
    "$shares" 0.5 bare
! grep -q 'pdump::stacks' none.meta.csv || failed "there are stacks"
run 2 "$pdump" run --stacks=often -- "$shares"

# A visit that is kept by itself has no stacks of its own.
behaviour samples and stacks
run 0 PDUMP_RECORD=samples PDUMP_STACKS=100 "$shares" 0.5 regions
at_least "$(cells perf_dump.samples.csv start | wc -l)" 1 samples
same "$(cells perf_dump.samples.csv "pdump::stacks [1]" | sort -u)" "" \
    "stacks of samples"

behaviour off
run 0 "$shares" 0.1 regions
! grep -q stack perf_dump.csv || failed "there are stacks"

behaviour bad values
run 0 PDUMP_STACKS=often "$shares" 0.1 regions
warns 'PDUMP_STACKS=often: it must be a number'

behaviour recording off
run 0 PDUMP_DISABLE=1 PDUMP_STACKS=100 "$shares" 0.3 regions
quiet
absent perf_dump.csv

# The same output and exit code as without stacks.
for what_of in waits threads loads children replaced profiled jumps small waited
do
    behaviour "harm: $what_of"
    [ "$what_of" = waits ] && echo "0 interrupted" >wanted || {
        run 0 PDUMP_QUIET=1 PDUMP_FOLLOW=1 "$harm" "$what_of"
        cp "$work/out" wanted
    }
    run 0 PDUMP_QUIET=1 PDUMP_FOLLOW=1 PDUMP_OVERWRITE=1 PDUMP_STACKS=10000 \
        "$harm" "$what_of"
    same "$(cat "$work/out")" "$(cat wanted)" output
    quiet
done

# many ABOUT: that many stacks were taken.
many() {
    at_least "$(fact stacks)" "$1" stacks
}

for what_of in handled handled_first coroutines users; do
    behaviour "harm: $what_of"
    run 0 PDUMP_QUIET=1 "$strange" "$what_of"
    cp "$work/out" wanted
    run 0 PDUMP_OVERWRITE=1 PDUMP_STACKS=10000 "$strange" "$what_of"
    same "$(cat "$work/out")" "$(cat wanted)" output
    quiet
    many 10
done

# libpdump's signal is not the program's to block, to wait for, or to change.
for what_of in blocked reset; do
    behaviour "pdump run: $what_of"
    run 0 PDUMP_DISABLE=1 "$strange" "$what_of"
    cp "$work/out" wanted
    run 0 "$pdump" run -q --stacks=10000 -o perf_dump.csv -- \
        "$strange" "$what_of"
    same "$(cat "$work/out")" "$(cat wanted)" output
    quiet
    many 3
done

# The handler and the program's allocator do not meet.
for allocator in none libtcmalloc_minimal.so.4 libtcmalloc.so.4 libjemalloc.so.2
do
    behaviour "harm: heap, preloaded: $allocator"
    preload=$allocator
    [ "$allocator" != none ] || preload=
    LD_PRELOAD=$preload true 2>"$work/err"
    [ ! -s "$work/err" ] || {
        echo "skipped: $allocator is not here"
        continue
    }
    run 0 PDUMP_QUIET=1 LD_PRELOAD="$preload" "$strange" heap
    cp "$work/out" wanted
    run 0 PDUMP_OVERWRITE=1 PDUMP_STACKS=10000 LD_PRELOAD="$preload" \
        "$strange" heap
    same "$(cat "$work/out")" "$(cat wanted)" output
    quiet
    many 10
done

behaviour harm: exceptions
if [ -x "$throws" ]; then
    run 0 PDUMP_QUIET=1 "$throws"
    cp "$work/out" wanted
    run 0 PDUMP_OVERWRITE=1 PDUMP_STACKS=10000 "$throws"
    same "$(cat "$work/out")" "$(cat wanted)" output
    quiet
    many 10
fi

# One message, and the rest is recorded.
for what_of in timers reads; do
    behaviour "no $what_of"
    timeout 300 "$strange" "without_$what_of" >"$work/out" 2>&1
    [ $? -ne 77 ] || continue
    run 0 PDUMP_OVERWRITE=1 PDUMP_STACKS=1000 "$strange" "without_$what_of"
    same "$(cat "$work/out")" busy output
    same "$(n_warnings)" 1 messages
    warns 'no stacks are taken'
    same "$(visits thread)" 4 visits
    readable perf_dump.csv
done

behaviour reads that fail later
timeout 300 "$strange" without_reads_later >"$work/out" 2>&1
if [ $? -ne 77 ]; then
    run 0 PDUMP_OVERWRITE=1 PDUMP_STACKS=1000 "$strange" without_reads_later
    same "$(cat "$work/out")" busy output
    same "$(visits thread)" 8 visits
    readable perf_dump.csv
fi

# 128 + a signal: the default of real-time signals is to end the process.
behaviour a signal of libpdump that others send
run 0 "$harm" others
same "$(tail -n 1 "$work/out")" "no signal of libpdump" "without stacks"
env PDUMP_STACKS=100 PDUMP_QUIET=1 "$harm" others >"$work/out" 2>"$work/err"
at_least $? 162 "exit code"
same "$(cat "$work/out")" now output
finish
