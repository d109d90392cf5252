#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_FOLLOW=1: the rows of forked processes are in the dump of the first one,
# or in files of their own, each of them once.
family=$PWD/program/follow/family
storm=$PWD/program/follow/storm
details=$PWD/program/follow/details
. "${srcdir:-.}/program/behaviour/kit.sh"
# A forked child keeps its parent's memory; and the leak checker may hang in a
# child of a program with threads.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS

follow() {
    run 0 PDUMP_EVENTS=none PDUMP_FOLLOW=1 "$@"
}

# wait_for CASE [VARIABLE=VALUE]...: until the last descendant has ended, which
# is when nobody can write to the pipe any more.
wait_for() {
    name=$1
    shift
    timeout 300 env PDUMP_EVENTS=none PDUMP_FOLLOW=1 "$@" "$family" "$name" \
        2>"$work/err" </dev/null | cat >"$work/out"
}

# rows NAME [FILE]...: of a region, in all files or these.
rows() {
    name=$1
    shift
    [ $# -gt 0 ] || set -- perf_dump*.csv
    cat "$@" | grep -c ",$name,user,"
}

files() {
    same "$(ls -A | tr '\n' ,)" "$1" files
}

one_file() {
    files perf_dump.csv,perf_dump.meta.csv,
    stores 0
    readable perf_dump.csv
}

# meta KEY PID: what the meta file says of a process.
meta() {
    id=$(cells perf_dump.meta.csv index table=process key=pid value="$2")
    cells perf_dump.meta.csv value table=process index="$id" key="$1"
}

behaviour three generations are in one dump
follow "$family" three
quiet
same "$(cells perf_dump.csv region | sort | tr '\n' ,)" \
    child,grandchild,parent, regions
same "$(cells perf_dump.csv pid | sort -u | wc -l | tr -d ' ')" 3 pids
same "$(cells perf_dump.csv process | sort -u | wc -l | tr -d ' ')" 3 processes
parent=$(cells perf_dump.csv pid region=parent)
child=$(cells perf_dump.csv pid region=child)
grandchild=$(cells perf_dump.csv pid region=grandchild)
same "$(meta parent "$child")" "$parent" "parent of the child"
same "$(meta parent "$grandchild")" "$child" "parent of the grandchild"
same "$(meta command "$grandchild" | sed "s:.*/::")" "family three" command
one_file

behaviour a generation that records nothing is between
follow "$family" silent_middle
quiet
read -r _ pid _ parent <"$work/out"
same "$(cells perf_dump.csv pid region=grandchild)" "$pid" "pid"
same "$(meta parent "$pid")" "$parent" "parent"
same "$(cells perf_dump.csv pid | sort -u | wc -l | tr -d ' ')" 2 processes
one_file

behaviour a killed child
follow "$family" killed
quiet
same "$(visits open/child)" 10 visits
same "$(cells perf_dump.csv open path=open)" 1 "open region"
one_file

behaviour a child that outlives its parent
wait_for outlives
# If the child has its store by then, it is told that it outlives the run.
! grep -v 'still running and not in the dump' "$work/err" | grep -q . ||
    failed "stderr is not empty"
same "$(rows parent)" 1 "rows of the parent"
same "$(rows child perf_dump-*[0-9].csv)" 1 "rows of the child"
same "$(rows parent perf_dump.csv)" 1 "its parent's file is not touched"
same "$(ls | grep -vc meta)" 2 dumps
same "$(cat perf_dump*.csv | grep ',child,user,' | cut -d , -f 15)" 2 visits
stores 0

i=0
while i=$((i + 1)) && [ $i -le 10 ]; do
    behaviour "children that end together with their parent, time $i"
    wait_for race
    same "$(rows parent)" 1 "rows of the parent"
    same "$(rows child)" 50 "rows of children"
    stores 0
done

behaviour several sessions in a child
follow "$family" sessions
quiet
same "$(visits child)" 3 visits
one_file

behaviour several sessions in a child, without stores
follow PDUMP_STORE=off "$family" sessions
same "$(rows child)" 3 "rows of the child"
same "$(rows parent perf_dump.csv)" 1 "rows of the parent"

behaviour a child of a process that is through
follow "$family" late
same "$(rows parent)" 1 "rows of the parent"
same "$(rows child)" 1 "rows of the child"
stores 0

behaviour a child that outlives its parent, without stores
wait_for outlives PDUMP_STORE=off
same "$(rows parent)" 1 "rows of the parent"
same "$(rows child)" 1 "rows of the child"

behaviour the dump of a family cannot be written
follow PDUMP_DUMP_DIR=/proc/nowhere TMPDIR=/proc/nowhere "$family" three
same "$(n_warnings)" 1 warnings
stores 3
told=$(sed -n 's/.*are kept: pdump recover //p' "$work/err")
# As the shell of a user takes it: all stores of the run.
timeout 300 "$pdump" recover $told >"$work/out" 2>"$work/err" ||
    failed "pdump recover $told"
same "$(cells perf_dump.csv region | sort | tr '\n' ,)" \
    child,grandchild,parent, regions
stores 0

behaviour a thousand children that record nothing
follow "$family" silent_bomb
quiet
one_file

behaviour a thousand children that record
follow "$family" recording_bomb
quiet
same "$(rows child)" 1000 "rows of children"
one_file

# called FILE: labels and calls, sorted.
called() {
    cells "$1" label field=calls >"$work/label"
    cells "$1" value field=calls | paste -d ' ' "$work/label" - | sort |
        tr '\n' ,
}

behaviour details of children
follow "$details"
quiet
files perf_dump.csv,perf_dump.details.csv,perf_dump.meta.csv,
same "$(called perf_dump.details.csv)" 'place 1 1,place 1 1,place 2 2,' calls
same "$(cells perf_dump.details.csv pid field=calls | sort -u | wc -l |
    tr -d ' ')" 2 pids

