#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pdump top: running programs seen from outside, on paper and on a terminal.
. "${srcdir:-.}/program/behaviour/kit.sh"

stores=$work/stores
alive=

# begin WORD...: a new case, with an empty folder for stores.
begin() {
    behaviour "$@"
    rm -rf "$stores"
    mkdir "$stores" || exit 99
}

# start CASE: a program that lives until stop; waits until it records.
start() {
    mkfifo said
    env PDUMP_EVENTS=pdump::minor_faults PDUMP_FOLLOW=1 PDUMP_STORE="$stores" \
        survivor "$1" >said 2>/dev/null &
    alive=$!
    exec 3<said
    read -r line <&3
    [ "$1" = live ] || read -r line <&3
}

stop() {
    kill $alive
    wait $alive || failed "the program that was watched failed"
    alive=
    exec 3<&-
}
trap '[ -z "$alive" ] || kill $alive; rm -rf "$work"' EXIT

# top CODE ARGUMENT...: as run().
top() {
    wanted=$1
    shift
    run "$wanted" "$pdump" top "$@"
}

out_has() { grep -qF -e "$1" "$work/out" || failed "stdout has no \"$1\""; }
out_lacks() { ! grep -qF -e "$1" "$work/out" || failed "stdout has \"$1\""; }
err_has() { grep -qF -e "$1" "$work/err" || failed "stderr has no \"$1\""; }

# shows TEXT: wait until top has printed that, for five minutes at most.
shows() {
    for _ in $(seq 3000); do
        ! grep -qa -e "$1" "$work/out" || return 0
        sleep 0.1
    done
}

# figure REGION COLUMN: of the first line of that region, marks left out.
figure() {
    sed -e 's/ (open)//' -e 's/^[|`-]* *//' -e 's/#//g' "$work/out" |
        awk -v region="$1" -v n="$2" '$1 == region { print $n; exit }'
}

# between VALUE LEAST MOST ABOUT...
between() {
    value=$1 least=$2 most=$3
    shift 3
    awk -v v="$value" -v a="$least" -v b="$most" \
        'BEGIN { exit !(v != "" && v + 0 >= a && v + 0 <= b) }' ||
        failed "$*: $value is not between $least and $most"
}

begin a region that never ends takes all the time of its thread
start live
top 0 --once -d 0.5 "$stores"
quiet
out_has "pid $alive: 1 process, 2 threads"
out_has 'busy (open)'
between "$(figure busy 2)" 70 130 "share of busy"
# At most a hundred a second; how many it gets is the machine's affair.
between "$(figure tick 4)" 0.001 101 "visits of tick per second"
out_lacks "$(printf '\033')"
# What a region does not count has no rate.
out_has ' ticks'
out_lacks '- /s'
stop
same "$(visits busy)" 1 "the watched program's own dump"

begin rates are of the time between two looks, totals of all
start live
top 0 -n 2 -d 0.3 --flat "$stores"
same "$(grep -c '^pdump top' "$work/out")" 2 pages
first=$(figure tick 5)
last=$(grep '^tick' "$work/out" | tail -n 1 | sed 's/#//g' | awk '{ print $5 }')
[ "$last" -gt "$first" ] || failed "$first visits, then $last"
stop

begin by threads, processes, and process number
start live_family
top 0 --once -d 0.2 "$stores"
out_has '2 processes, 4 threads'
between "$(figure busy 2)" 140 260 "share of busy in two processes"
top 0 --once -d 0.2 --threads --sort=name "$stores"
same "$(grep -c '^thread' "$work/out")" 4 "threads"
top 0 --once -d 0.2 --processes "$stores"
same "$(grep -c '^pid ' "$work/out")" 2 "tables"
child=$(sed -n 's/^pid \([0-9]*\):.*/\1/p' "$work/out" | grep -v "^$alive$")
run 0 PDUMP_STORE="$stores" "$pdump" top --once -d 0.2 "$child"
out_has "pid $child: 1 process"
run 0 PDUMP_STORE="$stores" "$pdump" top --once -d 0.2 "$alive"
out_has "pid $alive, $child: 2 processes"
top 0 --once -d 0.2 "$(ls "$stores"/*-"$child".store)"
out_has "pid $child: 1 process"
top 0 --once -d 0.2 --sort=minor_faults "$stores"
out_has 'by minor_faults'
top 1 --once -d 0.2 --sort=nothing "$stores"
err_has 'no metric "nothing"'
same "$(wc -c <"$work/out" | tr -d ' ')" 0 "half a page"
stop

begin several processes, and the ranks of a job
# rank NUMBER: a rank of a job, by what a launcher says.
rank() {
    mkfifo "said.$1"
    env PDUMP_EVENTS=pdump::minor_faults PDUMP_STORE="$stores" \
        PMIX_NAMESPACE=job7 OMPI_COMM_WORLD_RANK="$1" \
        survivor live >"said.$1" 2>/dev/null &
    alive="$alive $!"
    read -r line <"said.$1"
}
alive=
for number in 2 0 1; do
    rank $number
