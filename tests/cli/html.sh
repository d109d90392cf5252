#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The page: written by pdump and by a run, and looked at in a real browser.
modules=$PDUMP_MODULES_BUILT
. "${srcdir:-.}/program/behaviour/kit.sh"
folder=$(cd "${srcdir:-.}/cli/html" && pwd)
made=$PWD/cli/html/made
writer=$PWD/program/faults/writer
seconds=300
PDUMP_MODULES=$modules
export PDUMP_MODULES

behaviour a page of a file
run 0 "$made" run 6 30 3 20
run 0 "$pdump" html run.csv
same "$(cat "$work/out")" "wrote ./run.html" "what it says"
grep -q '"ranks":6' run.html || failed "no ranks in the page"
! grep -qi 'https\?://' run.html || failed "the page refers to a network"
run 0 "$pdump" html -o other.html run.csv run.csv
run 0 "$pdump" export -o third.html run.csv
cmp -s run.html third.html || failed "export writes another page"
mkdir none
run 2 sh -c "cd none && '$pdump' html"
run 1 "$pdump" html missing.csv
same "$(find . -name '.*' -type f)" "" "files left"

behaviour a page of two files, compared
run 0 "$made" before 3 30 2 0
run 0 "$made" after 2 30 3 0 3
run 0 "$pdump" html --compare before.csv after.csv
same "$(cat "$work/out")" "wrote ./compare.html" "what it says"
grep -q '"compare_before","before.csv"' compare.html || failed "no names"
run 0 "$pdump" html --compare before.csv after.csv -o both.html
cmp -s compare.html both.html || failed "another page for another name"
run 0 "$made" gone 3 30 2 0 0
run 0 "$pdump" html --compare before.csv gone.csv
run 2 "$pdump" html --compare before.csv
run 2 "$pdump" html --compare before.csv after.csv after.csv
run 1 "$pdump" html --compare before.csv missing.csv
sed '1{s/time/other/g;s/COUNTER/OTHER/g;}' after.csv >strange.csv
run 1 "$pdump" html --compare before.csv strange.csv
grep -q 'no metric in common' "$work/err" || failed "$(cat "$work/err")"

behaviour a page of a run
run 7 PDUMP_OUTPUT_FORMAT=html PDUMP_EVENTS=none "$writer" small
[ -s perf_dump.html ] || failed "no page"

behaviour of a level the page has the highest, not a sum
run 7 PDUMP_OUTPUT_FORMAT=html,csv PDUMP_EVENTS=pdump::rss "$writer" small
cells perf_dump.csv "pdump::rss.max [B]" | sort -n | tail -n 1 >"$work/highest"
grep -qw "$(cat "$work/highest")" perf_dump.html || failed "no highest level"
cells perf_dump.csv "pdump::rss.sum [B]" | sort -u >"$work/sums"
! grep -qwFf "$work/sums" perf_dump.html || failed "a sum of levels"

behaviour very many nodes
run 0 "$made" large 2 30000 2 5000
run 0 "$pdump" html large.csv
grep -Eq '"hidden":[1-9][0-9]{4}' large.html || failed "small nodes are not left out"
[ "$(wc -c <large.html)" -lt 5000000 ] || failed "the page is too large"
[ "$(grep -o '"region [0-9]*"' large.html | wc -l)" -lt 20000 ] ||
    failed "names of what is left out"

behaviour very many functions of stacks
{
    echo "process,rank,pid,thread,node,parent,region,group,visits,time.sum [ns],pdump::stack_time.sum [ns]"
    echo "0,,1,0,0,,main,user,1,100000000,90000000"
    awk 'BEGIN { for (i = 1; i <= 25000; i++)
        print "0,,1,0," i ",0,frame " i ",stack,0,," i }'
} >stacks.csv
printf '%s\n' table,index,key,value dump,0,format,libpdump dump,0,version,1 \
    dump,0,rows,25001 metric,0,name,time metric,0,unit,ns metric,0,kind,counter \
    metric,1,name,pdump::stack_time metric,1,unit,ns metric,1,kind,counter \
    >stacks.meta.csv
