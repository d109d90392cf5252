#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What reading a dump takes: `make read`, or with variables:
#   PDUMP_COMMAND, COST      the programs `pdump` and `cost`
#   MADE, BROWSER_PY         tests/cli/html/made and browser.py: for the page
#   RANKS, REGIONS, METRICS  size of the dump (256, 1000, 8)
#   RUNS                     of each command (3); the fastest counts
#   HUGE=1                   a page of 100 000 regions x 256 ranks, too: minutes
# Prints tables.  What must be is judged at the usual size.  With --strict, a
# missed "must" is an error; a command that fails always is one.
set -u

pdump=${PDUMP_COMMAND:-pdump} cost=${COST:-./cost} runs=${RUNS:-3}
ranks=${RANKS:-256} regions=${REGIONS:-1000} metrics=${METRICS:-8}
is_usual=0
[ "$ranks $regions $metrics" != '256 1000 8' ] || is_usual=1
# They need what this dump has not: memory over time, events, lines.
needy=' mprof otf2 lines '
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 1
: >verdicts

# dump RANKS REGIONS METRICS: as CSV.  A tree with five children per region; sums
# of a region include its children.
dump() {
    awk -v ranks="$1" -v regions="$2" -v metrics="$3" 'BEGIN {
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
            left[i] = sprintf("%d,%s,solver_region_%d,user,solver.c,%d,0,%d", \
                i, i ? int((i - 1) / 5) : "", i, i + 1, i + 10)
        }
        for (r = 0; r < ranks; r++)
            for (i = 0; i < regions; i++) {
                printf "%d,%d,%d,0,%s", r, r, 1000 + r, left[i]
                for (m = 0; m < metrics; m++)
                    printf ",%d,%d,%d", size[i] * (100003 + r * 17 + m), \
                        7 + m, 100000 + i
                print ""
            }
    }' </dev/null
}

# measure ARGUMENT...: "wall CPU kB bytes" of pdump, the least of all runs.
measure() {
    : >costs
    for _ in $(seq "$runs"); do
        rm -rf out && mkdir out
        "$cost" "$pdump" "$@" >>costs 2>errors || return 1
    done
    awk -v bytes="$(find out -type f -exec cat {} + | wc -c)" '{
        if (NR == 1 || $1 < wall) wall = $1
        if (NR == 1 || $2 < cpu) cpu = $2
        if ($3 > memory) memory = $3
    }
    END { print wall, cpu, memory, bytes }' costs
}

# verdict NAME FIGURE MUST [FIGURE MUST]...: prints it; a must of 0 asks nothing.
# At another size than the usual one nothing is asked.
verdict() {
    name=$1 said=-
    shift
    while [ $# -ge 2 ]; do
        if [ "$2" != 0 ] && [ $is_usual = 1 ]; then
            if awk "BEGIN { exit !($1 <= $2) }"; then
                [ "$said" = MISSED ] || said=ok
            else
                said=MISSED
            fi
        fi
        shift 2
    done
    echo "$said $name" >>verdicts
    echo "$said"
}

# row TITLE "wall CPU kB bytes" SECONDS MEMORY SIZE: the last three must be, the
# latter two in MB.
row() {
    title=$1 musts="$3 $4 $5"
    # shellcheck disable=SC2086
    set -- $2 $musts
    wall=$1 cpu=$2
    memory=$(awk "BEGIN { print $3 / 1000 }") size=$(awk "BEGIN { print $4 / 1e6 }")
    must=$(echo "$musts" | awk '{
        if ($1) printf "%s s", $1
        if ($2) printf "%s%s MB", $1 ? ", " : "", $2
        if ($3) printf ", file %s MB", $3
    }')
    printf '%-28s %7.2f %7.2f %9.0f %8.1f  %-22s %s\n' "$title" "$wall" "$cpu" \
        "$memory" "$size" "${must:--}" \
        "$(verdict "$title" "$wall" "$5" "$memory" "$6" "$size" "$7")"
}

# command TITLE SECONDS MEMORY SIZE ARGUMENT...: a row of what it takes.
command_row() {
    title=$1 musts="$2 $3 $4"
    shift 4
    if figures=$(measure "$@"); then
        # shellcheck disable=SC2086
        row "$title" "$figures" $musts
    else
        printf '%-28s FAILED: %s\n' "$title" "$(tail -n 1 errors)"
        echo "FAILED $title" >>verdicts
    fi
}

head_row() {
    printf '%-28s %7s %7s %9s %8s  %-22s %s\n' command 'wall s' 'CPU s' \
        'memory MB' 'file MB' must verdict
}

commands() {
    echo "$ranks ranks x $regions regions x $metrics metrics, from ${input##*.};" \
        "load average $(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo '?')"
    head_row
    command_row report 0.3 200 0 report "$input"
    for options in '--by rank' '--by file' '--top 10' --csv '--json --sort self'; do
        # shellcheck disable=SC2086
        command_row "report $options" 0 200 0 report $options "$input"
    done
    command_row html 2 200 5 html -o out/x.html "$input"
    formats=$("$pdump" export --help |
        sed -n '1,/^Formats/d; s/^  \([a-z0-9-]*\)  .*/\1/p')
    for format in ${FORMATS:-$formats}; do
        case $needy in
        *" $format "*)
            printf '%-28s skipped: this dump has no data for it\n' \
                "export -f $format"
            ;;
        *) command_row "export -f $format" 1 200 0 export -f "$format" -o out/x \
            "$input" ;;
        esac
    done
}

