#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pdump recover: what killed programs had recorded comes back, once and whole.
# Every call names its folder or only lists: the default folders are those of
# whoever runs the tests, and their stores are none of ours.
. "${srcdir:-.}/program/behaviour/kit.sh"

stores=$work/stores

# begin WORD...: a new case, with an empty folder for stores.
begin() {
    behaviour "$@"
    rm -rf "$stores"
    mkdir "$stores" || exit 99
}

# leave CASE [VARIABLE=VALUE]...: a program that dies and leaves a store.
leave() {
    name=$1
    shift
    timeout 300 env PDUMP_EVENTS=none PDUMP_STORE="$stores" "$@" \
        survivor "$name" >"$work/said" 2>&1 </dev/null
}

# recover CODE ARGUMENT...: as run().
recover() {
    wanted=$1
    shift
    run "$wanted" "$pdump" recover "$@"
}

out_has() { grep -qF -e "$1" "$work/out" || failed "stdout has no \"$1\""; }
err_has() { grep -qF -e "$1" "$work/err" || failed "stderr has no \"$1\""; }
n_stores() { ls -A "$stores" | grep -c '\.store'; }
n_files() { ls -A | wc -l | tr -d ' '; }
# Nothing but regular files, whatever the store was.
is_no_crash() { [ $code -lt 126 ] || failed "ended by $code"; }

begin a killed program is recovered
leave killed
same "$(n_stores)" 1 "stores left"
recover 0 "$stores"
quiet
out_has 'wrote ./perf_dump.csv'
out_has '2 rows, 1 thread'
same "$(visits main/solve)" 10 visits
same "$(cells perf_dump.csv open path=main)" 1 "main is open"
same "$(cells perf_dump.csv open path=main/solve)" 0 "solve is not"
same "$(n_stores)" 0 "stores after"
readable perf_dump.csv

