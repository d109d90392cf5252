#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The pdump command from outside: reports of hand-made files, exit codes, help.
. "${srcdir:-.}/cli/tool/kit.sh"
LC_ALL=C.UTF-8

# before FIRST SECOND: both are in stdout, in this order.
before() {
    first=$(grep -nF -e "$1" out | head -n 1 | cut -d: -f1)
    second=$(grep -nF -e "$2" out | head -n 1 | cut -d: -f1)
    [ -n "$first" ] && [ -n "$second" ] && [ "$first" -lt "$second" ] ||
        failed "\"$1\" is not before \"$2\""
}

# line TEXT: the line of stdout with it, blanks squeezed, must have the others.
line() {
    found=$(grep -F -e "$1" out | head -n 1 | tr -s ' ')
    shift
    for text in "$@"; do
        case "$found" in
        *"$text"*) ;;
        *) failed "no \"$text\" in the line \"$found\"" ;;
        esac
    done
}

head='process,rank,pid,thread,thread_name,node,parent,depth,path,region,group'
head="$head,file,line,open,visits"
for metric in 'time ns' 'PAPI_TOT_CYC 1' 'PAPI_TOT_INS 1'; do
    name=${metric% *} unit=${metric#* }
    for column in sum exclusive min max; do
        head="$head,$name.$column [$unit]"
    done
    head="$head,$name.sumsq [$unit^2]"
done

# main { solve { dot } "a, b" }, 2 ms in all; solve 1.5 ms, of which 1 ms in dot.
cat >run.csv <<END
$head
0,0,42,0,,0,,0,main,main,user,,0,0,1,2000000,300000,2000000,2000000,4e12,6000000,900000,6000000,6000000,0,9000000,1500000,9000000,9000000,0
0,0,42,0,,1,0,1,main/solve,solve,user,,0,0,10,1500000,500000,100000,200000,0,4500000,1500000,1,1,0,6000000,3000000,1,1,0
0,0,42,0,,2,1,2,main/solve/dot,dot,user,,0,0,1000,1000000,1000000,900,1100,0,3000000,3000000,1,1,0,3000000,3000000,1,1,0
0,0,42,0,,3,0,1,"main/a, b","a, b",user,,0,0,3,200000,200000,1,1,0,600000,600000,1,1,0,1500000,1500000,1,1,0
END
sed 's/,42,/,43,/' run.csv >other.csv

pdump 0 report run.csv
quiet
out_has '1 process, 1 thread'
line main 100.0 '2.00 ms' '300 µs' '6.00 M' '9.00 M' 1.50
line '├─ solve' 75.0 '1.50 ms' '500 µs' ' 10 ' 1.33
line '│  └─ dot' 50.0 '1.00 ms' 1000 1.00
line '└─ a, b' 10.0 '200 µs'
pdump 0 report --wide run.csv
line '├─ solve' ' 10 ' '150 µs'
line '│  └─ dot' ' 1000 ' '1.00 µs'
out_lacks "$(printf '\033')"

pdump 0 report --explain run.csv other.csv
out_has '2 processes, 2 threads'
out_has 'sums over 2 threads'
line '├─ solve' 75.0 '3.00 ms' '1.50 ms' ' 20 '

pdump 0 report --threads run.csv other.csv
out_has 'thread 0 of process 42'
out_has 'thread 0 of process 43'

pdump 0 report --flat --sort=self run.csv
before dot solve
before solve main
out_lacks '─ solve'
pdump 0 report --flat --sort visits run.csv
before dot solve
pdump 0 report --flat --sort=name run.csv
before 'a, b' dot
before dot main
pdump 0 report --flat --sort=tot_ins run.csv
before main solve
out_has '%: of PAPI_TOT_INS.'
pdump 0 report --flat --sort=IPC run.csv
before 'a, b' main

pdump 0 report --depth 2 run.csv
out_has solve
out_lacks dot
out_has '… 1 more'
pdump 0 report --min-percent=60 run.csv
out_has solve
out_lacks dot
out_lacks 'a, b'
pdump 0 report --metric=IPC run.csv
out_has IPC
out_lacks TOT_CYC
pdump 0 report --metric none run.csv
out_lacks TOT_CYC
out_lacks IPC
pdump 0 report --color=always run.csv
out_has "$(printf '\033[1;31mdot')"
# On a terminal there is colour, unless NO_COLOR says something.
if command -v script >/dev/null; then
    what="colour on a terminal"
    : >err
    for value in '' 1; do
        NO_COLOR=$value TERM=xterm timeout 300 script -qec \
            "'$PDUMP_COMMAND' report run.csv" /dev/null >out 2>&1 </dev/null
        out_has solve
        if [ -z "$value" ]; then
            out_has "$(printf '\033[1;31mdot')"
        else
            out_lacks "$(printf '\033')"
        fi
    done
fi
LC_ALL=C
pdump 0 report run.csv
out_has '|- solve'
pdump 0 report --width 40 run.csv
wide=$(awk '{ if (length($0) > n) n = length($0) } END { print n + 0 }' out)
[ "$wide" -le 40 ] || failed "a line of $wide columns"
out_has 'No room for'
COLUMNS=50
export COLUMNS
pdump 0 report run.csv
wide=$(awk '{ if (length($0) > n) n = length($0) } END { print n + 0 }' out)
[ "$wide" -le 50 ] || failed "a line of $wide columns"
unset COLUMNS
LC_ALL=C.UTF-8
# An operand that looks like an option.
cp run.csv ./--flat
pdump 0 report -- --flat
out_has '├─ solve'

pdump 0 report --json run.csv
quiet
out_has '"solve"'
case "$(head -c 1 out)" in
'{') ;;
*) failed "this is no JSON document" ;;
esac
TMPDIR=$work/nowhere
export TMPDIR
pdump 1 report --json run.csv
err_has nowhere
unset TMPDIR

