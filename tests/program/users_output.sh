#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Output in a folder where another user replaces every name as soon as it is
# there, or has planted something before: no file of the victim is written, none
# is removed, and nothing is waited for.
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

for folder in 777 1777; do
    for copies in '' NEIGHBOUR_COPIES=1; do
        to=precious
        case_of an experiment, folder $folder $copies
        attacked 0 PDUMP_EXPERIMENT_DIR="$PWD/out/run" $copies "$victim"
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

# What another user can put at a name.
plant_kind() {
    case $1 in
    pipe) $other mkfifo "$2" ;;
    link) $other ln -s "$PWD/precious/file" "$2" ;;
    folder-link) $other ln -s "$PWD/precious" "$2" ;;
    dangling) $other ln -s "$PWD/precious/new" "$2" ;;
    device) mknod -m 666 "$2" c 1 5 ;; # zeros without end
    file) $other sh -c 'echo foreign >"$1"' sh "$2" ;;
    folder) $other mkdir "$2" ;;
    esac
}
kinds="pipe link folder-link dangling device file folder"
written() {
    find out -type f -name '*.csv' -exec cat {} + | grep -c '^0,.*,mine,'
}
look_at() { ls -ld --time-style=+ "$1" | cut -d ' ' -f 1,3-; }

for kind in $kinds; do
    for name in perf_dump.csv perf_dump.meta.csv; do
        case_of a $kind at the name of the output, $name
        mkdir -m 700 precious && echo precious >precious/file
        mkdir out && chmod 1777 out
        plant_kind $kind "out/$name"
        before=$(look_at "out/$name")
        run 0 PDUMP_DUMP_DIR="$PWD/out" "$victim"
        case $kind in
        file) ;; # an earlier dump, for all we know: renamed, not overwritten
        *) same "$(look_at "out/$name")" "$before" "what was planted" ;;
        esac
        same "$(cat precious/*)" precious "the victim's files"
        same "$(written)" 1 dumps
    done

    for name in run run.1 run/manifest.txt run/settings.txt; do
        case_of a $kind in an experiment folder, $name
        mkdir -m 700 precious && echo precious >precious/file
        mkdir out && chmod 1777 out
        [ "$name" = "${name#run/}" ] || $other mkdir out/run
        plant_kind $kind "out/$name"
        before=$(look_at "out/$name")
        run 0 PDUMP_EXPERIMENT_DIR="$PWD/out/run" "$victim"
        [ $kind = folder ] ||
            same "$(look_at "out/$name")" "$before" "what was planted"
        same "$(cat precious/*)" precious "the victim's files"
        same "$(written)" 1 dumps
    done

    [ $kind != file ] && [ $kind != folder ] || continue
    for name in perf_dump.csv perf_dump.meta.csv manifest.txt; do
        [ "$kind $name" != "dangling manifest.txt" ] || continue # no run
        case_of a $kind inside of a given experiment folder, $name
        mkdir -m 700 precious && echo precious >precious/file
        run 0 PDUMP_EXPERIMENT_DIR="$PWD/out" "$victim"
        chmod 777 out
        $other rm -f out/$name
        plant_kind $kind "out/$name"
        for command in "report" "export -f json -o x" "merge -f json -o x"; do
            run 1 "$pdump" $command out
            err_has "out/$name is "
        done
    done
done

for kind in pipe device folder; do
    case_of a $kind that is given as a dump
    plant_kind $kind x.csv
    run 1 "$pdump" report x.csv
    run 0 "$victim"
    rm perf_dump.meta.csv
    plant_kind $kind perf_dump.meta.csv
    run 1 "$pdump" report perf_dump.csv
    err_has 'perf_dump.meta.csv: not a regular file'
done

case_of a umask that forbids to enter new folders
mkdir out && chown 65534 out
(umask 0177 && run 0 PDUMP_DUMP_DIR="$PWD/out" $other "$victim")
same "$(ls -A out)" "perf_dump.csv
perf_dump.meta.csv" files
finish
