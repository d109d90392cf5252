#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The rule of libpdump/rooms.txt: every #include of a header of another room is
# one that the table allows; and modules, which are a .c and a .h of one name, do
# not include each other in a circle, except in session/ and report/.
set -u
cd "${top_srcdir:-.}" || exit 99
if [ ! -f libpdump/rooms.txt ]; then
    echo "libpdump/rooms.txt is missing"
    exit 1
fi

# One line per include: FILE HEADER, the header as a path from the top.
includes() {
    find libpdump plugins tools -name '*.[ch]' | sort | while read -r file; do
        folder=${file%/*}
        sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file" | while read -r header; do
            if [ -f "$folder/$header" ]; then
                echo "$file $folder/$header"
            elif [ -f "libpdump/$header" ]; then
                echo "$file libpdump/$header"
            elif [ -f "tools/pdump/$header" ]; then
                echo "$file tools/pdump/$header"
            else
                echo "$file $header"
            fi
        done
    done
}

includes | awk '
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }

# The room of a file: the longest name in the table that its path begins with.
function room_of(path,    p) {
    p = path
    sub(/^libpdump\//, "", p)
    while (p ~ /\//) {
        sub(/\/[^\/]*$/, "", p)
        if (p in half)
            return p
    }
    return ""
}

function module_of(path) { sub(/(_hot|_private)?\.[ch]$/, "", path); return path }

FILENAME != "-" {
    if ($0 ~ /^#/ || $0 !~ /\|/)
        next
    split($0, column, "|")
    room = trim(column[1])
    half[room] = trim(column[2])
    n = split(trim(column[4]), list, / +/)
    for (i = 1; i <= n; i++)
        may[room, list[i]] = 1
    next
}

{
    n_includes++
    from = room_of($1)
    if ($2 ~ /^(include\/)?pdump\.h$/ || $2 !~ /\//)
        next # the public header, or one that is generated
    to = room_of($2)
    header = $2
    sub(/^libpdump\//, "", header)
    if (from == "") {
        print $1 ": is in no room of libpdump/rooms.txt"
        n_bad++
    } else if (to == "") {
        print $1 ": includes " $2 ", which is in no room"
        n_bad++
    } else if (from != to && !((from, to) in may) && !((from, header) in may)) {
        print $1 ": " from "/ may not include " header
        n_bad++
    }
    a = module_of($1)
    b = module_of($2)
    if (a != b && from !~ /^(session|report)$/ && $1 ~ /^libpdump/ &&
        !((a, b) in edge)) {
        edge[a, b] = 1
        n_out[a]++
        n_in[b]++
        module[a] = module[b] = 1
    }
}

# Take away modules that include nothing any more, or that nothing includes: what
# stays is in a circle, or between two.
END {
    do {
        n_taken = 0
        for (m in module)
            if (!n_out[m] || !n_in[m]) {
                for (e in edge) {
                    split(e, ends, SUBSEP)
                    if (ends[1] == m || ends[2] == m) {
                        n_out[ends[1]]--
                        n_in[ends[2]]--
                        delete edge[e]
                    }
                }
                delete module[m]
                n_taken++
            }
    } while (n_taken)
    for (m in module) {
        print m ": is in a circle of includes"
        n_bad++
    }
    if (n_includes < 500) {
        print "only " n_includes + 0 " includes were found"
        n_bad++
    }
    print n_includes " includes, " n_bad + 0 " against the rule"
    exit n_bad > 0
}' libpdump/rooms.txt -
