#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Whatever goes wrong, the measured program prints and exits as without us.
. "${srcdir:-.}/program/behaviour/kit.sh"

victim plain >"$work/plain"
huge=$(head -c 100000 /dev/zero | tr '\0' x)
TMPDIR=$work/tmp
# Where no module is: "auto" is to be CSV here, also where HDF5's is installed.
PDUMP_MODULES=$TMPDIR
export TMPDIR PDUMP_MODULES
mkdir "$TMPDIR"

# unharmed [VARIABLE=VALUE]... [PROGRAM ARGUMENT...]: the victim, compared.
unharmed() {
    run 7 "$@"
    cmp -s "$work/out" "$work/plain" || failed "stdout differs"
}

# kept TEXT TEXT: what failed is told, and how to get at the records: they are
# all there.
kept() {
    same "$(grep -c "$1.*; nor: .*$2.*; the records are kept: pdump recover " \
        "$work/err")" 1 "warnings that say what, why and where"
    recovered
    same "$(visits main/solve)" 100 visits
}

# told VARIABLE VALUE: one warning about it, and the default.
told() {
    behaviour "$(echo "$1=$2" | cut -c 1-60)"
    unharmed PDUMP_EVENTS=none "$1=$2" victim
    warns "$(echo "$1" | cut -c 1-60)"
    same "$(n_warnings)" 2 "warnings (ours, and that of the wrong end)"
    noted "$(echo "$1" | cut -c 1-60)"
    same "$(visits main/solve)" 100 visits
}

behaviour an ordinary run
unharmed victim
same "$(visits main),$(visits main/solve),$(visits thread/solve)" 1,100,1 visits
unharmed PDUMP_QUIET=1 victim init
quiet
same "$(visits main/solve)" 100 visits

behaviour switched off
unharmed PDUMP_DISABLE=1 victim
quiet
same "$(ls -A)" '' files

for name in MULTIPLEX OVERWRITE FOLLOW DISABLE QUIET; do
    for value in '' 2 -1 yes ' 1' 01 "$huge"; do
        told "PDUMP_$name" "$value"
    done
done
for name in DEPTH_MAX REGIONS_MAX SAMPLES_MAX MEMORY_MAX; do
    for value in '' -1 1e3 12x 99999999999999999999 -99999999999999999999 \
        0x10 nan "$huge"; do
        told "PDUMP_$name" "$value"
    done
done
for name in CLOCK RECORD; do
    for value in '' sundial ', ,' "$huge"; do
        told "PDUMP_$name" "$value"
    done
done
for name in DELIMITER OUTPUT_FORMAT DUMP_DIR FILENAME; do
    told "PDUMP_$name" ''
done
for value in nonsense csv,nonsense "$huge" , ' '; do
    told PDUMP_OUTPUT_FORMAT "$value"
done
told PDUMP_NONSENSE 1
told PDUMP_EVENT PAPI_TOT_INS
grep -q 'did you mean PDUMP_EVENTS' "$work/err" || failed "no proposal"
told "PDUMP_$(echo "$huge" | cut -c 1-300)" 1

for value in a/b ../up /root/x '%s%n%s' '.' "$huge" 'new
line' ' '; do
    behaviour "PDUMP_FILENAME=$(echo "$value" | cut -c 1-40)"
    mkdir inside && cd inside || exit 99
    unharmed PDUMP_EVENTS=none PDUMP_FILENAME="$value" victim
    same "$(ls -A | grep -c 'meta\.csv$')" 1 "files in the folder"
    same "$(ls -A ..)" inside "files outside of it"
done

for value in no::such_event,PAPI_NOTHING "$huge" ',no::such_event,' '%s%n'; do
    behaviour "PDUMP_EVENTS=$(echo "$value" | cut -c 1-40)"
    unharmed PDUMP_EVENTS="$value" victim
    at_least "$(n_warnings)" 2 warnings
    warns 'only time is recorded: none of the events asked for can be counted'
    noted 'only time is recorded: none of the events asked for can be counted'
    same "$(visits main/solve)" 100 visits
done
behaviour a pdump_init whose error nobody looks at
unharmed PDUMP_EVENTS=no::such_event victim init
warns 'only time is recorded: none of the events asked for can be counted'
same "$(visits main/solve)" 100 visits

for value in ,,, ' ' ''; do
    behaviour "PDUMP_EVENTS=$value counts what suits"
    unharmed PDUMP_EVENTS="$value" victim
    same "$(visits main/solve)" 100 visits
done
for value in 0 -1 x 0x 99999999999 "$huge"; do
    behaviour "PDUMP_CODES=$(echo "$value" | cut -c 1-40) beside a good event"
    unharmed PDUMP_CODES="$value" PDUMP_EVENTS=pdump::cpu_time victim
    same "$(n_warnings)" 2 warnings
    same "$(visits main/solve)" 100 visits
done

behaviour two formats, one name
unharmed PDUMP_EVENTS=none PDUMP_OUTPUT_FORMAT=csv,csv-pyperfdump victim
at_least "$(cat ./*.csv | grep -c '^solve,Runtime,')" 1 "lines for PyPerfDump"
at_least "$(cat ./*.csv | grep -c ',main/solve,solve,user,')" 1 "lines of ours"

behaviour a missing folder is made
unharmed PDUMP_EVENTS=none PDUMP_DUMP_DIR=a/b/c victim
there a/b/c/perf_dump.csv

