#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Full disks and strange paths: the program notices nothing, nobody's file is
# lost, and one message says where the data is.
quota=$PWD/.libs/quota.so
writer=$PWD/program/faults/writer
# Hundreds of files are flushed to the disk: take one that is quick.
[ -w /dev/shm ] && TMPDIR=/dev/shm && export TMPDIR
. "${srcdir:-.}/program/behaviour/kit.sh"

disk=$work/disk # what fails is below it
all=400         # visits of `writer small`
unset TMPDIR

unmount() {
    mountpoint -q "$disk" && umount "$disk"
}
trap 'cd /; unmount; rm -rf "$work"' EXIT
trap 'exit 99' HUP INT PIPE TERM

# fault WORD...: a new case, with an empty disk and a folder for the rest.
fault() {
    behaviour "$@"
    unmount
    rm -rf "$disk" "$work/tmp" "$work/back"
    mkdir "$disk" "$work/tmp" "$work/back" || exit 99
    out=$disk/out
}

# with_disk SIZE: the disk is small.  False where that is not permitted.
with_disk() {
    mount -t tmpfs -o "size=$1" pdump-test "$disk" 2>/dev/null
}

# somebody FILE...: files that are not ours.
somebody() {
    mkdir -p "$out"
    for file in "$@"; do
        echo "somebody's data" >"$out/$file"
    done
}

# measure CASE [VARIABLE=VALUE]...: the program is not disturbed.
measure() {
    name=$1
    shift
    run 7 PDUMP_EVENTS=none PDUMP_DUMP_DIR="$out" TMPDIR="$work/tmp" "$@" \
        "$writer" "$name"
    same "$(cat "$work/out")" "begin
end" stdout
}

# one_message: at most one line, and it is ours.
one_message() {
    [ "$(wc -l <"$work/err")" -le 1 ] || failed "more than one message"
    grep -v '^pdump: ' "$work/err" && failed "not our message"
}

# find_dump: in $dump, from what the message says, else where it was wanted.
find_dump() {
    said=$(cat "$work/err")
    case $said in
    *"the output is in "*" again")
        one_copy
        dump=$out/perf_dump.csv
        ;;
    *"; the output is in "*)
        dump=${said##*; the output is in }
        stores 0
        ;;
    *"are kept: pdump recover "*)
        recovered_from "${said##*are kept: pdump recover }"
        dump=$work/back/perf_dump.csv
        ;;
    *"; writing "*" instead")
        dump=${said##*; writing }
        dump=$out/${dump%% instead}
        stores 0
        ;;
    *)
        dump=$out/perf_dump.csv
        stores 0
        ;;
    esac
}

# one_copy: what was written elsewhere when the folder failed is gone.
one_copy() {
    same "$(find "$work/tmp" -type f)" '' "copies elsewhere"
    stores 0
}

recovered_from() {
    [ -f "$1" ] || failed "there is no store $1"
    stores 1
    (cd "$work/back" && env PDUMP_DUMP_DIR=. PDUMP_OVERWRITE=1 \
        timeout 300 "$pdump" recover "$1") >"$work/said" 2>&1 ||
        failed "pdump recover: $(cat "$work/said")"
    stores 0
}

n_visits() {
    cells "$1" visits | awk '{ n += $1 } END { print n + 0 }'
}

# complete [VISITS]: the data is where the message says, and nothing else is.
complete() {
    find_dump
    same "$(n_visits "$dump")" "${1:-$all}" "visits in $dump"
    [ -f "${dump%.csv}.meta.csv" ] || failed "no meta file for $dump"
    tidy
}

# No temporary file anywhere.
tidy() {
    same "$(find "$disk" "$work/tmp" -name '.*' -type f)" '' "left behind"
}

# untouched NUMBER: so many files of somebody have what they had.
untouched() {
    same "$(grep -rlx "somebody's data" "$out" | wc -l | tr -d ' ')" "$1" \
        "files of somebody"
}

# Every call that can fail, one by one: QUOTA_AT=1, 2, ... until none is left.
# each_call CASE [VARIABLE=VALUE]...
each_call() {
    case_name=$1
    shift
    first=$what
    n=0
    while n=$((n + 1)) && [ $n -lt 300 ]; do
        fault "$first, call $n"
        somebody perf_dump.csv perf_dump.meta.csv
        rm -f "$work/log"
        measure "$case_name" LD_PRELOAD="$quota" QUOTA_AT=$n \
            QUOTA_LOG="$work/log" "$@"
        what="$first, call $n ($(head -n 1 "$work/log" 2>/dev/null))"
        one_message
        complete
        untouched 2
        [ -s "$work/log" ] || break
    done
    # One that ends at once has tested nothing.
    at_least $n "$least" "calls that can fail"
    [ $n -lt 300 ] || failed "there is no end of failures"
}