# Four times as many ranks shall take four times as long; a quarter is for noise.
growth() {
    printf '\n%-28s %8s %8s %8s %8s  %-6s %s\n' 'CPU s, as the dump grows' 1x 4x \
        16x growth must verdict
    for command in report html 'export -f csv' 'export -f json'; do
        times=
        for n in $((ranks / 16)) $((ranks / 4)) "$ranks"; do
            file=$n.${input##*.} output='-o out/x'
            [ "$command" != report ] || output=
            # shellcheck disable=SC2086
            figures=$(measure $command $output "$file") || {
                echo "FAILED $command $file" | tee -a verdicts
                figures='0 0'
            }
            times="$times $(echo "$figures" | cut -d' ' -f2)"
        done
        # shellcheck disable=SC2086
        set -- $times
        grown=$(awk "BEGIN { print ($2 > 0 ? $3 / $2 : 99) }")
        printf '%-28s %8.2f %8.2f %8.2f %8.2f  %-6s %s\n' "$command" "$1" "$2" \
            "$3" "$grown" 5 "$(verdict "growth of $command" "$grown" 5)"
    done
}

# in_browser PAGE: what it takes there, of several loads the best.
in_browser() {
    : >seen
    for _ in $(seq "$runs"); do
        HOME=$folder timeout 200 "$python" "$BROWSER_PY" "$browser" "$1" times \
            >>seen 2>errors || {
            echo "the browser FAILED: $(tail -n 1 errors)"
            echo "FAILED browser" >>verdicts
            return
        }
    done
    printf '%-28s %7s %9s %12s  %-6s %s\n' 'ms in Chromium' median 'at most' \
        'until seen' must verdict
    awk '{ gsub(/,/, "") }
        /^first/ {
            if ($3 >= 0 && (!("first paint" in least) || $3 < least["first paint"]))
                least["first paint"] = $3
            if (!("all drawn" in least) || $5 < least["all drawn"])
                least["all drawn"] = $5
            next
        }
        !($1 in least) || $2 < least[$1] {
            least[$1] = $2; most[$1] = $5; until[$1] = $8
        }
        END {
            for (name in least)
                printf "%s:%s:%s:%s\n", name, least[name], most[name], until[name]
        }' seen | sort >best
    while IFS=: read -r name median most until; do
        case $name in
        first*) must=1000 ;;
        all*) must=- ;;
        *) must=50 ;;
        esac
        printf '%-28s %7.1f %9s %12s  %-6s %s\n' "$name" "$median" "${most:--}" \
            "${until:--}" "$must" "$(verdict "$name" "$median" ${must#-})"
    done <best
}

page() {
    if [ ! -x "${MADE:-}" ]; then
        echo "no page: MADE is not tests/cli/html/made"
        return
    fi
    "$MADE" page "$ranks" "$regions" "$metrics" 20
    "$pdump" html -o page.html page.csv >/dev/null || {
        echo "FAILED page" | tee -a verdicts
        return
    }
    printf '\npage of %s ranks x %s regions x %s metrics, with samples, %s MB\n' \
        "$ranks" "$regions" "$metrics" "$(wc -c <page.html | awk '{ print $1 / 1e6 }')"
    in_browser page.html
}

huge() {
    dump 256 100000 1 >huge.csv || return
    printf '\n256 ranks x 100000 regions x 1 metric, from csv of %s MB, once\n' \
        "$(wc -c <huge.csv | awk '{ printf "%.0f", $1 / 1e6 }')"
    head_row
    is_usual=1 runs=1
    command_row html 0 0 0 html -o out/x.html huge.csv
    rm -f huge.csv
    [ -z "$browser" ] || in_browser out/x.html
}

browser=
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v $name)
done
python=${PYTHON:-python3}
if [ ! -r "${BROWSER_PY:-}" ] || ! "$python" -c 'import json' 2>/dev/null; then
    browser=
fi

kind=csv
for n in $((ranks / 16)) $((ranks / 4)) "$ranks"; do
    dump "$n" "$regions" "$metrics" >"$n.csv" || exit 1
    if "$pdump" export -f hdf5 "$n.csv" >/dev/null 2>&1; then
        kind=h5
    fi
done
input=$ranks.$kind
commands
growth
if [ -n "$browser" ]; then
    page
else
    printf '\nno Chromium or no Python: nobody looks at the page\n'
fi
[ -z "${HUGE:-}" ] || huge
if grep -q ^FAILED verdicts; then
    exit 1
fi
[ "${1:-}" != --strict ] || ! grep -q ^MISSED verdicts
