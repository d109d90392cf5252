#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Shell completion: bash is asked as it asks itself; zsh and fish read their
# scripts where they are installed.  Needs PDUMP_COMMAND.
set -u

if [ -z "${PDUMP_COMMAND:-}" ]; then
    echo "PDUMP_COMMAND is not set"
    exit 77
fi
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
n_failed=0

failed() {
    n_failed=$((n_failed + 1))
    echo "FAILED: $1"
}

for shell in bash fish zsh; do
    timeout 300 "$PDUMP_COMMAND" completion $shell >"$work/$shell" ||
        failed "no script for $shell"
done
bash -n "$work/bash" || failed "bash does not take its script"
for shell in fish zsh; do
    if command -v $shell >/dev/null; then
        timeout 300 $shell -n "$work/$shell" || failed "$shell does not take it"
    else
        echo "$shell is not there: its script is not checked"
    fi
done

. "$work/bash"
complete -p pdump | grep -q -- '-F _pdump' || failed "nothing is registered"

# ask WANTED WORD...: what bash would offer for the last of the words.
ask() {
    wanted=$1
    shift
    COMP_WORDS=(pdump "$@") COMP_CWORD=$#
    _pdump
    [ "${COMPREPLY[*]}" = "$wanted" ] ||
        failed "pdump $*: \"${COMPREPLY[*]}\" instead of \"$wanted\""
}

ask 'recover report' re
ask '--help' --h
ask 'report' help repo
ask '--min-percent' report --min
ask '--by --by-rank' report --by
ask 'rank run region' report --by r
ask 'rank run region' report --by = r
ask 'rank run thread region function file' report --by =
ask 'html' export -f ht
ask 'always' report file.csv --color al
ask 'zsh' completion z
# No words of its own: names of files are bash's.
ask '' report perf_du
ask '' report --region so
ask '' nothing --x

# Every option that the help has can be completed.
for command in $(timeout 300 "$PDUMP_COMMAND" --help |
    sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -v help); do
    for option in $(timeout 300 "$PDUMP_COMMAND" "$command" --help |
        sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p'); do
        COMP_WORDS=(pdump "$command" "$option") COMP_CWORD=2
        _pdump
        case " ${COMPREPLY[*]} " in
        *" $option "*) ;;
        *) failed "pdump $command $option is not completed" ;;
        esac
        grep -q "seen_subcommand_from $command' -l ${option#--} " "$work/fish" ||
            [ "$option" = --help ] || failed "$command $option: not for fish"
        grep -qF -e "$option" "$work/zsh" ||
            failed "$command $option: not for zsh"
    done
done

timeout 300 "$PDUMP_COMMAND" completion tcsh >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -q 'not "tcsh"' "$work/err" || failed "tcsh is no error"
timeout 300 "$PDUMP_COMMAND" completion >"$work/out" 2>"$work/err"
[ $? -eq 2 ] || failed "no shell is no error"

[ $n_failed -eq 0 ] || exit 1
echo "all as expected"