# The sanitizers' own library has to be the first.
if is_sanitized; then
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
    export ASAN_OPTIONS
fi

if [ -f "$quota" ]; then
    least=15
    fault one failing call below the output folder
    each_call small QUOTA_DIR="$disk" QUOTA_ERROR=EDQUOT

    fault the output folder fails from some call on
    each_call small QUOTA_DIR="$disk" QUOTA_ERROR=ENOSPC QUOTA_STAYS=1 \
        PDUMP_RECORD=profile,samples

    fault neither the output folder nor the temporary one
    each_call flushing QUOTA_DIR="$disk" QUOTA_ERROR=EIO QUOTA_STAYS=1 \
        TMPDIR="$disk/tmp"

    fault a flush fails, and later ones do not
    n=0
    while n=$((n + 3)) && [ $n -le 40 ]; do
        fault "a flush fails, and later ones do not, call $n"
        somebody perf_dump.csv perf_dump.meta.csv
        measure flushing LD_PRELOAD="$quota" QUOTA_DIR="$disk" QUOTA_AT=$n
        if grep -q 'cannot be renamed; writing' "$work/err"; then
            # Of the flush only: now the wished name is free.
            : >"$work/err"
        fi
        complete
        untouched 2
    done

    least=3
    fault a disk that loses what it has accepted
    each_call small QUOTA_DIR="$disk" QUOTA_ERROR=LIE \
        PDUMP_RECORD=profile,samples

    fault a disk that loses everything
    measure small LD_PRELOAD="$quota" QUOTA_DIR="$disk" QUOTA_ERROR=LIE \
        QUOTA_AT=1 QUOTA_STAYS=1 TMPDIR="$disk/tmp"
    one_message
    warns 'pdump recover'
    complete

    least=2
    fault one failing call of the store
    each_call small QUOTA_DIR="$PDUMP_STORE" QUOTA_ERROR=EDQUOT
    fault the store fails from some call on
    each_call small QUOTA_DIR="$PDUMP_STORE" QUOTA_ERROR=EIO QUOTA_STAYS=1
fi

fault the store cannot be made
measure small PDUMP_STORE=/proc/nowhere
warns 'does not survive a kill'
complete

# blocks FREE: fill the disk but for so many blocks of 4 KiB.
blocks() {
    rm -f "$disk/filler"
    mkdir -p "$out"
    dd if=/dev/zero of="$disk/filler" bs=4096 2>/dev/null
    truncate -s "-$(($1 * 4096))" "$disk/filler"
}

