#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `pdump report` shows, and how: --by, --metric, --top, --region, --hot-path,
# several runs, CSV, JSON and Markdown, compared to the letter.
. "${srcdir:-.}/cli/tool/kit.sh"

# The text on standard input is what was printed.
out_is() {
    cat >wanted
    cmp -s wanted out || {
        diff wanted out
        failed "not as expected"
    }
}

# names WORD...: the first words of the table's lines, without guides.
names() {
    found=$(sed -n '/^---/,/^$/p' out | sed '1d; $d; /^\.\.\. /d; s/^[|` -]*//; s/ .*//' |
        tr '\n' ' ')
    [ "$found" = "$* " ] || failed "lines \"$found\" instead of \"$*\""
}

# main { solve { dot } io } by one process, in two source files.
cat >one.csv <<END
process,rank,pid,thread,node,parent,region,group,file,line,open,visits,time.sum [ns],PAPI_TOT_CYC.sum [1],PAPI_TOT_INS.sum [1]
0,0,42,0,0,,main,user,src/app.c,10,1,0,2000000,6000000,9000000
0,0,42,0,1,0,solve,user,src/la.c,20,0,10,1500000,4500000,6000000
0,0,42,0,2,1,dot,user,src/la.c,90,0,1000,1000000,3000000,3000000
0,0,42,0,3,0,"i|o, <b>\`",user,,0,0,3,200000,600000,1500000
END
sed 's/,42,/,43,/; s/,1500000,4500000/,1700000,4500000/' one.csv >two.csv

pdump 0 report --width 80 --metric none one.csv
quiet
out_is <<'END'
1 process, 1 thread

region                      %     time     self  visits
-------------------------------------------------------
main (open)   ########  100.0  2.00 ms   300 us       0
|- solve      ######     75.0  1.50 ms   500 us      10
|  `- dot     ####       50.0  1.00 ms  1.00 ms    1000
`- i|o, <b>`  #          10.0   200 us   200 us       3

Hot path: main (100.0 %) > solve (75.0 %) > dot (50.0 %).
(open): had not ended when the dump was written; the figures are those until
  then, but counters that could not be read then are of visits that had ended,
  or blank.
END
pdump 0 report --width 80 --metric none --columns visits,time/visit,Share one.csv
out_is <<'END'
1 process, 1 thread

region        visits  time/visit                %
-------------------------------------------------
main (open)        0     2.00 ms  ########  100.0
|- solve          10      150 us  ######     75.0
|  `- dot       1000     1.00 us  ####       50.0
`- i|o, <b>`       3     66.7 us  #          10.0

Hot path: main (100.0 %) > solve (75.0 %) > dot (50.0 %).
(open): had not ended when the dump was written; the figures are those until
  then, but counters that could not be read then are of visits that had ended,
  or blank.
END
pdump 1 report --columns time,speed one.csv
err_has 'there is no column "speed", but share, time, self, visits, time/visit, TOT_CYC'
# What was asked for stays longer than what is always there.
pdump 0 report --width 60 one.csv
out_has '%     time  visits  TOT_CYC  TOT_INS   IPC'
pdump 0 report --width 50 one.csv
out_has '%     time  TOT_CYC  TOT_INS'
pdump 0 report --wide --explain one.csv
out_has '  time/visit  TOT_CYC  TOT_INS   IPC  clock rate'
out_has 'IPC: instructions per cycle; clock rate: cycles per second'

# A page in a pipe is as wide as a wide terminal.
sed 's/,solve,/,a:b.very_long_name_of_a_function_that_nobody_would_ever_write_by_hand_but_that_compilers_make_of_templates_with_many_parameters,/' one.csv >long.csv
pdump 0 report long.csv
[ "$(wc -L <out)" -le 120 ] || failed "$(wc -L <out) columns"
pdump 0 report --width 0 long.csv
[ "$(wc -L <out)" -gt 120 ] || failed "only $(wc -L <out) columns"

# A name keeps its last part.
sed 's/,solve,/,numpy.linalg.linalg:SomeLongClass.with_long_name.solve_it,/' one.csv >leaf.csv
pdump 0 report --width 60 leaf.csv
out_has '.solve_it '

