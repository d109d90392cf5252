#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The name of an output file is used exactly as given, and the side files of a
# CSV dump are recognised.
writer=$PWD/program/faults/writer
modules=$PDUMP_MODULES_BUILT
. "${srcdir:-.}/program/behaviour/kit.sh"
PDUMP_MODULES=$modules
PDUMP_EVENTS=none
PDUMP_OUTPUT_FORMAT=csv
export PDUMP_MODULES PDUMP_EVENTS PDUMP_OUTPUT_FORMAT
has_hdf5=no
[ ! -f "$modules/pdump_hdf5.so" ] || has_hdf5=yes
has_html=no
[ ! -f "$modules/pdump_html.so" ] || has_html=yes

# only NAME...: these files and the dump are all that is in the folder.
only() {
    same "$(ls -A | grep -v '^perf_dump\.' | tr '\n' ' ')" "$(printf '%s ' "$@")" \
        files
    rm -rf "$@"
}

dump() {
    run 7 PDUMP_RECORD=profile,samples "$writer" small
}

behaviour export and merge write to the file that was named
dump
for command in export merge; do
    run 0 "$pdump" $command -f pstats -o jacobi.dat perf_dump.csv
    same "$(cat "$work/out")" "wrote ./jacobi.dat" "what it says"
    only jacobi.dat
    run 0 "$pdump" $command -f json -o jac.1.part perf_dump.csv
    only jac.1.part
    run 0 "$pdump" $command -f json -o sub/x.csv perf_dump.csv
    there sub/x.csv
    only sub
    run 0 "$pdump" $command -f json -o plain perf_dump.csv
    only plain.json
    run 0 "$pdump" $command -f json -o .hidden perf_dump.csv
    only .hidden.json
    run 0 "$pdump" $command -o x.trace.json perf_dump.csv
    only x.trace.json
    run 0 "$pdump" $command -o LOUD.JSON perf_dump.csv
    only LOUD.JSON
    run 2 "$pdump" $command -o x.nonsense perf_dump.csv
done
[ $has_hdf5 = no ] || {
    run 0 "$pdump" export -f hdf5 -o out.hdf5 perf_dump.csv
    readable out.hdf5
    only out.hdf5
}
[ $has_html = no ] || {
    run 0 "$pdump" html -o page.htm perf_dump.csv
    only page.htm
}

behaviour the side files of a CSV dump of any name are found
dump
run 0 "$pdump" export -f csv -o run.dat perf_dump.csv
there run.dat run.meta.csv run.samples.csv
run 0 "$pdump" export -f csv -o again.csv run.dat
cmp -s again.csv perf_dump.csv || failed "another profile"
cmp -s again.samples.csv perf_dump.samples.csv || failed "other samples"

behaviour an earlier file of that name is kept
dump
echo precious >x.dat
run 0 "$pdump" export -f json -o x.dat perf_dump.csv
same "$(cat x.old-1.dat)" precious "the earlier file"
run 2 "$pdump" export -f csv -o perf_dump.csv perf_dump.csv

behaviour a session writes to that file
run 7 PDUMP_FILENAME=run PDUMP_ENDING=.dat PDUMP_OUTPUT_FORMAT=json,csv \
    "$writer" small
only run.csv run.dat run.meta.csv

behaviour an ending leads to no other folder
run 7 PDUMP_FILENAME=run PDUMP_ENDING=/../x PDUMP_OUTPUT_FORMAT=json \
    "$writer" small
only run_.._x

behaviour recover writes to that file
timeout 300 survivor killed >/dev/null 2>&1 </dev/null
run 0 "$pdump" recover --keep -f pstats -o crash.dat "$PDUMP_STORE"
only crash.dat
run 0 "$pdump" recover -o sub/crash.csv "$PDUMP_STORE"
there sub/crash.csv
stores 0

behaviour side files are read with their main file, and not as files
dump
mkdir own
for command in "report" "report --by run" "export -f json -o own/x.json" "score"; do
    run 0 "$pdump" $command perf_dump.csv
    mv "$work/out" "$work/alone"
    rm -f own/*
    run 0 "$pdump" $command *.csv
    cmp -s "$work/alone" "$work/out" || failed "$command: side files count"
    same "$(cat "$work/err")" "" "messages of $command"
    rm -f own/*
done
run 0 "$pdump" export -f csv -o other.csv perf_dump.csv
run 0 "$pdump" diff perf_dump*.csv -- other*.csv

behaviour a side file alone
dump
for side in meta samples; do
    run 1 "$pdump" report perf_dump.$side.csv
    grep -q "perf_dump.$side.csv has the .* of perf_dump.csv.*give that file" \
        "$work/err" || failed "no word about perf_dump.csv"
done
mkdir own
mv perf_dump.meta.csv own
run 1 "$pdump" report own/perf_dump.meta.csv
grep -q "metadata of a CSV dump" "$work/err" || failed "no word about it"

behaviour a main file that is named like a side file
dump
run 0 "$pdump" export -f csv -o x.stats.csv perf_dump.csv
readable x.stats.csv
finish
