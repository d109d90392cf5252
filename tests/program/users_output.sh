#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Output in a folder where another user replaces every name as soon as it is
# there: no file of the victim is written, and none is removed.
neighbour=$PWD/.libs/neighbour.so
. "${srcdir:-.}/program/users/kit.sh"
ending="manifest.txt settings.txt warnings.txt"

# attacked CODE [VARIABLE=VALUE]...: a program of ours, beside that neighbour.
attacked() {
    code=$1
    shift
    mkdir -m 700 precious && echo precious >precious/file || exit 99
    for name in $ending; do cp precious/file precious/$name; done
    before=$(ls -A precious)
    mkdir out && chmod "$folder" out
    run "$code" PDUMP_MODULES="$modules" PDUMP_DUMP_DIR="$PWD/out" \
        LD_PRELOAD="$neighbour" NEIGHBOUR_AT="$PWD/out" NEIGHBOUR_TO="$PWD/$to" \
        "$@"
    same "$(ls -A precious)" "$before" "names in the victim's folder"
    same "$(cat precious/* | sort -u)" precious "the victim's files"
}

if is_sanitized || [ ! -f "$neighbour" ]; then
    skip "the sanitizers do not let a library be preloaded"
fi

formats="csv json"
for module in hdf5 html otf2; do
    [ ! -f "$modules/pdump_$module.so" ] || formats="$formats $module"
done
for folder in 777 1777; do
    for format in $formats; do
        for to in precious/file precious; do
            for copies in '' NEIGHBOUR_COPIES=1; do
                case_of $format, folder $folder, links to $to $copies
                attacked 0 PDUMP_OUTPUT_FORMAT=$format $copies "$victim"
            done
        done
    done
done

case_of every user can replace files in a folder, which is told
folder=777 to=precious/file
mkdir quiet && chmod 1777 quiet
run 0 PDUMP_DUMP_DIR=quiet "$victim"
quiet
chmod 777 quiet
run 0 PDUMP_DUMP_DIR=quiet "$victim"
err_has 'quiet: every user can replace files in this folder'
same "$(grep -c . "$work/err")" 1 messages

case_of nobody else can read a dump before it is complete
mkdir -m 1777 out
run 0 PDUMP_DUMP_DIR="$PWD/out" LD_PRELOAD="$neighbour" \
    NEIGHBOUR_AT="$PWD/out" NEIGHBOUR_TO=/ NEIGHBOUR_LOG="$PWD/log" "$victim"
same "$(sort -u log)" 700 "modes of what the neighbour has seen"
same "$(stat -c %a out/perf_dump.csv)" 644 "mode of the dump"
(umask 077 && run 0 PDUMP_DUMP_DIR="$PWD/private" "$victim")
same "$(stat -c %a private/perf_dump.csv)" 600 "mode of the dump"

case_of a umask that forbids to enter new folders
mkdir out && chown 65534 out
(umask 0177 && run 0 PDUMP_DUMP_DIR="$PWD/out" $other "$victim")
same "$(ls -A out)" "perf_dump.csv
perf_dump.meta.csv" files
finish