# What is small is folded, unless it is one line, or lines are selected.
sed 's/,200000,/,9000,/' one.csv >small.csv
pdump 0 report small.csv
out_lacks ' more'
{
    cat small.csv
    echo '0,0,42,0,4,3,tiny,user,,0,0,3,2000,,'
} >two_small.csv
pdump 0 report two_small.csv
out_has '... 2 more (--all)'
out_lacks tiny
pdump 0 report --all two_small.csv
out_has tiny
out_lacks ' more'
pdump 0 report --markdown two_small.csv
out_has '... 2 more (--all)'
for how in --csv --json --by=region,thread '--region=i|o, <b>`'; do
    case $how in
    --by*) pdump 0 report --all "$how" two_small.csv ;;
    *) pdump 0 report "$how" two_small.csv ;;
    esac
    out_has tiny
done

# Of a Python program, imports of libraries and the frames of IPython.
cat >python.csv <<'END'
process,rank,pid,thread,node,parent,region,group,file,line,open,visits,time.sum [ns]
0,0,42,0,0,,IPython.core.interactiveshell:InteractiveShell.run_cell,user,/usr/lib/python3/dist-packages/IPython/core/interactiveshell.py,10,0,1,2000000
0,0,42,0,1,0,runpy:run_path,user,<frozen runpy>,20,0,1,1900000
0,0,42,0,2,1,__main__:<module>,user,/home/u/x.py,1,0,1,1800000
0,0,42,0,3,2,json:<module>,user,/usr/lib/python3.11/json/__init__.py,1,0,1,800000
0,0,42,0,4,3,json.decoder:<module>,user,/usr/lib/python3.11/json/decoder.py,1,0,1,700000
0,0,42,0,5,2,mine:<module>,user,/home/u/mine.py,1,0,1,500000
0,0,42,0,6,5,mine:table,user,/home/u/mine.py,7,0,1,400000
0,0,42,0,7,0,tokenize:run,user,/usr/lib/python3.11/tokenize.py,3,0,1,90000
END
pdump 0 report --width 80 python.csv
names '__main__:<module>' 'json:<module>' 'mine:<module>' mine:table
out_has '... 4 more (--all)'
pdump 0 report --all python.csv
out_has 'json.decoder:<module>'
out_has 'runpy:run_path'

pdump 0 report --csv one.csv
quiet
out_is <<'END'
path,region,file,line,depth,open,visits,percent,time.sum [ns],time.self [ns],PAPI_TOT_CYC.sum [1],PAPI_TOT_CYC.self [1],PAPI_TOT_INS.sum [1],PAPI_TOT_INS.self [1],IPC [ratio],clock rate [Hz]
main,main,src/app.c,10,0,1,0,100,2000000,300000,6000000,900000,9000000,1500000,1.5,3000000000
main/solve,solve,src/la.c,20,1,0,10,75,1500000,500000,4500000,1500000,6000000,3000000,1.3333333333333333,3000000000
main/solve/dot,dot,src/la.c,90,2,0,1000,50,1000000,1000000,3000000,3000000,3000000,3000000,1,3000000000
"main/i|o, <b>`","i|o, <b>`",,0,1,0,3,10,200000,200000,600000,600000,1500000,1500000,2.5,3000000000
END

# Repeated or with commas, in the order asked for.
pdump 0 report --csv --metric ipc --metric=tot_ins,clock\ rate --top 1 one.csv
out_is <<'END'
path,region,file,line,depth,open,visits,percent,time.sum [ns],time.self [ns],IPC [ratio],PAPI_TOT_INS.sum [1],PAPI_TOT_INS.self [1],clock rate [Hz]
main,main,src/app.c,10,0,1,0,100,2000000,300000,1.5,9000000,1500000,3000000000
END

pdump 0 report --csv --by file --metric none one.csv
out_is <<'END'
file,open,visits,percent,time.sum [ns],time.self [ns]
src/app.c,1,0,100,2000000,300000
src/la.c,0,1010,75,1500000,1500000
,0,3,10,200000,200000
END
pdump 0 report --by file one.csv
out_has 'file '
names src/app.c src/la.c '(no'
pdump 0 report --by=function --metric none --sort self one.csv
out_has 'function '
out_has 'dot (la.c:90) '
names dot solve main 'i|o,'
pdump 0 report --by region one.csv
cp out flat
pdump 0 report --flat one.csv
cmp -s out flat || failed "--flat is not --by region"

