#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the commands make of stacks, from dumps made by hand.
. "${srcdir:-.}/program/behaviour/kit.sh"
made=$PWD/cli/stacks/made

# has LINE: is it in the output, whatever blanks it has?
has() {
    sed 's/  */ /g; s/^ //; s/ $//' "$work/out" | grep -Fxq -- "$1" ||
        failed "no line '$1'"
}

# The facts of a run that has taken 20 stacks.
facts() {
    cat >>run.meta.csv <<END
metadata,0,stacks,20
metadata,0,stacks_unfinished,1
metadata,0,stacks_lost,3
metadata,0,stacks_cpu_time_ns,200000000
metadata,0,stacks_clock,"timer, 100 a second"
END
}

behaviour functions and the hot path
run 0 "$made" run 1
facts
run 0 "$pdump" report --stacks --width 0 run.csv
has 'Stacks: 20 for 20.0 us of CPU time, 100.0 a second (asked for: timer, 100 a second); 1 of 20 unfinished, 3 lost'
has 'self % self total % total stacks defined function'
has '50.0 10.0 us 100.0 20.0 us 20 work.c:10 work'
has '50.0 10.0 us 50.0 10.0 us 10 step.c:20 solve'
has 'total % stacks line function source'
has '50.0 10 main.c:3 main'
has '50.0 10 work.c:12 work'
has '40.5 8 work.c:12 work'
has '25.0 5 step.c:22 solve'

behaviour the source of the hot path
run 0 "$made" run 1
for file in work.c step.c; do
    awk -v name=$file 'BEGIN { for (i = 1; i < 30; i++)
        print "    " name, "text", i }' >$file
done
run 0 "$pdump" report --stacks --width 0 run.csv
has '40.5 8 work.c:12 work work.c text 12'
run 0 "$pdump" report --stacks --width 60 run.csv
has '40.5 8 work.c:12 work work.c text 12'
same "$(awk 'length($0) > 80' "$work/out" | wc -l | tr -d ' ')" 0 'long lines'

behaviour only the first
run 0 "$made" run 1
run 0 "$pdump" report --stacks --top 1 --width 0 run.csv
has '... and 1 more functions (--top)'
! grep -q 'step.c:20' "$work/out" || failed 'the second one is there, too'

behaviour by rank
run 0 "$made" run 3
run 0 "$pdump" report --stacks --width 0 run.csv
has 'self % self total % total stacks min @min max @max defined function'
has '50.0 30.0 us 100.0 60.0 us 60 10.0 us 0 10.0 us 0 work.c:10 work'
run 0 "$pdump" report --stacks --rank 1 --width 0 run.csv
has '50.0 10.0 us 100.0 20.0 us 20 work.c:10 work'

behaviour for programs
run 0 "$made" run 1
run 0 "$pdump" report --stacks --csv run.csv
cp "$work/out" functions.csv
has 'table,self %,self [ns],total %,total [ns],stacks,defined,function'
has 'stacks functions,50,10000,100,20000,20,work.c:10,work'
has 'stacks functions,50,10000,50,10000,10,step.c:20,solve'
has 'stacks hot path,25,5,step.c:22,solve,'
run 0 "$pdump" report --stacks --json run.csv
grep -qF '{"self %": 50, "self": 10000, "total %": 100, "total": 20000, "stacks": 20, "defined": "work.c:10", "function": "work"},' "$work/out" ||
    failed 'no function'
run 0 "$pdump" report --stacks --markdown run.csv
grep -qF '| 50.0 | 10.0 us | 100.0 | 20.0 us | 20 | `work.c:10` | `work` |' \
    "$work/out" || failed 'no row of a table'
run 0 "$pdump" report --stacks --csv --top 1 run.csv
same "$(grep -c '^stacks functions' "$work/out")" 1 functions

behaviour the tree is that of regions, and says what there is
run 0 "$made" run 2
run 0 "$made" plain 2 -
run 0 "$pdump" report --width 100 plain.csv
cp "$work/out" wanted
run 0 "$pdump" report --width 100 run.csv
has 'Stacks (--stacks): 40 for 40.0 us of CPU time; most in work, 50.0 %'
grep -v '^Stacks' "$work/out" >found
cmp -s wanted found || failed "$(diff wanted found)"
for how in --csv --markdown --by=rank --flat; do
    run 0 "$pdump" report --width 100 $how plain.csv
    cp "$work/out" wanted
    run 0 "$pdump" report --width 100 $how run.csv
    grep -v '^Stacks' "$work/out" >found
    cmp -s wanted found || failed "$how: $(diff wanted found)"
done

behaviour without stacks there is a message
run 0 "$made" plain 2 -
run 1 "$pdump" report --stacks plain.csv
warns 'no stacks were taken'

behaviour the text format has a section
run 0 "$made" run 1
run 0 "$pdump" report --width 100 --explain run.csv
grep -v '^Stacks (' "$work/out" >wanted
run 0 "$pdump" report --width 100 --stacks run.csv
cat "$work/out" >>wanted
run 0 "$pdump" export -f text run.csv
cmp -s wanted run.txt || failed "$(diff wanted run.txt)"

behaviour differences are those of regions
run 0 "$made" run 1
run 0 "$made" plain 1 -
run 0 "$pdump" diff plain.csv run.csv
! grep -q 'work\|stack' "$work/out" || failed 'there are stacks'

behaviour merged files have the stacks of both
run 0 "$made" run 1
cp run.csv again.csv
cp run.meta.csv again.meta.csv
cp run.details.csv again.details.csv
run 0 "$pdump" merge -o both.csv run.csv again.csv
run 0 "$pdump" report --stacks --csv both.csv
has 'stacks functions,50,20000,100,40000,40,10000,0,10000,0,work.c:10,work'

behaviour pprof reads its format
run 0 "$made" run 2
run 0 "$pdump" export -f pprof run.csv
if [ -n "${PDUMP_TEST_PPROF:-}" ]; then
    # shellcheck disable=SC2086
    run 0 $PDUMP_TEST_PPROF -top -nodecount=9 run.pprof
    has '20us 50.00% 50.00% 40us 100% work'
    has '20us 50.00% 100% 20us 50.00% solve'
fi
run 0 "$pdump" export -o other.pprof run.csv
cmp -s run.pprof other.pprof || failed 'the ending is not known'

finish
