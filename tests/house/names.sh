#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names say one thing: a header name and its guard stand once, no two modules
# differ in a plural only, each room has one header that states its purpose, a
# unit test is named after what it tests, and no folder has too many files to be
# looked through.
set -u
cd "${top_srcdir:-.}" || exit 99
n_bad=0

bad() {
    echo "$*"
    n_bad=$((n_bad + 1))
}

# all MESSAGE: complains about each name on standard input.
all() {
    while read -r name; do echo "$name $1"; done
}

headers=$(find libpdump plugins tools include tests/unit -name '*.h')
complaints=$(
    for header in $headers; do basename "$header"; done | sort | uniq -d |
        all "is the name of two headers"
    sed -n 's/^#ifndef \([A-Z0-9_]*_H\)$/\1/p' $headers | sort | uniq -d |
        all "guards two headers"
    # Modules, as the words of their names without a plural's s.
    find libpdump plugins tools -name '*.[ch]' | sed 's|.*/||; s|\.[ch]$||' |
        sort -u | sed 's/s_/_/g; s/s$//' | sort | uniq -d |
        all "is the name of two modules, but for a plural"
    for room in libpdump/*/; do
        room=$(basename "$room")
        [ "$(grep -l "central header of $room/" libpdump/"$room"/*.h | wc -l)" \
            = 1 ] || echo "$room/ has not one central header"
    done
    # A file that is not listed is not in a release.
    for file in $(git ls-files 'libpdump/*/*.[ch]' 2>/dev/null); do
        room=${file#libpdump/}
        grep -qwF "$room" libpdump/Makefile.am libpdump/"${room%%/*}"/sources.am ||
            echo "$file is not in sources.am"
    done
    # check_MODULE or check_MODULE_WHAT; of plugins, also check_FOLDER.
    for test in tests/unit/*/check_*.c; do
        room=${test#tests/unit/}
        room=${room%/*}
        case $room in
        plugin) from=plugins ;;
        tool) from=tools ;;
        *) from=libpdump/$room ;;
        esac
        name=$(basename "$test" .c)
        name=${name#check_}
        while [ -n "$name" ] && ! find $from -name "$name" -o \
            -name "$name.c" | grep -q .; do
            case $name in
            *_*) name=${name%_*} ;;
            *) name= ;;
            esac
        done
        [ -n "$name" ] || echo "$test is named after nothing in $from"
    done
    # About 45; what tests leave behind does not count.
    find libpdump plugins tools tests docs bench bindings examples man scripts \
        -type f -name '*.[a-z]*' ! -name '*.pyc' ! -name '*.[lao]*' \
        ! -name '*.trs' | sed 's|/[^/]*$||' | sort | uniq -c |
        awk '$1 > 50 { print $2 " has " $1 " files" }'
)
n=$(echo "$headers" | wc -l)
[ "$n" -ge 200 ] || bad "only $n headers were found"
if [ -n "$complaints" ]; then
    bad "$complaints"
fi
echo "$n headers"
[ $n_bad = 0 ]