pdump 0 report --json --metric none --top 2 one.csv
quiet
out_is <<'END'
{
  "format": "pdump report",
  "version": 1,
  "command": "",
  "lines_are": "region",
  "percent_of": "time",
  "overhead_percent": null,
  "runs": [],
  "warnings": [],
  "hot_path": ["main", "solve", "dot"],
  "columns": [
    {"name": "path", "unit": ""},
    {"name": "region", "unit": ""},
    {"name": "file", "unit": ""},
    {"name": "line", "unit": ""},
    {"name": "depth", "unit": ""},
    {"name": "open", "unit": ""},
    {"name": "visits", "unit": ""},
    {"name": "percent", "unit": ""},
    {"name": "time.sum", "unit": "ns"},
    {"name": "time.self", "unit": "ns"}],
  "lines": [
    {"path": "main", "region": "main", "file": "src/app.c", "line": 10, "depth": 0, "open": 1, "visits": 0, "percent": 100, "time.sum": 2000000, "time.self": 300000},
    {"path": "main/solve", "region": "solve", "file": "src/la.c", "line": 20, "depth": 1, "open": 0, "visits": 10, "percent": 75, "time.sum": 1500000, "time.self": 500000}]
}
END
pdump 0 report --json one.csv
out_has '"rows"'
out_lacks 'pdump report'

pdump 0 report --markdown --metric ipc one.csv
quiet
out_is <<'END'
1 process, 1 thread

| region | % | time | self | visits | IPC |
|:---|---:|---:|---:|---:|---:|
| `main` (open) | 100.0 | 2.00 ms | 300 us | 0 | 1.50 |
| &nbsp;&nbsp;`solve` | 75.0 | 1.50 ms | 500 us | 10 | 1.33 |
| &nbsp;&nbsp;&nbsp;&nbsp;`dot` | 50.0 | 1.00 ms | 1.00 ms | 1000 | 1.00 |
| &nbsp;&nbsp;`` i\|o, <b>` `` | 10.0 | 200 us | 200 us | 3 | 2.50 |

Hot path: main (100.0 %) \> solve (75.0 %) \> dot (50.0 %).

(open): had not ended when the dump was written; the figures are those until then, but counters that could not be read then are of visits that had ended, or blank.

END

pdump 0 report --top 2 one.csv
names main solve
out_has '... 2 more'
out_lacks '--all'
pdump 0 report --top 1 --sort visits one.csv
names main solve dot
pdump 0 report --flat --top 1 --sort visits one.csv
names dot
pdump 0 report --hot-path one.csv
names main solve dot
pdump 0 report --region solve one.csv
names main solve dot
pdump 0 report --region 'd*' --region main --flat one.csv
names main dot
pdump 0 report --min-percent 60 --by region one.csv
names main solve

# Several runs.
pdump 0 report --by run --width 80 one.csv two.csv
out_is <<'END'
2 runs, 2 processes, 2 threads
run 1: one.csv
run 2: two.csv

region            %    run 1    run 2      min     mean      max
----------------------------------------------------------------
main (open)   100.0  2.00 ms  2.00 ms  2.00 ms  2.00 ms  2.00 ms
|- solve       80.0  1.50 ms  1.70 ms  1.50 ms  1.60 ms  1.70 ms
|  `- dot      50.0  1.00 ms  1.00 ms  1.00 ms  1.00 ms  1.00 ms
`- i|o, <b>`   10.0   200 us   200 us   200 us   200 us   200 us

Hot path: main (100.0 %) > solve (80.0 %) > dot (50.0 %).
(open): had not ended when the dump was written; the figures are those until
  then, but counters that could not be read then are of visits that had ended,
  or blank.