behaviour details of a process that is killed, and of its child
run 137 PDUMP_EVENTS=none PDUMP_FOLLOW=1 "$details" killed
timeout 300 "$pdump" recover "$PDUMP_STORE" >"$work/out" 2>"$work/err" ||
    failed "pdump recover"
stores 0
same "$(for file in *.details.csv; do called "$file"; done | tr ',' '\n' |
    sort | tr '\n' ,)" 'place 1 1,place 1 1,place 2 2,' calls

for events in none pdump::minor_faults perf::TASK-CLOCK,perf::PAGE-FAULTS; do
    timeout 300 "$pdump" events "${events%%,*}" >/dev/null 2>&1 ||
        [ $events = none ] || continue
    behaviour "programs get no descriptor of ours, with $events"
    run 0 PDUMP_EVENTS=$events "$family" descriptors
    run 0 PDUMP_EVENTS=$events PDUMP_FOLLOW=1 "$family" descriptors
    run 0 PDUMP_EVENTS=$events PDUMP_FOLLOW=1 PDUMP_STORE=off "$family" \
        descriptors

    # The sanitizers' allocator does not survive a fork among threads.
    is_sanitized && continue
    behaviour "forks while threads hold locks, with $events"
    seconds=300 run 0 PDUMP_EVENTS=$events "$storm"
    same "$(rows child)" 0 "rows of children"
    same "$(visits fork)" 200 forks
    one_file

    behaviour "forks while threads hold locks, followed, with $events"
    seconds=300 run 0 PDUMP_EVENTS=$events PDUMP_FOLLOW=1 PDUMP_QUIET=1 "$storm"
    same "$(rows child)" 200 "rows of children"
    same "$(cells perf_dump.csv region | grep -c '^fork$')" 1 "rows of forks"
    one_file
done

if ! is_sanitized; then
    behaviour "forks while a thread of ours looks at the memory"
    seconds=300 run 0 PDUMP_EVENTS=none PDUMP_FOLLOW=1 PDUMP_MEMORY=1 \
        PDUMP_QUIET=1 "$storm"
    same "$(rows child)" 200 "rows of children"
    at_least "$(grep -c '^memory,.*,rss,' perf_dump.details.csv)" 200 "looks"
fi
finish