run 0 "$pdump" html stacks.csv
grep -q '"hidden":500[0-9],' stacks.html || failed "not the largest of stacks"
grep -q '"frame 25000"' stacks.html || failed "the largest is left out"

behaviour very many events
run 0 "$made" many.html 4 30 2 3000
grep -q '"shown":1[0-9]*,"all":384004,' many.html || failed "not thinned"
[ "$(wc -c <many.html)" -lt 5000000 ] || failed "the page is too large"
run 0 "$made" many.html 300 0 1 60
[ "$(grep -o '"boxes"' many.html | wc -l)" -eq 150 ] || failed "too many threads"

# level_rows, level_metrics: of two ranks, with "solve" in two places.
level_rows() {
    echo "process,rank,pid,thread,node,parent,region,visits,time.sum [ns],rss.sum [B],rss.min [B],rss.max [B]"
    for rank in 0 1; do
        echo "$rank,$rank,$((rank + 1)),0,0,,main,1,1000,$((rank + 2))00,$((rank + 2))00,$((rank + 2))00"
        echo "$rank,$rank,$((rank + 1)),0,1,0,solve,10,500,5000,400,600"
        echo "$rank,$rank,$((rank + 1)),0,2,,solve,10,400,6000,500,700"
    done
}

level_metrics() {
    printf '%s\n' table,index,key,value dump,0,format,libpdump dump,0,version,1 \
        dump,0,rows,6 metric,0,name,time metric,0,unit,ns metric,0,kind,counter \
        metric,1,name,rss metric,1,unit,B metric,1,kind,gauge
}

# kinds_rows, kinds_facts: four ranks with a region of each kind.  Rank 3 is late
# in "sweep", and the others wait for it in MPI_Allreduce.
kinds_rows() {
    echo "process,rank,pid,thread,node,parent,region,group,visits,time.sum [ns],pdump::rss.sum [B],pdump::rss.min [B],pdump::rss.max [B]"
    for rank in 0 1 2 3; do
        late=$((rank == 3 ? 60 : 20))
        of="$rank,$rank,$((rank + 1)),0"
        echo "$of,0,,main,user,1,100000000,500,100,500"
        echo "$of,1,0,MPI_Init,mpi,1,10000000,100,100,100"
        echo "$of,2,0,solve,user,4,65000000,$((700 + 100 * rank % 300)),100,$((700 + 100 * rank % 300))"
        echo "$of,3,2,sweep,user,40,${late}000000,100,100,100"
        echo "$of,4,2,MPI_Allreduce,mpi,40,$((65 - late))000000,100,100,100"
        echo "$of,5,0,write,io,1,5000000,100,100,100"
        echo "$of,6,0,team,openmp,1,2000000,100,100,100"
        echo "$of,7,0,device,kernel,1,1000000,100,100,100"
    done
}

kinds_facts() {
    printf '%s\n' table,index,key,value dump,0,format,libpdump dump,0,version,1 \
        dump,0,rows,32 metric,0,name,time metric,0,unit,ns metric,0,kind,counter \
        metric,1,name,pdump::rss metric,1,unit,B metric,1,kind,gauge \
        metadata,0,ranks,4 metadata,1,wall_time_ns,110000000 \
        metadata,2,events_chosen,time metadata,3,overhead_ns_per_mpi_call,250 \
        metadata,4,setting.PDUMP_MPI,coll metadata,5,size_of_grid,100 \
        warning,0,text,one warning,0,count,1 warning,1,text,two warning,1,count,2
}

# stack_rows, stack_facts: a region in which stacks were taken.
stack_rows() {
    echo "process,rank,pid,thread,node,parent,region,group,file,line,visits,time.sum [ns],pdump::stacks.sum,pdump::stack_time.sum [ns]"
    echo "0,,1,0,0,,main,user,,0,1,100000000,10,90000000"
    echo "0,,1,0,1,0,outer,stack,solver.c,12,0,,8,72000000"
    echo "0,,1,0,2,1,inner,stack,solver.c,40,0,,5,45000000"
    echo "0,,1,0,3,0,helper,stack,tool.py,3,0,,1,9000000"
}

