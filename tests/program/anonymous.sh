#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a dump says about who made it: no secret of the command line, and with
# PDUMP_ANONYMOUS=1 no command, no host, no setting and no folder.
program=$PWD/program/users/victim
modules=${PDUMP_MODULES_BUILT:-$PWD/../plugins/modules}
. "${srcdir:-.}/program/behaviour/kit.sh"
PDUMP_EVENTS=none
export PDUMP_EVENTS

# lacks WORD...: no file in this folder contains one of these.
lacks() {
    for word in "$@"; do
        ! grep -rqF -e "$word" . ||
            failed "$(grep -rlF -e "$word" . | tr '\n' ' ') has $word"
    done
}

behaviour secrets of the command line are masked
run 0 "$program" --password=hunter2 --api-token hunter2 PGPASSWORD=hunter2 \
    https://me:hunter2@host/x --AWS_SECRET_ACCESS_KEY=hunter2 --apikey= \
    --Passwd -q --max-tokens 17 --tokenizer=bert http://host:80/a@b --pwd
lacks hunter2
same "$(cells perf_dump.meta.csv value table=metadata key=command |
    sed 's/^[^ ]* //')" "--password=*** --api-token *** PGPASSWORD=*** \
https://me:***@host/x --AWS_SECRET_ACCESS_KEY=*** --apikey=*** \
--Passwd -q --max-tokens 17 --tokenizer=bert http://host:80/a@b --pwd" "command"

# Formats that are not compressed.
formats=csv,json
[ ! -f "$modules/pdump_html.so" ] || formats=$formats,html

behaviour an anonymous dump
mkdir -p folder-of-mine
run 0 PDUMP_MODULES="$modules" PDUMP_ANONYMOUS=1 PDUMP_OUTPUT_FORMAT=$formats \
    PDUMP_DUMP_DIR="$PWD/folder-of-mine" \
    PDUMP_MEMORY_MAX=777 "$program" argument-of-mine
quiet
lacks argument-of-mine folder-of-mine "$work" victim 777
meta=folder-of-mine/perf_dump.meta.csv
same "$(cells $meta value table=process key=host)" "" host
same "$(cells $meta value table=process key=command)" "" command
same "$(cells $meta key table=metadata | grep -c 'host\|command')" 0 facts
same "$(cells folder-of-mine/perf_dump.csv visits region=mine)" 1 visits
run 0 "$pdump" report folder-of-mine/perf_dump.csv

behaviour an anonymous experiment
run 0 PDUMP_ANONYMOUS=1 PDUMP_EXPERIMENT_DIR="$PWD/run" PDUMP_MEMORY_MAX=777 \
    "$program" argument-of-mine
there run/perf_dump.csv run/settings.txt
lacks argument-of-mine "$work" 777

behaviour the store of an anonymous run
PDUMP_ANONYMOUS=1 timeout 300 survivor killed >/dev/null 2>&1 </dev/null
run 0 "$pdump" recover -o x.csv "$PDUMP_STORE"
there x.csv
lacks survivor "$work"
finish
