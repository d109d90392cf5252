#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What reports tell of MPI, of I/O and of lines, from dumps made by hand.
. "${srcdir:-.}/program/behaviour/kit.sh"
made=$PWD/cli/html/made

# has LINE: is it in the output, whatever blanks it has?
has() {
    sed 's/  */ /g; s/^ //; s/ $//' "$work/out" | grep -Fxq -- "$1" ||
        failed "no line '$1'"
}

behaviour MPI by function, site, rank and size
run 0 "$made" run 2 20 2 5
run 0 "$pdump" report --mpi --width 0 run.csv
has "function % time calls mean max sent received blocked imb %"
has "MPI_Send 100.0 10.0 us 30 333 ns 9 ns 160 B 9.01 PB 0 0.0"
has "80.0 8.00 us 10 800 ns 0 9.01 PB 154 ns MPI_Send made.c:2 (main)"
has "20.0 2.00 us 20 100 ns 160 B 0 14 ns MPI_Send made.c:1 (<i>main</i>)"
has "1 0.0 5.00 us 15 80 B 4.50 PB 0"
has "from 4 B 20 66.7 ########################################"
! grep -q region "$work/out" || failed "the tree is there, too"
! grep -q 'in flight' "$work/out" || failed "requests that there are not"

behaviour only what is largest
run 0 "$made" run 4 20 2 5
run 0 "$pdump" report --mpi --top 1 --width 0 run.csv
has "... and 1 more call sites (--top)"
has "... and 3 more ranks (--top)"
! grep -q 'made.c:1' "$work/out" || failed "the second site is there, too"
for file in run*.csv; do
    sed 's/MPI_Send/MPI_Recv/g' "$file" >"other${file#run}"
done
run 0 "$pdump" report --mpi --top 1 --width 0 run.csv other.csv
has "... and 1 more functions (--top)"
same "$(grep -c '^MPI_[SR]' "$work/out")" 1 "functions that are shown"

behaviour only some ranks
run 0 "$made" run 4 20 2 5
run 0 "$pdump" report --mpi --rank 1,2 --width 0 run.csv
has "MPI_Send 100.0 10.0 us 30 333 ns 9 ns 160 B 9.01 PB 0 0.0"

behaviour files and functions
run 0 "$made" run 2 20 2 5
run 0 "$pdump" report --io --width 0 run.csv
has "600 ns 6 0 - - 0 fwrite"
has "600 ns 6 0 - - 0 /tmp/file"

behaviour the tree says what there is
run 0 "$made" run 2 20 2 5
run 0 "$pdump" report run.csv
grep -q '^MPI (--mpi): .* of the run time' "$work/out" || failed "no MPI"
grep -q '^I/O (--io): .* of the run time' "$work/out" || failed "no I/O"

# text_is OPTION...: run.txt is the report without its hints, then what these
# options of `pdump report` show.
text_is() {
    "$pdump" report --all --explain --width 100 run.csv |
        grep -v -e '^MPI (--mpi)' -e '^I/O (--io)' -e '^Heap: ' >wanted
    "$pdump" report --width 100 "$@" run.csv >>wanted
    cmp -s wanted run.txt || {
        diff wanted run.txt
        failed "not the report with $*"
    }
}

behaviour the text format has the sections of what was recorded
run 0 "$made" run 2 20 2 5
run 0 "$pdump" export -f text run.csv
text_is --mpi --io --heap
run 0 "$made" run 2 20 5 5
run 0 "$pdump" export -f text run.csv
text_is --mpi --io --heap --lines

