#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `pdump report` of several ranks from outside: --rank, --by-rank, statistics.
. "${srcdir:-.}/cli/tool/kit.sh"

# Four ranks: main { solve }, input on rank 1 only.  solve takes 1, 2, 3 and 6 ms.
{
    echo 'process,rank,pid,thread,node,parent,region,group,visits,time.sum [ns]'
    for rank in 0 1 2 3; do
        ms=$((rank < 3 ? rank + 1 : 6))
        echo "$rank,$rank,4$rank,0,0,,main,user,1,10000000"
        echo "$rank,$rank,4$rank,0,1,0,solve,user,4,${ms}000000"
        [ $rank -ne 1 ] ||
            echo "$rank,$rank,4$rank,0,2,0,input,user,1,500000"
    done
} >four.csv

pdump 0 report --width 80 four.csv
out_has '4 ranks, 4 threads'
out_has '%     mean      max  @rank  imb %      on     self'
out_has '|- solve  ##         30.0  3.00 ms  6.00 ms     @3  100.0     all  3.00 ms'
out_has '`- input              1.2   500 us   500 us     @1      0  1 of 4   500 us'
pdump 0 report --columns min,ranks four.csv
out_has '|- solve  1.00 ms   :-=#'
out_has '`- input   500 us    # '

pdump 0 report --rank 3 four.csv
out_has 'rank 3, 1 process, 1 thread'
out_has '6.00 ms'
out_lacks 'imb %'
out_lacks input
pdump 0 report --rank=0,2-3 --width 80 four.csv
out_has '3 ranks, 3 threads'
out_has 'solve  ###        33.3  3.33 ms  6.00 ms     @3'
out_lacks input
pdump 1 report --rank 4 four.csv
err_has 'pdump report: --rank: there is no rank 4 in it, but 0-3'
pdump 1 report --rank 0,7-9 four.csv
err_has 'there is no rank 7 to 9 in it'
for bad in '' 1- -1 1,,2 3-1 a 1,a 1, 99999999999; do
    pdump 2 report "--rank=$bad" four.csv
    err_has "not \"$bad\""
done

pdump 0 report --by-rank four.csv
out_has 'region        %   rank 0   rank 1   rank 2   rank 3'
out_has '|- solve   30.0  1.00 ms  2.00 ms  3.00 ms  6.00 ms'
out_has '`- input    1.2     -      500 us     -'
pdump 0 report --by-rank --rank=1,3 --flat four.csv
out_has 'rank 1   rank 3'
out_lacks 'rank 0'
pdump 0 report --by-rank --width 50 four.csv
out_has 'No room for ranks 1 to 3'
pdump 2 report --by-rank --threads four.csv
err_has 'do not go together'
pdump 0 report --threads four.csv
out_has 'thread 0 of process 43, rank 3'

# Only statistics: 8 ranks, no rows at all.
echo 'process,rank,node,region,visits,time.sum [ns]' >stats.csv
cat >stats.meta.csv <<END
table,index,key,value
dump,0,format,libpdump
dump,0,version,1
dump,0,rows,0
dump,0,samples,0
dump,0,statistics,2
metric,0,name,time
metric,0,unit,ns
metric,0,kind,counter
region,0,name,main
region,0,group,user
node,0,parent,
node,0,region,0
metadata,0,ranks,8
END
cat >stats.stats.csv <<END
node,metric,ranks,sum,min,max,sumsq,rank_of_min,rank_of_max
0,visits,8,8,1,1,8,0,0
0,time,8,8000000,500000,2000000,1e13,5,6
END
pdump 0 report --width 80 stats.csv
out_has 'statistics of 8 ranks'
out_has 'main    ########  100.0  1.00 ms  2.00 ms     @6  100.0'
pdump 0 report --wide stats.csv
out_has ' 500 us    @5  500 us '
pdump 0 report --json stats.csv
out_has '"ranks": 8'
out_has '"mean": 1000000, "min": 500000, "max": 2000000, "stddev": 500000'
pdump 1 report --rank 0 stats.csv
err_has "statistics over 8 ranks only"
pdump 1 report --threads stats.csv
err_has "statistics over ranks only"
pdump 1 report --by-rank stats.csv
err_has "statistics over 8 ranks only"
# The same once more: a job of 16.
pdump 0 report --width 80 stats.csv stats.csv
out_has 'statistics of 16 ranks'

# JSON has it for the ranks that were chosen.
pdump 0 report --json --rank 2-3 four.csv
out_has '"metric": 0, "ranks": 2, "sum": 9000000, "mean": 4500000'
out_lacks '"rank": 1,'
pdump 0 report --json --by-rank four.csv
out_has '"time.rank_3": 6000000'

[ $n_failed -eq 0 ] || exit 1
echo "all as expected"