END
pdump 0 report --by run,region --csv --metric time --region solve one.csv two.csv
out_is <<'END'
region,file,line,open,visits,percent,time.sum [ns],time.self [ns],time.ranks,time.mean [ns],time.min [ns],time.max [ns],time.stddev [ns],time.imbalance,time.rank_of_min,time.rank_of_max,time.run_1 [ns],time.run_2 [ns]
solve,src/la.c,20,0,20,80,3200000,1200000,2,1600000,1500000,1700000,100000,0.0625,1,2,1500000,1700000
END
# They are numbered as ranks are, and are none: no run lacks those of its job.
cat >few.csv <<END
process,rank,pid,thread,node,parent,region,group,visits,time.sum [ns]
0,0,44,0,0,,main,user,1,2000000
END
cat >few.meta.csv <<END
table,index,key,value
dump,0,format,libpdump
dump,0,version,1
dump,0,rows,1
metadata,0,ranks,4
END
pdump 0 report --by run --metric none few.csv one.csv
out_has 'warning: PAPI_TOT_INS was not counted by run 1'
pdump 0 report --by run --metric none --csv few.csv one.csv
err_has 'warning: PAPI_TOT_INS was not counted by run 1'
! grep rank err || failed "runs are called ranks"
pdump 0 report --explain one.csv two.csv
out_has '2 files as one; --by run has a column for each.'
out_has 'the mean of those that have the region.'
pdump 0 report --csv --metric none --top 2 one.csv two.csv
out_is <<'END'
path,region,file,line,depth,open,visits,percent,time.sum [ns],time.self [ns],time.threads,time.max_thread [ns],time.thread_imbalance
main,main,src/app.c,10,0,2,0,100,4000000,400000,2,2000000,0
main/solve,solve,src/la.c,20,1,0,20,80,3200000,1200000,2,1700000,0.0625
END
pdump 0 report --by thread --csv --metric none --depth 1 one.csv two.csv
out_is <<'END'
rank,pid,thread,path,region,file,line,depth,open,visits,percent,time.sum [ns],time.self [ns]
0,42,0,,,,0,0,0,,50,2000000,
0,42,0,main,main,src/app.c,10,1,1,0,50,2000000,300000
0,43,0,,,,0,0,0,,50,2000000,
0,43,0,main,main,src/app.c,10,1,1,0,50,2000000,100000
END

# Two ranks of four, one without a counter, and what the run said itself.
cat >ranks.csv <<END
process,rank,pid,thread,node,parent,region,group,visits,time.sum [ns],PAPI_TOT_INS.sum [1]
0,1,50,0,0,,main,user,100,1000,7
1,2,51,0,0,,main,user,100,3000,
END
cat >ranks.meta.csv <<END
table,index,key,value
dump,0,format,libpdump
dump,0,version,1
dump,0,rows,2
metric,0,name,time
metric,0,unit,ns
metric,0,kind,counter
metric,1,name,PAPI_TOT_INS
metric,1,unit,1
metric,1,kind,counter
metadata,0,ranks,4
metadata,1,overhead_ns_per_visit,1
metadata,2,start,2030-01-02T03:04:05Z
warning,0,text,events were dropped
warning,0,count,3
END
pdump 0 report --width 100 ranks.csv
head -n 6 out >first && mv first out
out_is <<'END'
2030-01-02 03:04:05 UTC, 2 of 4 ranks (1,2), 2 threads, overhead 5.0 %

warning: events were dropped (3 times)
warning: ranks 0,3 of 4 are not here: figures are those of the others
warning: PAPI_TOT_INS was not counted by rank 2
warning: measuring took about 1 ns per visit, 5 % of the time: short regions look longer than they
END
pdump 0 report --csv ranks.csv
err_has 'pdump report: warning: events were dropped (3 times)'
err_has 'pdump report: warning: ranks 0,3 of 4 are not here'
pdump 0 report --by rank --json ranks.csv
out_has '"text": "events were dropped", "count": 3'
out_has '"overhead_percent": 5,'
# Whoever asks for a rank does not miss the others.
pdump 0 report --rank 1 ranks.csv
out_lacks 'not here'