# lines LABEL...: a dump with these lines, run once, 10 ns each, of a function
# that begins at line 2 of f.py.
lines() {
    cat >run.csv <<END
process,rank,pid,thread,node,parent,region,group,visits,time.sum [ns]
0,0,10,0,0,,m:f,user,1,100
END
    cat >run.meta.csv <<END
table,index,key,value
dump,0,format,libpdump
dump,0,version,1
dump,0,rows,1
dump,0,details,$((2 * $#))
metric,0,name,time
metric,0,unit,ns
metric,0,kind,counter
metadata,0,start,2020-01-01T00:00:00Z
process,0,rank,0
process,0,pid,10
thread,0,process,0
thread,0,number,0
region,0,name,m:f
region,0,file,f.py
region,0,line,2
detail,0,name,lines
detail,0,about,lines
detail,0,key,line
field,0,detail,0
field,0,name,hits
field,0,kind,sum
field,0,width,1
field,1,detail,0
field,1,name,time
field,1,kind,sum
field,1,width,1
END
    echo "table,process,rank,pid,thread,node,path,label,field,index,unit,kind,\
value" >run.details.csv
    for label in "$@"; do
        echo "lines,0,0,10,0,0,,$label,hits,0,,sum,1"
        echo "lines,0,0,10,0,0,,$label,time,0,,sum,10"
    done >>run.details.csv
}

behaviour lines beside their source
printf 'x = 1\ndef f():\n    a()\n\n    b()\n\nf()\n' >f.py
touch -d 2019-01-01 f.py
lines f.py:3 f.py:5
run 0 "$pdump" report --lines --width 0 run.csv
has "m:f (f.py)"
has "line hits time per hit % source"
has "3 1 10 ns 10 ns 50.0 a()"
has "4"
has "5 1 10 ns 10 ns 50.0 b()"
! grep -q 'has changed' "$work/out" || failed "it has not changed"
! grep -q 'f()$' "$work/out" || ! grep -q '^ *7' "$work/out" ||
    failed "what is after the function is there, too"
run 0 "$pdump" export -f lines run.csv
cp run.lines.txt "$work/out"
has "3 1 10.0 10.0 50.0 a()"

behaviour lines whose source is another now, or nowhere
printf 'x = 1\n' >f.py
lines f.py:3 f.py:5
run 0 "$pdump" report --lines --width 0 run.csv
has "its source has changed since the run: the text may not be what was run"
has "5 1 10 ns 10 ns 50.0"
rm f.py
run 0 "$pdump" report --lines --width 0 run.csv
has "its source is not there: only lines that were run"
has "5 1 10 ns 10 ns 50.0"

behaviour lines that are none
mkdir d.py
printf 'def f(): pass' >f.py
lines f.py:2147483647 f.py:-7 f.py:99999999999999999999 f.py: : d.py:1 nothing \
    f.py:1
run 0 "$pdump" report --lines --width 0 run.csv
has "1 1 10 ns 10 ns 20.0 def f(): pass"
run 0 "$pdump" export -f lines run.csv

behaviour nothing was recorded
run 0 PDUMP_EVENTS=none regions names
run 1 "$pdump" report --mpi perf_dump.csv
grep -q 'pdump run --mpi' "$work/err" || failed "no way out"
run 1 "$pdump" report --io perf_dump.csv
grep -q 'pdump run --io' "$work/err" || failed "no way out"
for command in 'report --lines' 'export -f lines'; do
    # shellcheck disable=SC2086
    run 1 "$pdump" $command perf_dump.csv
    grep -q 'python -m pdump --lines' "$work/err" || failed "no way out"
done
absent perf_dump.lines.txt
run 1 "$pdump" report --io --csv perf_dump.csv
same "$(wc -c <"$work/out")" 0 "bytes of a document that there is not"

behaviour sections for programs
run 0 "$made" run 2 20 2 5
run 0 "$pdump" report --mpi --io --csv run.csv
has "table,function,percent,time [ns],calls,mean [ns],max [ns],sent [B],received [B],blocked [ns],imb %"
has "mpi functions,MPI_Send,100,10000,30,333.33333333333331,9,160,9007199254740992,0,0"
has "mpi ranks,1,0.001893939393939394,5000,15,80,4503599627370496,0"
has "table,time [ns],calls,bytes [B],rate [B/s],seq. %,errors,name"
has "io files,600,6,0,,,0,/tmp/file"
run 0 "$pdump" report --mpi --heap --json --top 1 run.csv
"${PYTHON:-python3}" - "$work/out" <<'END' || failed "not as expected"
import json, sys
found = json.load(open(sys.argv[1]))
tables = {table["table"]: table for table in found["tables"]}
assert found["format"] == "pdump report" and found["version"] == 1, found
assert tables["mpi functions"]["columns"][2] == {"name": "time", "unit": "ns"}
assert tables["mpi functions"]["lines"][0]["calls"] == 30
assert len(tables["mpi call sites"]["lines"]) == 1
assert "heap regions" in tables, list(tables)
END
run 0 "$pdump" report --mpi --markdown run.csv
has "| function | % | time | calls | mean | max | sent | received | blocked | imb % |"
has '| `MPI_Send` | 100.0 | 10.0 us | 30 | 333 ns | 9 ns | 160 B | 9.01 PB | 0 | 0.0 |'

behaviour every section fits the page
run 0 "$made" run 4 20 5 5
for width in 60 80 120; do
    run 0 "$pdump" report --width $width run.csv
    [ "$(wc -L <"$work/out")" -le $width ] || failed "report is too wide"
    run 0 "$pdump" report --mpi --io --heap --lines --width $width run.csv
    [ "$(wc -L <"$work/out")" -le $width ] || failed "sections are too wide"
done

behaviour the start of MPI stands apart
cat >init.csv <<'END'
process,rank,pid,thread,node,parent,region,group,visits,time.sum [ns]
0,0,10,0,0,,main,user,1,1000
0,0,10,0,1,0,MPI_Init,mpi,1,600
0,0,10,0,2,0,MPI_Send,mpi,1,100
END
run 0 "$pdump" report init.csv
has "MPI (--mpi): 10.0 % of the run time; MPI_Init: 60.0 %"
finish
