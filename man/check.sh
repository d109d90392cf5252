#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The manual is well-formed, and misses no function, no setting and no command.
set -u

cd "$(dirname "$0")" || exit 99
n_bad=0

# missing WHAT NAMES PAGES...: names that no page has as `.Nm` or `.It Ev`.
missing()
{
    what=$1 names=$2
    shift 2
    test "$(echo "$names" | wc -l)" -gt 10 || {
        echo "FAILED  too few names: $what"
        n_bad=$((n_bad + 1))
    }
    for name in $names; do
        grep -q -E "^\.(Nm|It Ev) $name( ,)?\$" "$@" || {
            echo "FAILED  $what $name is not in the manual"
            n_bad=$((n_bad + 1))
        }
    done
}

missing function "$(sed -n \
    's/^PDUMP_API .*[ *]\(pdump_[a-z0-9_]*\)(.*/\1/p' ../include/pdump.h)" \
    ./*.3
missing setting "$(sed -n \
    's/^    { "\(PDUMP_[A-Z_]*\)".*/\1/p' ../libpdump/config/settings.c)" libpdump.7

# Every command has its section, which `man pdump-NAME` leads to.
for name in $(sed -n 's/^extern const struct command command_\([a-z]*\);.*/\1/p' \
    ../tools/pdump/command.h); do
    grep -q "^\.Ss pdump $name\$" pdump.1 || {
        echo "FAILED  command $name is not in the manual"
        n_bad=$((n_bad + 1))
    }
done

if command -v mandoc >/dev/null; then
    timeout 60 mandoc -T lint -W warning ./*.[137] || n_bad=$((n_bad + 1))
else
    echo "mandoc is not there: the form is not checked"
fi
test $n_bad -eq 0