begin times are real times
leave timed
recover 0 "$stores"/*.store
time=$(cells perf_dump.csv 'time.sum [ns]' path=nap)
read -r least most <"$work/said"
awk -v t="$time" -v least="$least" -v most="$most" \
    'BEGIN { exit !(t >= least * 0.99 && t <= most * 1.01) }' ||
    failed "a nap of $least to $most ns became one of $time"

begin all processes of a run are one dump
leave family PDUMP_FOLLOW=1
same "$(n_stores)" 3 "stores left"
recover 0 "$stores"
out_has 'removed 3 stores'
same "$(cells perf_dump.csv pid | sort -u | wc -l | tr -d ' ')" 3 processes
same "$(visits main/solve)" 10 "visits of the first"
same "$(visits child/solve)" 20 "visits of its children"
same "$(n_files)" 2 files

begin two runs are two dumps, under the name that was asked for
leave killed
leave family PDUMP_FOLLOW=1
recover 0 -o out/crash.json "$stores"
same "$(ls out | grep -c '^crash-[0-9a-f]*\.json$')" 2 files
same "$(n_stores)" 4 "stores are kept: JSON is not read back"
out_has 'the stores are kept'
recover 0 -ocrash --format csv,json "$stores"
same "$(ls | grep -c '^crash-[0-9a-f]*\.csv$')" 2 files
same "$(n_stores)" 0 "stores after"

begin nothing is overwritten
leave killed
echo precious >perf_dump.csv
PDUMP_OVERWRITE=1
export PDUMP_OVERWRITE
recover 0 "$stores"
unset PDUMP_OVERWRITE
same "$(cat perf_dump.old-1.csv)" precious "the file that was there"
same "$(visits main/solve)" 10 visits

begin the signal that was asked to be noted is told
leave signalled PDUMP_SIGNALS=TERM
recover 0 --list "$stores"
out_has 'signal 15'
out_has 'survivor signalled'

begin --list and --keep remove nothing
leave killed
recover 0 --list "$stores"
same "$(n_files)" 0 "files by --list"
recover 0 --keep "$stores"
same "$(n_stores)" 1 "stores after --keep"
there perf_dump.csv
# The default folders may have stores of others, which fail as they like.
PDUMP_STORE=$stores timeout 300 "$pdump" recover --list >"$work/out" 2>"$work/err"
out_has "$stores/pdump-"

begin without a name, what there is is listed and not touched
leave killed

PDUMP_STORE=$stores timeout 300 "$pdump" recover >"$work/out" 2>"$work/err"
out_has "$stores/pdump-"
out_has 'survivor killed'
out_has '2 rows, 1 thread'
out_has ", user $(id -un), "
out_has 'Nothing was touched.'
same "$(n_stores)" 1 "stores after the list"
same "$(n_files)" 0 files
for bad in --clean --keep --format=csv --output=x; do
    recover 2 "$bad"
    err_has 'pdump recover: which stores?'
done
same "$(n_stores)" 1 "stores after bad requests"

begin the folder for stores is made
leave killed PDUMP_STORE="$stores/made/here"
same "$(ls "$stores/made/here" | wc -l | tr -d ' ')" 1 stores
recover 0 "$stores/made/here"
same "$(visits main/solve)" 10 visits

# next_run [VARIABLE=VALUE]...: another program that ends as usual.
next_run() {
    run 0 PDUMP_EVENTS=none PDUMP_STORE="$stores" "$@" sessions return
}

begin the next run in the folder says that a run was killed
leave family PDUMP_FOLLOW=1
left=$(ls "$stores"/*.store | sed -n '1s/-[0-9]*\.store$//p')
next_run
same "$(cat "$work/err")" "pdump: an earlier run in this folder ended without \
writing its dump; to make it: pdump recover $left-*.store" message
cells perf_dump.meta.csv value table=warning key=text | grep -q 'earlier run' &&
    failed "the other run's dump has the message"
next_run PDUMP_QUIET=1
quiet
next_run PDUMP_DUMP_DIR=elsewhere
quiet
next_run PDUMP_STORE=off
quiet
leave killed
next_run
warns 'pdump: 2 earlier runs in this folder ended without writing their dumps'
run 0 PDUMP_STORE="$stores" "$pdump" report
warns 'pdump report: a run here ended without its dump; to make it: pdump recover --list'
recover 0 "$stores"
next_run
quiet
run 0 PDUMP_STORE="$stores" "$pdump" report
! grep -q 'ended without' "$work/err" || failed "what is not there"

begin a store that a dead process had taken over is found
leave killed
for store in "$stores"/*.store; do mv "$store" "$store.taken"; done
recover 0 "$stores"
same "$(visits main/solve)" 10 visits
same "$(n_stores)" 0 "stores after"

begin --clean removes only stores, and those that are old enough
leave killed
recover 0 --clean --older=1 "$stores"
same "$(n_stores)" 1 "young stores"
echo precious >precious.csv
recover 1 --clean precious.csv
err_has 'not a store'
there precious.csv
cp precious.csv "$stores/pdump-alien-1.store"
recover 0 --clean "$stores"
out_has 'removed '
same "$(ls -A "$stores")" pdump-alien-1.store "what is left"
absent perf_dump.csv

begin living processes and their run are left alone
mkfifo said
env PDUMP_EVENTS=none PDUMP_FOLLOW=1 PDUMP_STORE="$stores" \
    survivor live >said 2>/dev/null &
alive=$!
read -r line <said
leave killed
recover 0 "$stores"
out_has 'alive: not touched'
same "$(n_stores)" 1 "the living one's store"
recover 1 "$stores"
err_has 'no store of a dead process'
recover 1 --clean "$stores"/*.store
same "$(n_stores)" 1 "the living one's store"
rm perf_dump.*
kill $alive
wait $alive
same "$(visits busy)" 1 "its own dump"
same "$(n_stores)" 0 "stores in the end"

begin a store that was cut anywhere spoils no other
leave killed
good=$(ls "$stores"/*.store)
# The first 64 KiB are in use, at least.
for bytes in 0 1 7 8 60 100 200 300 1000 5000 30000 40000 65535; do
    head -c "$bytes" "$good" >"$stores/pdump-cut-1.store"
    rm -f perf_dump.*
    recover 1 --keep "$stores"
    is_no_crash
    [ -s "$work/err" ] || failed "cut at $bytes: no message"
    cat perf_dump*.csv 2>/dev/null | grep -q 'main/solve.*,10,' ||
        failed "cut at $bytes: the other one is missing"
    recover 1 "$stores/pdump-cut-1.store"
    is_no_crash
    [ -f "$stores/pdump-cut-1.store" ] || failed "cut at $bytes: removed"
done
recover 0 --clean "$stores"
same "$(n_stores)" 0 "stores after --clean"

begin noise in a store is no crash
leave killed
good=$(ls "$stores"/*.store)
seed=1
while [ $seed -le 20 ]; do
    cp "$good" "$stores/pdump-bad-1.store"
    at=$((seed * 977 % 30000))
    printf '\377\177\377\177\377\377\377\377' |
        dd of="$stores/pdump-bad-1.store" bs=1 seek=$at conv=notrunc 2>/dev/null
    run_any() { timeout 300 "$pdump" recover --keep -o bad \
        "$stores/pdump-bad-1.store" >"$work/out" 2>"$work/err"; }
    run_any
    code=$?
    is_no_crash
    seed=$((seed + 1))
done

begin what only looks like a store is not opened
mkfifo "$stores/pdump-pipe-1.store"
ln -s /dev/zero "$stores/pdump-link-1.store"
mkdir "$stores/pdump-folder-1.store"
seconds=300 recover 1 "$stores"
err_has 'no store of a dead process'

begin nothing is removed that was not written
leave killed
: >file
run 1 PDUMP_DUMP_DIR=file/x TMPDIR=file/y "$pdump" recover "$stores"
err_has 'the stores are kept'
same "$(n_stores)" 1 stores

begin bad requests are refused
recover 1 nowhere
err_has 'nowhere: '
mkdir empty
recover 1 empty
for bad in --format=nothing --output= --output=out/ --older=1 --nothing -x; do
    recover 2 "$bad" empty
    err_has 'pdump recover: '
done
recover 2 --clean --older=x empty
recover 2 --clean --list empty
recover 2 --clean --keep empty
recover 2 -o
err_has '-o needs a value'
recover 0 --help
out_has 'Usage: pdump recover'
out_has '-o, --output=NAME'
finish
