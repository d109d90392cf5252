#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Violent, improper and late ends of MPI jobs: nothing hangs, nothing is lost.
# The mpirun of each MPI has its own idea of how many ranks to kill, and when;
# what counts is that each visit is in a file or in a store that is left.
. "${srcdir:-.}/kit.sh"
. "$tests/dumps.sh"
seconds=300

# job CODE N ...: a new case.  CODE may be "any" but 0, or "all".
job() {
    wanted_end=$1
    n_ranks=$2
    shift 2
    behaviour "$MPI, $n_ranks ranks: $*"
    begin=$(date +%s)
    timeout -k 10 $seconds "$MPI_RUN" -n "$n_ranks" env "$@" >"$work/out" \
        2>"$work/err" </dev/null
    code=$?
    [ $(($(date +%s) - begin)) -lt $seconds ] || failed "it hangs"
    case $wanted_end:$code in
    all:* | any:[1-9]*) ;;
    *) same $code "$wanted_end" "exit code" ;;
    esac
}

# all_rows: of every file here, and of what can be recovered.  A rank that was
# killed when its file was there, but its store not yet gone, is in both.
all_rows() {
    [ -z "$(ls -A "$PDUMP_STORE")" ] || saved
    for file in *.csv; do
        case $file in
        *.meta.csv | '*.csv') ;;
        *) rows "${file%.csv}" ;;
        esac
    done | sort -u | grep -v ' open 0$'
}

# nothing_lost RANK...: all that these ranks worked.
nothing_lost() {
    same "$(all_rows | tr '\n' ';')" "$(worked "$@" | tr '\n' ';')" \
        "rows of all files"
}

# Killed from inside.  All stores are left, and become one dump.
job any 3 harm killed
stores 3
saved
files perf_dump
same "$(rows perf_dump | grep -v ' open 0$')" "$(worked 0 1 2)" "rows"

job 7 3 harm aborted
nothing_lost 0 1 2

job any 3 harm left
there perf_dump.rank-1.csv
same "$(grep -c '^pdump: ' "$work/err")" 1 messages
warns 'pdump: rank 1: the program ends without MPI_Finalize'
nothing_lost 0 1 2

job any 3 harm left_at_end
there perf_dump.rank-1.csv
nothing_lost 0 1 2

job all 3 harm endless
at_least "$(grep -c '^pdump: rank .: the program ends without MPI_Finalize' \
    "$work/err")" 1 "messages"
nothing_lost 0 1 2

# comes FILE: waits until the file is not empty, for five minutes at most.
comes() {
    for _ in $(seq 3000); do
        [ ! -s "$1" ] || return 0
        sleep 0.1
    done
    failed "no $1"
}

# Killed from outside.
behaviour "$MPI: SIGTERM to mpirun"
timeout --foreground -k 10 $seconds "$MPI_RUN" -n 3 env harm waiting \
    >"$work/out" 2>"$work/err" </dev/null &
pid=$!
comes ready
kill -TERM $pid
wait $pid
rm -f ready
nothing_lost 0 1 2

behaviour "$MPI: SIGUSR1 to one rank"
timeout --foreground -k 10 $seconds "$MPI_RUN" -n 2 env PDUMP_SIGNALS=USR1 \
    harm signalled >"$work/out" 2>"$work/err" </dev/null &
pid=$!
comes pid-0
comes pid-1
kill -USR1 "$(cat pid-1)"
comes perf_dump.rank-1.csv
: >go-on
wait $pid
same $? 0 "exit code"
rm -f go-on pid-0 pid-1
good 2
files perf_dump perf_dump.rank-1
dump perf_dump.rank-1 "$(worked 1)"
dump perf_dump "$(worked 0 1)" '0 later 1' '1 later 1'

# Ranks that do not come.
late='not all of the 3 ranks came within 60 s (PDUMP_MPI_TIMEOUT); each rank'

job 0 3 harm foreign
done_by 3
said 2 "$late"
stores 0
files perf_dump.rank-0 perf_dump.rank-2
nothing_lost 0 2

# A rank that can count none of its events records the time.
job 0 1 harm careless : -n 1 env PDUMP_EVENTS=NO_SUCH harm careless : \
    -n 1 harm careless
done_by 3
stores 0
files perf_dump
noted 'only time is recorded: none of the events'

job 0 3 harm stuck
done_by 3
said 3 "$late"
stores 0
files perf_dump.rank-0 perf_dump.rank-1 perf_dump.rank-2
nothing_lost 0 1 2

job 0 3 harm forgotten
done_by 3
said 2 "$late"
stores 0
files middle.rank-0 middle.rank-2 perf_dump
dump perf_dump "$(worked 0 1 2)"
dump middle.rank-2 "$(worked 2)"

# Folders that cannot be written to.
mkdir "$work/tmp"

job 0 1 PDUMP_DUMP_DIR=/proc/nowhere TMPDIR="$work/tmp" lives plain : \
    -n 2 env TMPDIR="$work/tmp" lives plain
done_by 3
said 1 'the output is in '
stores 0
same "$(ls -A)" '' "files"
cd "$(dirname "$(find "$work/tmp" -name perf_dump.csv)")" || exit 99
dump perf_dump "$(worked 0 1 2)"

job 0 1 lives plain : \
    -n 2 env PDUMP_DUMP_DIR=/proc/nowhere TMPDIR=/proc/nowhere lives plain
good 3
files perf_dump
dump perf_dump "$(worked 0 1 2)"

# Rank 0 can write nowhere: the others still can, and its records are kept.
job 0 1 PDUMP_DUMP_DIR=/proc/nowhere TMPDIR=/proc/nowhere lives plain : \
    -n 2 lives plain
done_by 3
stores 1
same "$(grep -c '^pdump: rank [12]: rank 0 could not write; each rank' \
    "$work/err")" 2 "messages of the others"
warns 'are kept: pdump recover'
files perf_dump.rank-1 perf_dump.rank-2
nothing_lost 0 1 2

behaviour "$MPI: a full disk"
mkdir -p "$work/disk"
if mount -t tmpfs -o size=64k pdump-test "$work/disk" 2>/dev/null; then
    rm -rf "$work/tmp"
    mkdir "$work/tmp"
    dd if=/dev/zero of="$work/disk/filler" bs=4096 2>/dev/null
    ranks 3 PDUMP_DUMP_DIR="$work/disk" TMPDIR="$work/tmp" shapes many
    done_by 3
    said 1 'the output is in '
    stores 0
    same "$(ls -A "$work/disk")" filler "files on the full disk"
    cd "$(dirname "$(find "$work/tmp" -name perf_dump.csv)")" || exit 99
    same "$(rows perf_dump | wc -l | tr -d ' ')" 15000 rows
    cd / && umount "$work/disk"
fi

finish
