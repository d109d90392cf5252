#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Nothing is written twice: no six lines in a row of libpdump/, plugins/ and
# tools/ stand in a second place as well.  Blank lines, blanks at the ends of
# lines and #include do not count.
set -u
cd "${top_srcdir:-.}" || exit 99
find libpdump plugins tools -name '*.[ch]' -o -name '*.js' -o -name '*.css' -o \
    -name '*.awk' -o -name '*.py' | LC_ALL=C sort | xargs awk -v run=6 '
FNR == 1 { n = 0; is_known = 0 }
{
    line = $0
    gsub(/^[ \t]+|[ \t]+$/, "", line)
}
line == "" || line ~ /^#include/ { next }
{
    n_lines++
    text[n % run] = line
    at[n % run] = FILENAME ":" FNR
    if (++n < run)
        next
    key = ""
    for (i = n - run; i < n; i++)
        key = key text[i % run] "\n"
    if (!(key in first)) {
        first[key] = at[n % run]
        is_known = 0
        next
    }
    # One message for a longer run.
    if (!is_known++) {
        printf "%s repeats %s:\n%s", at[n % run], first[key], key
        n_bad++
    }
}
END {
    print n_lines + 0 " lines"
    exit n_bad || n_lines < 50000
}'
