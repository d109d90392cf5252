#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Sessions: their beginning, their end, what comes between and after.
. "${srcdir:-.}/program/behaviour/kit.sh"
PDUMP_EVENTS=none
export PDUMP_EVENTS

for events in none pdump::minor_faults ''; do
    behaviour "ten sessions in a row, with events '$events'"
    run 0 PDUMP_EVENTS=$events sessions ten
    quiet
    same "$(cells perf_dump.csv number.sum path=round)" 9 "the last one"
    for i in 1 2 3 4 5 6 7 8 9; do
        same "$(cells perf_dump.old-$i.csv number.sum path=round)" $((i - 1)) \
            "old-$i"
        there perf_dump.old-$i.meta.csv
    done
    same "$(ls -A | wc -l | tr -d ' ')" 20 files
    stores 0
    readable perf_dump.csv perf_dump.old-1.csv
done

behaviour ten sessions in a row, one file
run 0 PDUMP_OVERWRITE=1 sessions ten
same "$(cells perf_dump.csv number.sum path=round)" 9 "the last one"
same "$(ls -A | tr '\n' ,)" perf_dump.csv,perf_dump.meta.csv, files

behaviour calls before the first session
run 0 sessions before
there chosen/chosen.csv
absent perf_dump.csv

behaviour the environment wins where it says so
run 0 PDUMP_DUMP_DIR=environment PDUMP_FILENAME=environment sessions before
there environment/chosen.csv

behaviour calls after the end fail and warn once
run 0 sessions after
warns finalized
same "$(n_warnings)" 1 warnings
same "$(cells perf_dump.csv region)" kept regions

behaviour PDUMP_DISABLE=1 records and writes nothing
run 0 PDUMP_DISABLE=1 sessions disabled
quiet
same "$(ls -A)" '' files

behaviour what is flushed is whole, and replaced later
run 0 sessions flush
quiet
same "$(visits outer),$(visits outer/work)" 1,5 visits
same "$(ls -A | tr '\n' ,)" perf_dump.csv,perf_dump.meta.csv, files

behaviour a flush does not replace the file of another run
run 0 sessions return
run 0 sessions flush
same "$(cells perf_dump.old-1.csv region | tr '\n' ,)" done,open, "the older one"
same "$(visits outer/work)" 5 "the newer one"

behaviour a program reads its own figures
run 0 sessions queries
quiet

behaviour a program walks over its rows, and those of its file
run 0 sessions results
quiet

behaviour "a trial that fails inside of a call that succeeds leaves no message"
: >file
mkdir tmp
for case in unfailing unfailing_alone; do
    run 0 PDUMP_STORE=file/below PDUMP_DUMP_DIR=file/below TMPDIR="$PWD/tmp" \
        sessions $case
    grep -q 'does not survive a kill' "$work/err" || failed "there is a store"
    there tmp/perf_dump.csv
done

ways='return exit thread last_thread atexit'
# A process does not end with its last thread there: TSan has one of its own.
is_thread_sanitized && ways='return exit thread atexit'
for way in $ways; do
    behaviour "an exit by $way writes the dump"
    code=0
    [ $way = exit ] || [ $way = thread ] && code=23
    run $code sessions $way
    quiet
    same "$(visits 'done')" 1 "visits of done"
    same "$(cells perf_dump.csv open path=open)" 1 "open of open"
    stores 0
    case $way in
    *thread) same "$(visits 'in thread')" 1 "the thread" ;;
    atexit) same "$(visits 'open/at exit')" 1 "the handler" ;;
    esac
done

behaviour _exit leaves a store and nothing else
run 23 sessions _exit
same "$(ls -A)" '' files
recovered
same "$(visits 'done')" 1 "visits of done"
same "$(cells perf_dump.csv open path=open)" 1 "open of open"

for events in none perf::TASK-CLOCK,perf::PAGE-FAULTS \
    pdump::cpu_time,pdump::minor_faults; do
    behaviour "three thousand threads, with events $events"
    case $events in
    perf*) timeout 300 "$pdump" events 'perf::TASK-CLOCK' >/dev/null 2>&1 ||
        continue ;;
    esac
    seconds=300 run 0 PDUMP_EVENTS=$events threads many
    quiet
    same "$(cells perf_dump.csv visits path=short | wc -l | tr -d ' ')" 3000 rows
    same "$(cells perf_dump.csv visits | sort -u)" 1 "visits of each"
    same "$(cells perf_dump.csv thread path=short/inner | sort -u | wc -l |
        tr -d ' ')" 3000 threads
done

behaviour threads from before the session
run 0 threads early
quiet
same "$(visits early),$(visits late)" 3,1 visits

behaviour a thread that outlives sessions
run 0 threads outliving
at_least "$(n_warnings)" 1 warnings
same "$(cells perf_dump.old-1.csv region)" 'open in the first' first
same "$(cells perf_dump.old-1.csv open)" 1 "open in the first"
same "$(cells perf_dump.old-2.csv region)" 'open in the second' second
same "$(cells perf_dump.old-2.csv open)" 1 "open in the second"
same "$(cells perf_dump.csv region)" 'in the third' third
same "$(visits 'in the third')" 1 third

behaviour the process ends while threads are in regions
run 0 threads abandoned
quiet
same "$(visits main)" 1 main
at_least "$(visits endless/inner)" 1000 threads
readable perf_dump.csv

behaviour the session ends while threads are in regions
run 0 threads finalized
same "$(cells perf_dump.old-1.csv visits path=main)" 1 main
same "$(visits main)" 1 "main again"

behaviour sixteen threads are the first
run 0 threads all_first
quiet
same "$(visits first)" 16 visits
absent perf_dump.old-1.csv

# Before Linux 5.14 the store is opened to grow.
if [ "$(printf '5.14\n%s\n' "$(uname -r)" | sort -V | head -n 1)" = 5.14 ]; then
    behaviour a thread counts on descriptor numbers while the store grows
    run 0 PDUMP_EVENTS=none threads numbers
    quiet
    same "$(cells perf_dump.csv visits | awk '{ n += $1 } END { print n }')" \
        32001 visits
    same "$(cells perf_dump.csv open | sort -u)" 0 "open regions"
fi

behaviour figures of a region that is open in one thread
run 0 threads queried

for events in none ''; do
    behaviour "threads that are cancelled in the library, with events '$events'"
    seconds=300 run 0 PDUMP_EVENTS="$events" threads cancelled
    warns "region 'nothing' was never begun here; none is open"
    same "$(cells perf_dump.old-1.csv visits path=main)" 3 visits
    same "$(visits again)" 1 "visits of the next session"
    [ -z "$events" ] ||
        same "$(cells perf_dump.old-1.csv visits path=cancelled)" 1 "its visits"
done
finish
