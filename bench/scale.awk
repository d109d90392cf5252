# SPDX-License-Identifier: BSD-3-Clause
# The table of scale.sh.  In: MODE RANKS REGIONS MS KIB BYTES, or MODE RANKS
# REGIONS left-out.  Of equal rows the least time and memory count.
function least(table, key, value) {
    if (!(key in table) || value < table[key])
        table[key] = value
}
function exponent(table, from, to, factor) {
    if (!(from in table) || !(to in table) || table[from] <= 0)
        return "-"
    return sprintf("%.2f", log(table[to] / table[from]) / log(factor))
}
{
    key = $1 " " $2 " " $3
    if (!(key in seen))
        order[++n] = key
    seen[key] = 1
}
NF == 6 { least(ms, key, $4); least(kib, key, $5); size[key] = $6 }
END {
    printf "%-6s %6s %8s %9s %10s %10s %8s %8s %8s %8s\n", "mode", "ranks",
        "regions", "ms", "KiB", "file kB", "t/ranks", "m/ranks", "t/reg",
        "m/reg"
    for (i = 1; i <= n; i++) {
        split(order[i], k, " ")
        to = order[i]
        if (!(to in ms)) {
            printf "%-6s %6d %8d left out: no time\n", k[1], k[2], k[3]
            continue
        }
        few = fewer = ""
        for (j = 1; j < i; j++) {
            split(order[j], o, " ")
            if (o[1] == k[1] && o[3] == k[3] && order[j] in ms) {
                few = order[j]; rank_factor = k[2] / o[2]
            }
            if (o[1] == k[1] && o[2] == k[2] && order[j] in ms) {
                fewer = order[j]; region_factor = k[3] / o[3]
            }
        }
        printf "%-6s %6d %8d %9.1f %10d %10.1f %8s %8s %8s %8s\n", k[1], k[2],
            k[3], ms[to], kib[to], size[to] / 1000,
            exponent(ms, few, to, rank_factor),
            exponent(kib, few, to, rank_factor),
            exponent(ms, fewer, to, region_factor),
            exponent(kib, fewer, to, region_factor)
    }
}
