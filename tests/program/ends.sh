#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# However a program ends: the dump, or a store that has every visit.
PATH=$PWD/program/ends:$PATH
library=$PWD/../libpdump/.libs/libpdump.so
. "${srcdir:-.}/program/behaviour/kit.sh"

# A sanitizer would take the signals for itself.
for name in ASAN TSAN UBSAN; do
    eval "${name}_OPTIONS=\${${name}_OPTIONS:-}:handle_segv=0:handle_abort=0"
    export "${name}_OPTIONS"
done
ulimit -c 0

# complete: every visit of every thread, as ends.c makes them.
complete() {
    # The clock of a dead process is read as it was: 1 % is its calibration.
    took=$(cells perf_dump.csv time.sum path=timed)
    at_least $((took * 101 / 100)) "$least" "ns in a region"
    at_least $((most * 101 / 100)) "$took" "ns around a region"
    same "$(visits main)" 1 "visits of main"
    for i in 0 1 2 3; do
        n=$((1000 * (i + 1)))
        who=thread_name="worker $i"
        same "$(cells perf_dump.csv visits path=work "$who")" $n \
            "visits of worker $i"
        same "$(cells perf_dump.csv visits path=work/part "$who")" $((2 * n)) \
            "visits of a part of worker $i"
        same "$(cells perf_dump.csv done.sum path=work "$who")" $n \
            "what worker $i counted"
        same "$(cells perf_dump.csv visits path=open/part "$who")" 1 \
            "visits in the open region of worker $i"
        same "$(cells perf_dump.csv open path=open "$who")" 1 \
            "worker $i in an open region"
    done
    readable perf_dump.csv
}

# leaves dump|store CODE HOW
leaves() {
    for events in none pdump::minor_faults; do
        behaviour "end by $3, with events $events"
        run "$2" PDUMP_EVENTS=$events ends "$3"
        same "$(n_warnings)" 0 warnings
        read -r least most <"$work/out"
        if [ "$1" = dump ]; then
            stores 0
        else
            absent perf_dump.csv
            recovered
        fi
        complete
    done
}

leaves dump 0 return
leaves dump 3 exit
leaves dump 3 thread
leaves dump 3 quick_exit
leaves store 3 _exit
leaves store 134 abort
leaves store 139 fault
leaves store 143 term
leaves store 137 kill
leaves store 0 exec

if [ -x "$(command -v throws)" ]; then
    behaviour "an exception that nobody catches"
    run 134 PDUMP_EVENTS=none throws
    absent perf_dump.csv
    recovered
    # Where nobody catches, the stack may be left as it is, or unwound.
    at_least "$(visits work)" 1000 visits
    at_least "$(visits work/part)" 1000 visits
fi

if [ -f "$library" ]; then
    behaviour "the library is unloaded, the program goes on"
    run 0 PDUMP_EVENTS=none unload "$library"
    quiet
    same "$(cat "$work/out")" "still here" stdout
    same "$(cells perf_dump.csv visits path=work | tr '\n' ,)" \
        1000,1000,1000,1000, "visits per thread"
    stores 0
fi
finish
