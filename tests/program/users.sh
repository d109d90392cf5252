#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a second user of the machine plants is not followed, waited for, merged,
# deleted or loaded; what is ours still is.
example=$PWD/.libs/pdump_example.so
library=$PWD/../libpdump/.libs/libpdump.so.0
env_py=$(cd "${srcdir:-.}/../bindings/python/pdump" && pwd)/_env.py
. "${srcdir:-.}/program/users/kit.sh"

n_left() { ls -A "$PDUMP_STORE" | wc -l | tr -d ' '; }

# A store that a process of this user, or of the other one, has left.
seed_of() {
    PDUMP_STORE=$work/seeds PDUMP_MEMORY_MAX=1 $1 timeout 300 \
        survivor killed >/dev/null 2>&1
    mv "$work"/seeds/*.store "$2" || exit 99
}
mkdir -m 1777 "$work/seeds" && chmod 1777 "$work/seeds"
case_of a store of each user
seed_of "" "$work/own.store"
seed_of "$other" "$work/foreign.store"
chmod 644 "$work/foreign.store" # only so that it can be copied

case_of recover and top take the stores of their own user only
PDUMP_STORE=$PDUMP_STORE $other timeout 300 survivor killed >/dev/null 2>&1
same "$(n_left)" 1 "stores of the other user"
foreign=$(echo "$PDUMP_STORE"/*)
run 1 "$pdump" recover "$PDUMP_STORE"
err_has 'no store of a dead process'
out_has '1 store of other users, or open to them, left alone'
absent perf_dump.csv
same "$(n_left)" 1 "stores after that"
run 1 "$pdump" recover "$foreign"
err_has 'belongs to user 65534'
run 1 "$pdump" recover --clean "$PDUMP_STORE"
same "$(n_left)" 1 "stores after --clean"
run 1 "$pdump" report "$foreign"
err_has 'belongs to user 65534'
run 1 "$pdump" top --once "$PDUMP_STORE"
err_has 'no running process'
run 2 "$pdump" recover --user nobody-at-all "$PDUMP_STORE"
err_has 'there is no user "nobody-at-all"'
run 1 "$pdump" recover --user 1 "$PDUMP_STORE"
same "$(n_left)" 1 "stores after that of yet another user"
run 0 "$pdump" recover --user 65534 "$PDUMP_STORE"
same "$(visits main/solve)" 10 "visits of the other user's program"
same "$(n_left)" 0 "stores in the end"

case_of what is open to others or has two names is not read
cp "$work/own.store" open.store
chmod 622 open.store
run 1 "$pdump" report open.store
err_has 'other users can write to it'
cp "$work/own.store" two.store
ln two.store names.store
run 1 "$pdump" report two.store
err_has 'several names'
cp "$work/own.store" one.store
run 0 "$pdump" report one.store
out_has solve

# A followed program whose run has a name that everybody knows, as that of a job
# has.  Files are planted while it runs; then it ends.
# during COMMAND...: run COMMAND, for which $pid is the program's.
during() {
    env OMPI_COMM_WORLD_RANK=0 PMIX_NAMESPACE=planted PDUMP_FOLLOW=1 \
        timeout -k 10 300 "$victim" wait >"$work/out" 2>"$work/err" </dev/null &
    job=$!
    n=0
    while [ ! -f pid ] && [ $n -lt 30000 ]; do
        sleep 0.01
        n=$((n + 1))
    done
    pid=$(cat pid)
    "$@"
    : >go
    wait $job
    same $? 0 "exit code of the program"
    dump=$(ls perf_dump*.csv | grep -v meta)
    same "$(cells "$dump" visits path=mine)" 1 "its own visits"
}

# rows NUMBER: so many of the planted visits are in its dump.
rows() {
    same "$(cells "$dump" visits path=main/solve |
        awk '{ n += $1 } END { print n + 0 }')" "$1" "planted visits"
}

name=pdump-planted-1.store
planted() { $1 "$plant" "$2" "$PDUMP_STORE/$name" planted "$pid" "$3"; }

case_of an own store that was left to the run is taken
during planted "" "$work/own.store" ""
rows 10
same "$(n_left)" 0 "stores left"

case_of the store of another user is not taken
: >precious.events
during planted "$other" "$work/foreign.store" "$PWD/precious.events"
rows 0
there precious.events
same "$(n_left)" 1 "stores left"
err_has '1 file is named as a store of this run'

case_of a pipe keeps nobody from ending
$other mkfifo "$PDUMP_STORE/$name"
during true
rows 0
[ -p "$PDUMP_STORE/$name" ] || failed "the pipe is gone"

case_of a pipe does not keep pdump run from ending
$other mkfifo "$PDUMP_STORE/$name"
if [ -f "$modules/libpdump-run.so" ] && ! is_sanitized; then
    run 0 PDUMP_MODULES="$modules" OMPI_COMM_WORLD_RANK=0 \
        PMIX_NAMESPACE=planted "$pdump" run --quiet cat /dev/null
    dump=$(ls perf_dump*.csv | grep -v meta)
    same "$(cells "$dump" region group=program)" cat programs
fi
[ -p "$PDUMP_STORE/$name" ] || failed "the pipe is gone"

case_of a program that gives up root leaves all of it to the run
if [ -f "$modules/libpdump-run.so" ] && ! is_sanitized; then
    run 0 PDUMP_MODULES="$modules" "$pdump" run --quiet \
        "$victim" lower
    quiet
    same "$(cells perf_dump.csv region | grep -c '^lower')" 10000 regions
    same "$(ls | wc -l)" 2 "files of one dump"
    same "$(n_left)" 0 "stores left"
    run 0 PDUMP_MODULES="$modules" "$pdump" run --quiet \
        $other "$victim"
    quiet
    same "$(cells perf_dump.csv region group=user)" mine "regions of the other user"
    same "$(n_left)" 0 "stores left"
fi

case_of a link is not followed
link() {
    planted "" "$work/own.store" "" &&
        mv "$PDUMP_STORE/$name" target.store &&
        ln -s "$PWD/target.store" "$PDUMP_STORE/$name"
}
during link
rows 0
there target.store

case_of a hard link is not taken
link() {
    planted "" "$work/own.store" "" && ln "$PDUMP_STORE/$name" second.store
}
during link
rows 0
same "$(n_left)" 1 "stores left"

case_of what everybody can write to is not taken
open_to_all() {
    planted "" "$work/own.store" "" && chmod 666 "$PDUMP_STORE/$name"
}
during open_to_all
rows 0
same "$(n_left)" 1 "stores left"

case_of a store that is shorter than it says is not taken
shorten() {
    planted "" "$work/own.store" "" &&
        truncate -s -5000 "$PDUMP_STORE/$name"
}
during shorten
rows 0
same "$(n_left)" 1 "stores left"

case_of a file of events with a folder in its name is not touched
: >precious.events
during planted "" "$work/own.store" "$PWD/precious.events"
rows 10
there precious.events
case_of a file of events one folder up is not touched
: >"$work/precious.events"
during planted "" "$work/own.store" ../precious.events
there "$work/precious.events"

case_of a link in place of the file of events is not followed
: >precious.events
ln -s "$PWD/precious.events" "$PDUMP_STORE/x.events"
during planted "" "$work/own.store" x.events
there precious.events
[ -L "$PDUMP_STORE/x.events" ] || failed "the link is gone"

case_of a name that is taken is not written over
$other sh -c "echo precious >'$PDUMP_STORE/$name.taken'"
during planted "" "$work/own.store" ""
same "$(cat "$PDUMP_STORE/$name.taken")" precious "the other user's file"

case_of a privileged program obeys no variable
mkdir -m 700 secret && echo SECRETLINE >secret/file && chmod 600 secret/file
mkdir -m 777 made modules
cp "$victim" privileged && chmod 4755 privileged
cp "$example" modules/pdump_hdf5.so
if [ "$($other ./privileged 2>/dev/null)" = "65534 0" ]; then
    rm -f perf_dump* # as whom it was run by chose nothing
    run 0 PDUMP_FILTER="$PWD/secret/file" PDUMP_DUMP_DIR="$PWD/made/new" \
        PDUMP_MODULES="$PWD/modules" PDUMP_OUTPUT_FORMAT=auto \
        PDUMP_STORE="$PDUMP_STORE" PDUMP_NO_SUCH=1 $other ./privileged
    quiet
    absent made/new
    absent perf_dump.csv
    same "$(n_left)" 0 "stores left"
    run 0 PDUMP_DUMP_DIR="$PWD/made/new" $other ./privileged set "$PWD/made/set"
    absent made/new
    same "$(ls made/set | grep -c '^perf_dump')" 2 "files that it chose"
else
    echo "skipped: programs in $work get no rights from their file (nosuid)"
fi

case_of Python with rights of its file obeys no variable
look='import runpy; e = runpy.run_path("own_env.py")
print(e["PRIVILEGED"], e["get"]("PDUMP_LIBRARY"))'
cp "$env_py" own_env.py
# Not every Python is where the second user can run it.
for python in "${PYTHON:-}" /usr/bin/python3; do
    cp "$(readlink -f "$python")" own_py 2>/dev/null && chmod 4755 own_py &&
        [ "$($other ./own_py -c 'import os; print(os.geteuid())' \
            2>/dev/null)" = 0 ] && break
    rm -f own_py
done
if [ -f own_py ]; then
    run 0 PDUMP_LIBRARY=/nowhere $other ./own_py -c "$look"
    same "$(cat "$work/out")" "True None" "what it obeys"
    chmod 755 own_py
    run 0 PDUMP_LIBRARY=/nowhere $other ./own_py -c "$look"
    same "$(cat "$work/out")" "False /nowhere" "what it obeys without rights"
else
    echo "skipped: no Python that can be copied"
fi

# loads FOLDER TEXT: what pdump info says of the module in that folder.
loads() {
    run 0 PDUMP_MODULES="$1" "$pdump" info
    grep '^  hdf5 ' "$work/out" | grep -qF -e "$2" ||
        failed "$1: $(grep '^  hdf5 ' "$work/out") instead of $2"
}
case_of modules of others are not loaded
mkdir -m 755 own theirs open
for folder in own theirs open; do
    cp "$example" $folder/pdump_hdf5.so && chmod 755 $folder/*.so
done
chmod 755 .
loads "$PWD/own" "  $PWD/own/pdump_hdf5.so"
chown -R 65534 theirs
chmod 777 open
loads "$PWD/theirs" 'belongs to another user'
loads "$PWD/open" 'can be changed by others'
chmod 755 open
chmod 666 open/*.so
loads "$PWD/open" 'can be changed by others'
chmod 755 open/*.so
loads "$PWD/open" "  $PWD/open/pdump_hdf5.so"
chmod 777 .
loads "$PWD/open" 'can be changed by others' # the folder can be replaced

# Software trees belong to an account of their own, which nobody runs programs
# as: whoever loads its libpdump.so may load its modules.
case_of modules of whom the library belongs to are loaded
real=$(dirname "$pdump")/.libs/pdump
mkdir -m 755 tree
cp -L "$library" tree 2>/dev/null
cp "$example" tree/pdump_hdf5.so && chmod 755 . tree tree/*
chown -R 65534 tree
if [ -f "$real" ] && [ -f tree/libpdump.so.0 ]; then
    run 0 LD_LIBRARY_PATH="$PWD/tree" PDUMP_MODULES="$PWD/tree" "$real" info
    out_has "  $PWD/tree/pdump_hdf5.so"
    chown 0 tree/libpdump.so.0
    run 0 LD_LIBRARY_PATH="$PWD/tree" PDUMP_MODULES="$PWD/tree" "$real" info
    out_has 'belongs to another user'
fi
finish