fault a full disk
if with_disk 128k; then
    free=-1
    while free=$((free + 1)) && [ $free -le 30 ]; do
        what="a disk with $free free blocks"
        rm -rf "$out" "$work/tmp" "$work/back"
        mkdir "$work/tmp" "$work/back"
        blocks $free
        measure small PDUMP_RECORD=profile,samples
        one_message
        complete
        [ -s "$work/err" ] || break
        same "$(ls -A "$out")" '' "files on the full disk"
    done
    at_least $free 3 "sizes of the disk that were too small"

    what="full, and the temporary folder, too"
    rm -rf "$out"
    mkdir "$disk/tmp"
    blocks 1
    measure small TMPDIR="$disk/tmp"
    one_message
    warns 'pdump recover'
    complete

    what="full, and no store"
    measure small TMPDIR="$disk/tmp" PDUMP_STORE=off
    one_message
    warns 'the measurement is lost'
    tidy

    # The store's disk: 256 KiB are the least that it asks for.
    for size in 4k 256k 600k; do
        fault "a disk of $size for the store"
        with_disk $size
        out=$work/here
        measure large PDUMP_STORE="$disk"
        one_message
        warns "does not survive a kill"
        complete 6000
        same "$(ls -A "$disk")" '' "stores left"

        what="a disk of $size for the store of a child"
        rm -f "$work"/here/*
        measure large_child PDUMP_STORE="$disk" PDUMP_FOLLOW=1
        same "$(cat perf_dump*.csv | grep -c ',a region with a long name')" \
            6000 "rows of the child"
        same "$(cat perf_dump*.csv | grep -c ',parent,user')" 1 "of the parent"
        same "$(ls -A "$disk")" '' "stores left"

        what="a disk of $size for the store, and nowhere for the dump"
        rm -f "$work"/here/*
        measure large PDUMP_STORE="$disk" PDUMP_DUMP_DIR=/proc/nowhere \
            TMPDIR=/proc/nowhere
        if ls "$disk"/*.store >/dev/null 2>&1; then
            warns 'that the store had room for are kept'
            timeout 300 "$pdump" recover "$disk" >"$work/said" 2>&1
            at_least "$(n_visits perf_dump.csv)" 100 "visits recovered"
        else
            warns 'the measurement is lost'
        fi

        what="killed with a disk of $size for the store"
        rm -f "$work"/here/* "$disk"/*
        run 137 PDUMP_EVENTS=none PDUMP_STORE="$disk" "$writer" killed
        if [ -n "$(ls -A "$disk")" ]; then
            timeout 300 "$pdump" recover "$disk" >"$work/said" 2>&1
            at_least "$(n_visits perf_dump.csv)" 100 "visits recovered"
        fi
    done

    fault a disk that can only be read
    with_disk 1m
    somebody perf_dump.csv
    mount -o remount,ro "$disk"
    measure small
    one_message
    warns 'the output is in'
    complete
    untouched 1
fi
unmount

# Paths.  In each, what is in the way stays what it is.
for flag in 0 1; do
    fault "the name is a link, PDUMP_OVERWRITE=$flag"
    somebody victim
    ln -s victim "$out/perf_dump.csv"
    ln -s nowhere "$out/perf_dump.meta.csv"
    measure small PDUMP_OVERWRITE=$flag
    one_message
    complete
    untouched 1
    [ -L "$out/perf_dump.csv" ] || failed "the link is gone"
    absent "$out/nowhere"

    fault "the name is a folder, PDUMP_OVERWRITE=$flag"
    mkdir -p "$out/perf_dump.meta.csv"
    measure small PDUMP_OVERWRITE=$flag
    one_message
    complete
    [ -d "$out/perf_dump.meta.csv" ] || failed "the folder is gone"

    fault "the name is a pipe, PDUMP_OVERWRITE=$flag"
    mkdir "$out"
    mkfifo "$out/perf_dump.csv"
    measure small PDUMP_OVERWRITE=$flag
    one_message
    complete
    [ -p "$out/perf_dump.csv" ] || failed "the pipe is gone"

    fault "the name is a device, PDUMP_OVERWRITE=$flag"
    mkdir "$out"
    if mknod "$out/perf_dump.csv" c 1 7 2>/dev/null; then
        measure small PDUMP_OVERWRITE=$flag
        one_message
        complete
        [ -c "$out/perf_dump.csv" ] || failed "the device is gone"
    fi
done

fault the folder is a file
somebody file
measure small PDUMP_DUMP_DIR="$out/file"
one_message
warns 'the output is in'
complete
untouched 1

fault the folder is a link to nowhere
mkdir "$out"
ln -s nowhere "$out/link"
measure small PDUMP_DUMP_DIR="$out/link/deeper"
one_message
complete

fault the folder is none that can be made
measure small PDUMP_DUMP_DIR=/proc/self/nothing
one_message
complete

fault the name of a store is taken by a link
somebody victim
mkdir "$out/stores"
measure small PDUMP_STORE="$out/victim"
one_message
complete
untouched 1

# A folder of somebody else's, where files can neither be made nor renamed.
fault the file and folder of somebody else
somebody perf_dump.csv
chmod 755 "$work" "$disk"
chmod 555 "$out"
if [ "$(id -u)" -eq 0 ]; then
    chown 1 "$out" "$out/perf_dump.csv"
    chmod 777 "$work/tmp" "$PDUMP_STORE"
    as="setpriv --reuid 65534 --regid 65534 --clear-groups"
    $as true 2>/dev/null && $as "$writer" 2>/dev/null
    [ $? -eq 99 ] || as=none # not even the program can be run
else
    as=
fi
if [ "$as" != none ]; then
    run 7 PDUMP_EVENTS=none PDUMP_DUMP_DIR="$out" TMPDIR="$work/tmp" $as \
        "$writer" small
    one_message
    warns 'the output is in'
    complete
    untouched 1
fi
chmod 755 "$out"

# Several at once with one name.
for many in 2 8; do
    fault "$many processes with the same name"
    mkdir "$out"
    somebody perf_dump.csv perf_dump.meta.csv
    cd "$out" || exit 99
    pids=
    i=0
    while i=$((i + 1)) && [ $i -le $many ]; do
        PDUMP_EVENTS=none PDUMP_DUMP_DIR="$out" timeout 300 "$writer" together \
            >"$work/said.$i" 2>>"$work/err" </dev/null &
        pids="$pids $!"
    done
    : >go
    for pid in $pids; do
        wait "$pid"
        same $? 7 "exit code"
    done
    rm go
    quiet
    untouched 2
    tidy
    stores 0
    n=0
    for dump in perf_dump*.csv; do
        case $dump in
        *.meta.csv) continue ;;
        esac
        there "${dump%.csv}.meta.csv"
        grep -qx "somebody's data" "$dump" && continue
        same "$(n_visits "$dump")" $all "visits in $dump"
        # Its meta file is of the same process.
        grep -q ",pid,$(cells "$dump" pid | head -n 1)\$" \
            "${dump%.csv}.meta.csv" || failed "$dump is mixed"
        n=$((n + 1))
    done
    same $n "$many" dumps
done
finish