# Without a file: the newest dump here, or in a folder.
mkdir empty here here/sub
cd empty || exit 99
pdump 2 report
err_has 'which file? there is no dump here'
cd ../here || exit 99
cp ../one.csv old.csv
cp ../two.csv new.csv
cp ../ranks.meta.csv new.meta.csv
printf 'a,b\n1,2\n' >other.csv
printf 'x' >not.h5
sed 's/,solve,/,deep,/' old.csv >sub/one.csv
touch -d '2020-01-01 00:00:00' old.csv
touch -d '2020-01-02 00:00:00' new.csv sub/one.csv
touch -d '2020-01-03 00:00:00' other.csv not.h5 new.meta.csv
rm new.meta.csv
pdump 0 report --csv
err_has 'pdump report: new.csv'
out_has 'main/solve,solve,src/la.c,20,1,0,10,85,1700000'
cp new.csv new-others.csv
pdump 0 report --csv
err_has 'pdump report: new.csv'
mv new-others.csv only-others.csv
pdump 0 report --csv
err_has 'pdump report: only-others.csv'
rm only-others.csv
pdump 0 report --csv sub
err_has 'pdump report: sub/one.csv'
out_has 'main/deep,deep'
pdump 1 report ../empty
err_has '../empty: no dump is in this folder, and it is not one of a run'
pdump 0 score
err_has 'pdump score: new.csv'
pdump 0 diff --all
[ "$(cat err)" = "pdump diff: old.csv
pdump diff: new.csv" ] || failed "other files"
out_has 'main/solve'
PDUMP_MODULES=${PDUMP_MODULES_BUILT:-}
export PDUMP_MODULES
pdump 0 html -o page.html
err_has 'pdump html: new.csv'
printf '#!/bin/sh\necho "$1" >seen.new\nmv seen.new seen\n' >browser
chmod +x browser
BROWSER=./browser
export BROWSER
pdump 0 html --open -o page.html
for _ in 1 2 3 4 5 6 7 8 9; do
    [ -e seen ] || sleep 1
done
grep -q 'page.html$' seen || failed "no page in the browser"
BROWSER=./none
pdump 1 html --open -o page.html
err_has 'no browser was found'
unset BROWSER PDUMP_MODULES
rm old.csv
pdump 2 diff
err_has 'which files?'
cd .. || exit 99

# What is not there, and what may have been meant.
pdump 1 report --sort speed one.csv
err_has 'no metric "speed" in it; it takes self, visits, name, time, PAPI_TOT_CYC, PAPI_TOT_INS, IPC, clock rate'
pdump 1 report --region slove one.csv
err_has 'pdump report: --region: there is no region "slove" in it; did you mean solve?'
pdump 1 report --metric ipc --metric papi_tot_inn one.csv
err_has 'there is no metric "papi_tot_inn" in it; did you mean PAPI_TOT_INS or PAPI_TOT_CYC?'
pdump 1 report --rank 7 ranks.csv
err_has 'there is no rank 7 in it, but 1,2'
# A name in a message does not reach the terminal as it is.
printf 'process,rank,pid,thread,node,parent,region,group,visits,time.sum [ns]\n0,0,1,0,0,,so\033[31mlve,user,1,5\n' >evil.csv
pdump 1 report --region 'so[31mlve' evil.csv
! grep -q "$(printf '\033')" err || failed "an escape in a message"
err_has 'did you mean so?[31mlve?'
pdump 1 report 'größe.csv'
err_has 'größe.csv: '
LC_ALL=C.UTF-8
pdump 1 report 'größe.csv'
err_has 'größe.csv: '
LC_ALL=C

for bad in --by=nothing --by= --by=rank,x --top=0 --top=x --top=1.5 '--by=rank,thread' \
    '--by=run,thread' '--by=run,rank'; do
    pdump 2 report "$bad" one.csv
    err_has 'pdump report: '
done
pdump 2 report --csv --json one.csv
err_has 'do not go together'
pdump 2 report --by run --rank 0 one.csv
pdump 2 report --hot-path --flat one.csv
pdump 2 report --hot-path --region main one.csv
pdump 1 report --by rank --metric ipc one.csv
pdump 1 report --by run --csv one.csv nofile.csv
[ ! -s out ] || failed "half a report"
pdump 2 report --topp 1 one.csv
err_has 'did you mean --top?'
pdump 2 report --help=all one.csv
err_has '--help takes no value'

[ $n_failed -eq 0 ] || exit 1
echo "all as expected"
