# SPDX-License-Identifier: BSD-3-Clause
# killed.awk REPORTED DUMP: what killer.c printed against what was recovered.
# With steady=1: all visits of a row took the same time.
# Prints what does not agree; at the end the number of visits.
BEGIN { FS = "," }

FNR == NR {
    reported[$1] = $2
    next
}

FNR == 1 {
    for (i = 1; i <= NF; i++) {
        sub(/ \[.*/, "", $i)
        column[$i] = i
    }
    next
}

function cell(name) { return $(column[name]) }

function bad(text) { print cell("thread_name") " " cell("path") ": " text }

# A visit more or less: the one in which the kill came.
function near(a, b) { return a == b || a == b + 1 }

# Figures of one row that cannot be of one moment.  They were rounded to ns.
function check_time(    n, sum) {
    n = cell("visits")
    sum = cell("time.sum")
    if (n == 0)
        return
    if (cell("time.min") > cell("time.max"))
        bad("min is more than max")
    if (sum < n * cell("time.min") - n)
        bad("the sum " sum " is less than " n " times the min")
    if (steady && cell("time.min") != cell("time.max"))
        bad("one visit took longer than another")
    if (cell("open") == 1)
        return
    if (steady && sum != n * cell("time.min"))
        bad("the sum " sum " is not of " n " visits")
    if (steady && cell("time.sumsq") != n * cell("time.min") ^ 2)
        bad("the squares are not of " n " visits")
    if (sum > n * cell("time.max") + n)
        bad("the sum " sum " is more than " n " times the max")
    if ((sum - n) * (sum - n) > n * cell("time.sumsq") * 1.000001 && sum > n)
        bad("the squares do not belong to the sum")
}

{
    check_time()
    who = cell("thread_name")
}

cell("path") == "outer/visit" {
    visits[who] = cell("visits")
    counted[who] = cell("n.sum")
    all += cell("visits")
}

cell("region") ~ /^fresh/ { fresh[who] += cell("visits") }

END {
    for (who in reported) {
        if (!near(visits[who] + 0, reported[who]))
            print who ": " visits[who] + 0 " visits, reported " reported[who]
        if (!near(counted[who] + 0, visits[who] + 0))
            print who ": counted " counted[who] + 0 " in " visits[who] + 0
        if (!near(fresh[who] + 0, counted[who] + 0))
            print who ": " fresh[who] + 0 " inside, counted " counted[who] + 0
    }
    print "visits " all + 0
}