done
# shellcheck disable=SC2086
set -- $alive
top 0 --once -d 0.3 "$stores"
out_has '3 processes, 6 threads, ranks 0-2'
same "$(grep -c '^pid ' "$work/out")" 1 "tables of a job"
between "$(figure busy 2)" 210 390 "share of busy in three ranks"
top 0 --once -d 0.3 --ranks --sort=name "$stores"
same "$(sed -n '/^rank/,$p' "$work/out" | awk 'NR > 1 { print $1, $2, $3 }')" \
    "$(printf '%s\n' "0 $2 2" "1 $3 2" "2 $1 2")" "lines of the ranks"
same "$(grep -c ' busy$' "$work/out")" 3 "where they spend most"
out_has 'time %'
top 0 --once -d 0.3 --ranks --sort=minor_faults "$stores"
out_has 'minor_faults/s'
top 1 --once -d 0.1 --ranks --sort=nothing "$stores"
err_has 'no metric "nothing"'
run 0 PDUMP_STORE="$stores" "$pdump" top --once -d 0.2 "$1" "$3"
out_has '2 processes, 4 threads, ranks 1-2'
run 0 PDUMP_STORE="$stores" "$pdump" top --once -d 0.2 "$1" \
    "$(ls "$stores"/*-"$2".store)"
out_has '2 processes, 4 threads, ranks 0, 2'
for pid in "$@"; do
    kill "$pid"
    wait "$pid" || failed "a rank that was watched failed"
done
alive=

begin a process that ends is shown as ended, once
start live
(
    shows 'pdump top'
    kill $alive
) &
top 0 -n 1000 -d 0.4 "$stores"
wait $alive
alive=
same "$(grep -c '(ended)' "$work/out")" 1 "pages with it as ended"
tail -n 8 "$work/out" | grep -q '(ended)' || failed "it is not the last page"

begin no process: one line
top 1 --once -d 0.1 "$stores"
err_has 'no running process'
timeout 300 env PDUMP_EVENTS=none PDUMP_STORE="$stores" survivor killed \
    >/dev/null 2>&1
top 1 --once -d 0.1 "$stores"
top 1 --once -d 0.1 "$stores"/*.store
top 1 /nowhere/at/all
err_has '/nowhere/at/all'
echo hello >alien
top 1 alien
err_has 'not a store'
sh -c 'exit 0' &
gone=$!
wait $gone
top 1 $gone

begin bad requests are refused
for bad in --delay=0 --delay=x -d-1 --count=0 -n1.5 --depth=0 --once=1 -x; do
    top 2 "$bad" "$stores"
    err_has 'pdump top: '
done
top 1 one two
err_has one
top 0 --help
out_has 'Usage: pdump top'
out_has '-d, --delay=SECONDS'

# screen TEXT KEYS [COLUMNS]: runs top on a terminal that script(1) makes, presses the
# keys when the text is there, and returns when the terminal has been restored.
screen() {
    : >"$work/out"
    {
        shows "$1"
        printf '%s' "$2"
        shows '1049l'
    } | TERM=xterm timeout 300 script -qfec \
        "stty rows 14 cols ${3:-60}; '$pdump' top -d 0.3 '$stores'; stty -a" \
        /dev/null >>"$work/out" 2>"$work/err"
}

if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    begin a terminal gets its page and is put back
    start live
    screen 'by time' vsnmMhprfq
    out_has "$(printf '\033[?1049h')"
    out_has "$(printf '\033[?1049l')"
    out_has 'by visits'
    out_has 'by name'
    out_has 'thread 1'
    out_has 'most in'
    # What erases the rest of a full line would erase its last character.
    escape=$(printf '\033')
    ! grep -q "[^H]$escape\[K" "$work/out" || failed "ends of lines are erased"
    sed -e "s/$escape\[[0-9;?]*[HJhl]/\\
/g" -e "s/$escape\[[0-9;]*[A-Za-z]//g" "$work/out" | tr -d '\r' |
        awk 'length > 60' >"$work/long"
    same "$(cat "$work/long")" "" "lines longer than the terminal is wide"
    grep -q '[^-]icanon' "$work/out" || failed "the terminal stays raw"
    grep -q '[^-]echo ' "$work/out" || failed "the terminal has no echo"
    begin_of_end=$(grep -c "$(printf '\033\\[?25h')" "$work/out")
    [ "$begin_of_end" -ge 1 ] || failed "the cursor stays hidden"
    # Ctrl-C, as a terminal sends it.
    screen 'by time' "$(printf '\003')"
    out_has "$(printf '\033[?1049l')"
    stop

    begin the keys fit a terminal of 80 columns
    start live
    screen '? all keys' '?q' 80
    out_has 'q quit  t time  s self  v visits  n name  r ranks  f flat  ? all keys'
    out_has 'sort by the next metric, or the one before'
    stop

    begin a terminal waits for processes
    screen 'Waiting for one' q
    out_has 'Waiting for one'
fi
finish
