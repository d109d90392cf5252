#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Signals: noted and passed on as if we were not there; handlers, threads and
# ends that come in the middle of ours.
PATH=$PWD/program/ends:$PATH
. "${srcdir:-.}/program/behaviour/kit.sh"
PDUMP_EVENTS=none
export PDUMP_EVENTS
ulimit -c 0
int=2 usr1=10 term=15

# fact KEY: of the dump.
fact() { cells perf_dump.meta.csv value table=metadata key="$1"; }

# The same with and without us, but for what is noted.
for signals in '' TERM,INT,USR1; do
    for number in $term $int; do
        with="signal $number, PDUMP_SIGNALS=$signals"
        behaviour "$with: the default ends the process"
        run $((128 + number)) PDUMP_SIGNALS=$signals signalled default $number
        absent perf_dump.csv
        recovered
        same "$(visits work)" 10 visits
        same "$(fact signal)" "${signals:+$number}" "the signal noted"

        for handler in before after siginfo interrupted ignored child; do
            behaviour "$with: $handler"
            run 0 PDUMP_SIGNALS=$signals signalled $handler $number
            quiet
            at_least "$(visits work)" 10 visits
            stores 0
        done
        behaviour "$with: a handler for one time"
        run $((128 + number)) PDUMP_SIGNALS=$signals signalled once $number
        recovered
        same "$(visits work)" 10 visits
    done
done

behaviour "a handler over ours calls ours, also after the session"
run 0 PDUMP_SIGNALS=TERM signalled chained $term
quiet

behaviour "SIGUSR1 writes a dump, and the program goes on"
run 0 PDUMP_SIGNALS=USR1 signalled dump_now $usr1
quiet
same "$(visits work)" 20 visits
stores 0
behaviour "SIGUSR1 is the child's own affair"
run 0 PDUMP_SIGNALS=USR1 signalled child $usr1
quiet

if ! is_thread_sanitized; then # it has a thread of its own, which never ends
    for memory in 0 5; do
        behaviour "all threads end, and ours with them ($memory)"
        seconds=300
        run 0 PDUMP_SIGNALS=USR1 PDUMP_MEMORY=$memory sessions last_thread
        quiet
        same "$(visits 'in thread')" 1 visits
        stores 0
    done
    unset seconds
fi

behaviour "names that are not known"
run $((128 + term)) PDUMP_SIGNALS=KILL,SIGTERM,NONSENSE signalled default $term
warns "PDUMP_SIGNALS: KILL is not one of"
same "$(n_warnings)" 1 warnings
recovered
same "$(fact signal)" $term "the signal noted"

behaviour "unasked, no handler, no mask, no thread"
run 0 signalled untouched
same "$(sed '/^--/,$d' "$work/out")" "$(sed '1,/^--/d' "$work/out")" \
    "state of the process"
grep -q SigCgt "$work/out" || failed "there is no state"

# The dump has what the program says.
for signals in '' USR1; do
    behaviour "handlers that record in the middle of recording ($signals)"
    run 0 PDUMP_SIGNALS=$signals storm handlers
    read -r main other taken dropped <"$work/out"
    same "$(cells perf_dump.csv visits path=outer/work thread_name=main)" \
        "$main" visits
    same "$(cells perf_dump.csv visits path=outer/work thread_name=other)" \
        "$other" visits
    same "$(cells perf_dump.csv done.sum path=outer | awk '{ n += $1 }
        END { print n }')" $((main + other)) counted
    same "$(cells perf_dump.csv visits region=tick | awk '{ n += $1 }
        END { print n + 0 }')" "$taken" "visits by handlers"
    noted "calls from signal handlers inside libpdump are not recorded"
    same "$(cells perf_dump.meta.csv value table=warning key=count)" \
        "$dropped" "calls dropped"

    behaviour "two threads end the session at once ($signals)"
    run 0 PDUMP_SIGNALS=$signals PDUMP_OVERWRITE=1 storm two_ends
    quiet
    same "$(visits work)" 2 visits
    stores 0

    behaviour "threads end while sessions do ($signals)"
    run 0 PDUMP_SIGNALS=$signals PDUMP_OVERWRITE=1 storm ending_threads
    ! grep -v '^pdump: ' "$work/err" || failed "stderr"
    same "$(visits main)" 1 visits
    stores 0

    # Handlers must not call exit(), which sanitizers punish; programs do it.
    if is_sanitized; then
        continue
    fi
    behaviour "exit() by a handler in the middle of a region ($signals)"
    seconds=300 run 4 PDUMP_SIGNALS=$signals storm exit_in_region
    [ -f perf_dump.csv ] || recovered
    at_least "$(visits work)" 1 visits

    behaviour "exit() by a handler in the middle of a dump ($signals)"
    seconds=300 run 4 PDUMP_SIGNALS=$signals storm exit_in_flush
    [ -z "$(ls -A "$PDUMP_STORE")" ] || recovered
    same "$(visits work)" 1 visits
done
finish