stack_facts() {
    printf '%s\n' table,index,key,value dump,0,format,libpdump dump,0,version,1 \
        dump,0,rows,4 metric,0,name,time metric,0,unit,ns metric,0,kind,counter \
        metric,1,name,pdump::stacks metric,1,kind,counter \
        metric,2,name,pdump::stack_time metric,2,unit,ns metric,2,kind,counter \
        metadata,0,stacks,10
}

# short_rows, short_facts: the visits of "short" are too short for the counter.
short_rows() {
    echo "process,rank,pid,thread,node,parent,region,visits,time.sum [ns],PAPI_TOT_CYC.sum,pdump::rss_growth.sum"
    echo "0,,1,0,0,,short,1000,500,399999,-4096"
    echo "0,,1,0,1,,long,1000,90000,400000,4096"
}

short_facts() {
    printf '%s\n' table,index,key,value dump,0,format,libpdump dump,0,version,1 \
        dump,0,rows,2 metric,0,name,time metric,0,unit,ns metric,0,kind,counter \
        metric,1,name,PAPI_TOT_CYC metric,1,kind,counter \
        metric,2,name,pdump::rss_growth metric,2,kind,counter \
        'metadata,0,counters_overhead_per_visit,"PAPI_TOT_INS 90, PAPI_TOT_CYC 400"'
}

# in_browser SCRIPT PAGE [MODE]: look at it, and expect no complaint.
in_browser() {
    run 0 HOME="$work/here" "$python" "$folder/$1" "$browser" "$2" ${3:+"$3"}
    same "$(cat "$work/out")" "" "what the browser says of $2 ${3:-}"
}

behaviour the page in a browser
browser=
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v $name)
done
python=
for candidate in "${PYTHON:-}" /usr/bin/python3 python3; do
    [ -n "$python" ] || [ -z "$candidate" ] ||
        ! "$candidate" -c 'import json' 2>/dev/null || python=$candidate
done
if [ -n "$browser" ] && [ -n "$python" ]; then
    printf 'def work():\n    a = "<b>&"\n\n    return a\n' >script.py
    run 0 "$made" run 6 90 6 20
    run 0 "$pdump" html run.csv
    in_browser browser.py run.html
    in_browser reader.py run.html callers
    in_browser reader.py run.html looks
    run 0 "$made" before 3 30 2 0
    run 0 "$made" after 3 30 3 0 3
    run 0 "$pdump" html --compare before.csv after.csv
    in_browser browser.py compare.html compare
    in_browser reader.py compare.html compare
    run 0 "$made" gone 3 30 2 0 0
    run 0 "$pdump" html --compare before.csv gone.csv -o gone.html
    in_browser browser.py gone.html gone
    run 0 "$made" timeline.html 3 30 2 4
    in_browser browser.py timeline.html timeline
    in_browser reader.py timeline.html timeline
    level_rows >levels.csv
    level_metrics >levels.meta.csv
    run 0 "$pdump" html levels.csv
    in_browser browser.py levels.html highest
    kinds_rows >kinds.csv
    kinds_facts >kinds.meta.csv
    run 0 "$pdump" html kinds.csv
    in_browser reader.py kinds.html summary
    stack_rows >stacks.csv
    stack_facts >stacks.meta.csv
    run 0 "$pdump" html stacks.csv
    in_browser reader.py stacks.html stacks
    short_rows >short.csv
    short_facts >short.meta.csv
    run 0 "$pdump" html short.csv
    in_browser reader.py short.html short
    run 7 PDUMP_OUTPUT_FORMAT=html PDUMP_EVENTS=none "$writer" small
    in_browser reader.py perf_dump.html real
else
    echo "no Chromium or no Python: nobody looks at the page"
fi
finish