for folder in /proc/nowhere file file/below "$huge"; do
    behaviour "no output to $(echo "$folder" | cut -c 1-40)"
    : >file
    rm -rf "${TMPDIR:?}"/*
    unharmed PDUMP_EVENTS=none PDUMP_DUMP_DIR="$folder" victim
    warns "the output is in $TMPDIR/perf_dump.csv"
    there "$TMPDIR/perf_dump.csv"
    there "$TMPDIR/perf_dump.meta.csv"
    same "$(ls -A "$TMPDIR" | wc -l | tr -d ' ')" 2 "files there"
done

behaviour no output anywhere
unharmed PDUMP_EVENTS=none PDUMP_DUMP_DIR=/proc/nowhere TMPDIR=/proc/nothere \
    victim
kept nowhere nothere

behaviour no output anywhere, and no store
unharmed PDUMP_EVENTS=none PDUMP_DUMP_DIR=/proc/nowhere TMPDIR=/proc/nothere \
    PDUMP_STORE=off victim
warns 'the measurement is lost: /proc/nowhere'

for store in /proc/nowhere file "$huge"; do
    behaviour "no store in $(echo "$store" | cut -c 1-40)"
    : >file
    unharmed PDUMP_EVENTS=none PDUMP_STORE="$store" victim
    same "$(n_warnings)" 2 "warnings (ours, and that of the wrong end)"
    same "$(visits main/solve)" 100 visits
done

behaviour the folder is gone
rm -rf "${TMPDIR:?}"/*
mkdir gone && cd gone && rmdir ../gone
unharmed PDUMP_EVENTS=none victim
cd "$work" || exit 99
there "$TMPDIR/perf_dump.csv"

behaviour links, folders and devices in the way are left alone
echo precious >precious
ln -s precious perf_dump.csv
mkdir perf_dump.json
unharmed PDUMP_EVENTS=none PDUMP_OUTPUT_FORMAT=csv,json PDUMP_OVERWRITE=1 victim
same "$(cat precious)" precious "the target of the link"
[ -L perf_dump.csv ] || failed "the link is gone"
[ -d perf_dump.json ] || failed "the folder is gone"
at_least "$(cells perf_dump-1.csv visits path=main)" 1 "visits of main"
there perf_dump-1.json

# A small disk: full from the start, or full during the first or second file.
mkdir "$work/disk"
if mount -t tmpfs -o size=64k none "$work/disk" 2>/dev/null; then
    for room in 0 1 4 8 16; do
        behaviour "a disk with room for $room KiB"
        rm -rf "${TMPDIR:?}"/* "$work/disk/"*
        dd if=/dev/zero of="$work/disk/fill" bs=1k count=$((64 - room)) \
            2>/dev/null
        run 0 PDUMP_EVENTS=none PDUMP_DUMP_DIR="$work/disk" N_NAMES=1000 \
            regions many_names
        warns "the output is in $TMPDIR/perf_dump.csv"
        same "$(ls -A "$work/disk")" fill "files on the disk"
        same "$(grep -c '^' "$TMPDIR/perf_dump.csv")" 1001 lines
        readable "$TMPDIR/perf_dump.csv"
    done
    behaviour a full disk and nothing else
    dd if=/dev/zero of="$work/disk/fill" bs=1k 2>/dev/null
    unharmed TMPDIR="$work/disk" PDUMP_DUMP_DIR="$work/disk" victim
    kept disk disk
    same "$(ls -A "$work/disk")" fill "files on the disk"
fi

for errno in EACCES EPERM ENOSYS; do
    behaviour "perf forbidden by $errno"
    forbid $errno true 2>/dev/null || continue
    unharmed forbid $errno victim
    same "$(n_warnings)" 1 "warnings (that of the wrong end)"
    same "$(visits main/solve)" 100 visits
    unharmed PDUMP_EVENTS=perf::TASK-CLOCK forbid $errno victim
    warns 'event perf::TASK-CLOCK is not counted: '
    warns 'only time is recorded: '
    same "$(visits main/solve)" 100 visits
    unharmed PDUMP_OVERWRITE=1 PDUMP_EVENTS=perf::TASK-CLOCK,pdump::cpu_time \
        forbid $errno victim
    warns 'event perf::TASK-CLOCK is not counted: '
    same "$(visits main/solve)" 100 visits
done

for limit in 4 5 6 7 8 9 10 16; do
    behaviour "at most $limit files open"
    (ulimit -n $limit && exec timeout 300 victim plain) >/dev/null 2>&1
    [ $? -eq 7 ] || continue
    unharmed sh -c "ulimit -n $limit && exec victim"
    [ -f perf_dump.csv ] || kept 'Too many open files' 'Too many open files'
    same "$(visits main/solve)" 100 visits
    unharmed PDUMP_OVERWRITE=1 PDUMP_EVENTS=perf::TASK-CLOCK,perf::CPU-CLOCK \
        sh -c "ulimit -n $limit && exec victim"
    [ -f perf_dump.csv ] ||
        grep -q 'nothing is recorded\|records are kept' "$work/err" ||
        failed "neither a file nor a word"
done

if ! is_sanitized; then
    for limit in 20 30 40 60 80 120 200 400 1000; do
        behaviour "at most $limit MB of addresses"
        (ulimit -v ${limit}000 && exec timeout 300 victim plain) >"$work/out" 2>/dev/null
        cmp -s "$work/out" "$work/plain" || continue
        unharmed sh -c "ulimit -v ${limit}000 && exec victim"
        [ -f perf_dump.csv ] || grep -q 'pdump: .*memory' "$work/err" ||
            failed "neither a file nor a word"
    done
fi
finish
