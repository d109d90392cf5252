# SPDX-License-Identifier: BSD-3-Clause
# Prints one column of a CSV file: FILE COLUMN [COLUMN=VALUE]...
# A column may be named without its unit.  Newlines in cells become "\n".
BEGIN {
    file = ARGV[1]
    wanted = ARGV[2]
    for (i = 3; i < ARGC; i++) {
        at = index(ARGV[i], "=")
        filter[substr(ARGV[i], 1, at - 1)] = substr(ARGV[i], at + 1)
    }
    if (!record())
        exit 1
    for (i = 1; i <= n; i++) {
        name = cell[i]
        column[name] = i
        sub(/ \[[^\]]*\]$/, "", name)
        column[name] = i
    }
    for (name in filter)
        if (!(name in column)) {
            print "no column " name
            exit 1
        }
    if (!(wanted in column)) {
        print "no column " wanted
        exit 1
    }
    while (record())
        if (matches())
            print cell[column[wanted]]
    exit 0
}

function matches(    name) {
    for (name in filter)
        if (cell[column[name]] "" != filter[name] "")
            return 0
    return 1
}

# The next record into cell[1..n].
function record(    line, more) {
    if ((getline line < file) <= 0)
        return 0
    if (index(line, "\"") == 0) {
        n = split(line, cell, ",")
        return 1
    }
    while (gsub(/"/, "\"", line) % 2 && (getline more < file) > 0)
        line = line "\\n" more
    take_apart(line)
    return 1
}

function take_apart(line,    at) {
    for (n = 1; ; n++) {
        if (substr(line, 1, 1) == "\"") {
            cell[n] = ""
            line = substr(line, 2)
            while ((at = index(line, "\"")) && \
                   substr(line, at + 1, 1) == "\"") {
                cell[n] = cell[n] substr(line, 1, at)
                line = substr(line, at + 2)
            }
            cell[n] = cell[n] substr(line, 1, at - 1)
            line = substr(line, at + 1)
            at = index(line, ",")
        } else {
            at = index(line, ",")
            cell[n] = at ? substr(line, 1, at - 1) : line
        }
        if (!at)
            return
        line = substr(line, at + 1)
    }
}
