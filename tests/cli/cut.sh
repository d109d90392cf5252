#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A store that is cut or damaged anywhere: a dump of what is left, or a message
# that names the file; never a crash, never without end.
PATH=$PWD/program/ends:$PATH
. "${srcdir:-.}/program/behaviour/kit.sh"
whole=$work/whole.store

# Nodes, samples, user metrics, open regions and names of four threads.
behaviour "a store to spoil"
run 137 PDUMP_EVENTS=pdump::minor_faults PDUMP_RECORD=profile,samples \
    PDUMP_SAMPLES_MAX=200 PDUMP_MEMORY_MAX=1 ends kill
stores 1
mv "$PDUMP_STORE"/* "$whole"

behaviour "the library reads it, spoilt in thousands of ways"
cp "$whole" spoilt.store
run 0 cutter spoilt.store
quiet
at_least "$(grep -c '^cut ' "$work/out")" 1000 cuts
at_least "$(grep -c '^page ' "$work/out")" 5 pages
at_least "$(grep -cE '^(byte|word) ' "$work/out")" 2000 "bytes and words"

# told ABOUT...: pdump report on spoilt.store ends well, and says what is wrong.
told() {
    timeout 300 "$pdump" report spoilt.store >"$work/out" 2>"$work/err"
    code=$?
    case $code in
    0) [ -s "$work/out" ] || failed "$*: nothing is reported" ;;
    1) grep -q spoilt.store "$work/err" || failed "$*: the file is not named" ;;
    *) failed "$*: exit code $code" ;;
    esac
}

behaviour "pdump report of a cut store"
size=$(wc -c <"$whole")
at=0
while [ $at -lt "$size" ]; do
    head -c $at "$whole" >spoilt.store
    told "cut at $at"
    at=$((at * 5 / 4 + 61))
done

behaviour "pdump report of a store with pages of nothing"
for page in 0 1 2 3 4 5 6 7; do
    cp "$whole" spoilt.store
    dd if=/dev/zero of=spoilt.store bs=4096 seek=$page count=1 conv=notrunc \
        2>/dev/null
    told "page $page"
done

behaviour "pdump report of what is no store at all"
head -c 8 "$whole" >spoilt.store
head -c 100000 /dev/zero >>spoilt.store
told "only its first bytes"
head -c 8 "$whole" >spoilt.store
head -c 100000 "$pdump" >>spoilt.store
told "a program behind its first bytes"
finish
