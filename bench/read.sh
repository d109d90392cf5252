#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How long `pdump report` and `pdump export` take: `make read`, or with variables:
#   PDUMP_COMMAND            the program
#   RANKS, REGIONS, METRICS  size of the dump (256, 1000, 8)
#   RUNS                     of each format (3); the fastest counts
# Prints a table: seconds from start to end, of the processor, and of it less what
# dot takes, which reads as much and writes next to nothing; size of the files.
set -u

pdump=${PDUMP_COMMAND:-pdump}
ranks=${RANKS:-256} regions=${REGIONS:-1000} metrics=${METRICS:-8}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1

# A tree with five children per region; sums of a region include its children.
awk -v ranks="$ranks" -v regions="$regions" -v metrics="$metrics" 'BEGIN {
    printf "process,rank,pid,thread,node,parent,region,group,file,line,open"
    printf ",visits,time.sum [ns],time.min [ns],time.max [ns]"
    for (m = 1; m < metrics; m++)
        printf ",PAPI_EVENT_%d.sum [1],PAPI_EVENT_%d.min [1]" \
            ",PAPI_EVENT_%d.max [1]", m, m, m
    print ""
    for (i = regions - 1; i >= 0; i--) {
        size[i]++
        if (i > 0)
            size[int((i - 1) / 5)] += size[i]
    }
    for (r = 0; r < ranks; r++)
        for (i = 0; i < regions; i++) {
            printf "%d,%d,%d,0,%d,%s,solver_region_%d,user,solver.c,%d,0,%d", \
                r, r, 1000 + r, i, i ? int((i - 1) / 5) : "", i, i + 1, i + 10
            for (m = 0; m < metrics; m++)
                printf ",%d,%d,%d", size[i] * (100003 + r * 17 + m), 7 + m, \
                    100000 + i
            print ""
        }
}' >dump.csv </dev/null || exit 1

# clock ARGUMENT...: "seconds CPU-seconds bytes" of pdump, the least of all runs.
clock() {
    : >times
    for i in $(seq "${RUNS:-3}"); do
        rm -rf out && mkdir out
        begin=$(date +%s.%N)
        # The second line is of what the shell has waited for.
        (timeout 300 "$pdump" "$@" >/dev/null && times) >cpu || return 1
        echo "$begin $(date +%s.%N) $(tail -n 1 cpu | tr ms '  ')" >>times
    done
    awk -v bytes="$(cat out/* 2>/dev/null | wc -c)" '{
        wall = $2 - $1; cpu = 60 * ($3 + $5) + $4 + $6
        if (NR == 1 || wall < least) least = wall
        if (NR == 1 || cpu < busy) busy = cpu
    }
    END { print least, busy, bytes }' times
}

# measure FILE FORMAT: the same of an export.
measure() {
    clock export -f "$2" -o out/x "$1"
}

input=dump.csv
if "$pdump" export -f hdf5 dump.csv >/dev/null 2>&1; then
    input=dump.h5
fi
echo "pdump report of $ranks ranks x $regions regions x $metrics metrics," \
    "from ${input#dump.}"
printf '%-16s %8s %8s\n' options 'wall s' 'CPU s'
for options in '' '--by rank' '--by file' '--top 10' '--csv' '--json --sort self'; do
    # shellcheck disable=SC2086
    figures=$(clock report $options $input) || figures='failed failed'
    echo "${options:-(none)}:$figures" | awk -F: '{
        split($2, n, " "); printf "%-16s %8.2f %8.2f\n", $1, n[1], n[2]
    }'
done
echo
reading=$(measure $input dot | cut -d' ' -f2)
echo "pdump export of $ranks ranks x $regions regions x $metrics metrics," \
    "from ${input#dump.}"
printf '%-16s %8s %8s %8s %8s\n' format 'wall s' 'CPU s' 'less dot' MB
formats=$("$pdump" export --help |
    sed -n '1,/^Formats/d; s/^  \([a-z0-9-]*\)  .*/\1/p')
for format in ${FORMATS:-$formats}; do
    figures=$(measure $input "$format") || {
        echo "$format failed"
        continue
    }
    echo "$format $figures $reading" | awk '{
        printf "%-16s %8.2f %8.2f %8.2f %8.1f\n", $1, $2, $3, $3 - $5, $4 / 1e6
    }'
done