mkdir empty
cd empty || exit 99
pdump 2 report
err_has 'pdump report: which file?'
mv out err ..
cd .. || exit 99
rmdir empty
pdump 1 report nofile.csv
err_has 'pdump report: nofile.csv: '
pdump 1 report run.csv nofile.csv
err_has nofile.csv
[ ! -s out ] || failed "half a report"
printf 'hello,world\n1,2\n' >foreign.csv
pdump 1 report foreign.csv
err_has 'pdump report: foreign.csv'
: >empty.csv
pdump 1 report empty.csv
err_has 'pdump report: empty.csv'
mkdir empty
pdump 1 report empty
head -c 20000 /dev/urandom >noise.csv
pdump 1 report noise.csv
err_has noise.csv

pdump 1 report --sort=tme run.csv
err_has 'did you mean time?'
pdump 1 report --metric PAPI_TOT_INN run.csv
err_has 'did you mean PAPI_TOT_INS'
pdump 2 report --flt run.csv
err_has 'did you mean --flat?'
pdump 0 report --json --flat run.csv
out_has '"lines_are": "region"'
for bad in --depth=0 --depth=x --depth=1.5 --min-percent=-1 --min-percent=101 \
    --min-percent=nan --width=-1 --color=pink --flat=1 -q; do
    pdump 2 report "$bad" run.csv
    err_has 'pdump report: '
done
pdump 2 report run.csv --depth
err_has 'needs a value'

pdump 2
err_has Usage
pdump 2 repotr
err_has 'did you mean report?'
pdump 2 --hepl
err_has 'did you mean --help?'
pdump 2 help nothing
pdump 0 --help
out_has 'report [FILE]...'
quiet
pdump 0 --version
out_has 'pdump '
for command in events info report; do
    pdump 0 $command --help
    out_has "Usage: pdump $command"
    cp out first
    pdump 0 help $command
    cmp -s out first || failed "help differs from --help"
    pdump 2 $command --no-such-option
    err_has 'unknown option --no-such-option'
done

pdump 0 info
out_has perf_event_paranoid
out_has PDUMP_OUTPUT_FORMAT
out_has csv
PDUMP_DEPTH_MAX=77
export PDUMP_DEPTH_MAX
pdump 0 info
line PDUMP_DEPTH_MAX 77 environment
unset PDUMP_DEPTH_MAX
pdump 2 info more

pdump 0 events
out_has 'Can be counted here:'
out_has pdump::cpu_time
pdump 0 events CPU_TIME
out_has pdump::cpu_time
out_lacks pdump::rss
pdump 0 events 'pdump::*_FAULTS'
out_has pdump::minor_faults
out_lacks pdump::rss
pdump 1 events no-such-event-anywhere
err_has no-such-event-anywhere
pdump 2 events one two

if [ -w /dev/full ]; then
    what="a full disk"
    timeout 300 "$PDUMP_COMMAND" report run.csv >/dev/full 2>err
    [ $? -eq 1 ] && grep -q 'cannot write' err || failed "not noticed"
fi

[ $n_failed -eq 0 ] || exit 1
echo "all as expected"
