#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every function under valgrind: no errors, nothing definitely lost.
. "${srcdir:-.}/program/behaviour/kit.sh"

behaviour valgrind
if ! command -v valgrind >/dev/null || is_sanitized; then
    echo "no valgrind here, or a sanitizer instead"
    exit 77
fi
program=$(command -v everything)
for events in none pdump::cpu_time,pdump::rss ''; do
    behaviour "every function, with events '$events'"
    seconds=500 run 0 PDUMP_EVENTS="$events" valgrind --error-exitcode=99 \
        --leak-check=full --errors-for-leak-kinds=definite "$program"
    grep -q 'ERROR SUMMARY: 0 errors' "$work/err" || failed "errors"
    ! grep -q 'definitely lost: [1-9]' "$work/err" || failed leaks
    readable everything.csv everything.old-1.csv
done
finish
