#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# CONTRIBUTING.md is up to date: the files that it names exist, each PATH:WORD
# is a word of that file, and its copy of libpdump/rooms.txt is a copy.
set -u
cd "${top_srcdir:-.}" || exit 99
page=CONTRIBUTING.md
n_bad=0 n_seen=0

bad() {
    echo "$page: $*"
    n_bad=$((n_bad + 1))
}

# Words in backquotes that are paths from the top, or PATH:WORD; NAME and * are
# placeholders.
for name in $(grep -o '`[a-z0-9]*/[A-Za-z0-9_./*:-]*`' $page | tr -d '`' |
    grep -v 'NAME\|[*]' | sort -u); do
    path=${name%%:*}
    case $path in
    libpdump/* | plugins/* | tools/* | tests/* | docs/* | man/* | m4/* | \
        bindings/* | include/* | scripts/* | examples/*) ;;
    *) continue ;;
    esac
    n_seen=$((n_seen + 1))
    if [ ! -e "$path" ]; then
        bad "there is no $path"
    elif [ "$path" != "$name" ] && ! grep -qw "${name#*:}" "$path"; then
        bad "$path has no ${name#*:}"
    fi
done
[ $n_seen -ge 100 ] || bad "only $n_seen names were found"

# "ROOM PURPOSE includes LIST", however the lines are cut.
text=$(tr -s ' \n' '  ' <$page)
while IFS='|' read -r room half purpose list; do
    case $(echo $half) in
    shared | recording | waist | joint | dump) ;;
    *) continue ;;
    esac
    list=$(echo $list)
    line="$(echo $room $purpose) includes ${list:-nothing}"
    case $text in
    *" $line "*) ;;
    *) bad "not as rooms.txt has it: $line" ;;
    esac
done <libpdump/rooms.txt

# The picture, too.
scripts/rooms | cmp -s - docs/internals/rooms.svg ||
    bad "docs/internals/rooms.svg is old: run scripts/rooms"
echo "$n_seen names, $n_bad wrong"
[ $n_bad = 0 ]
