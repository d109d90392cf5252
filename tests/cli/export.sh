#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The formats of other programs, read by these programs, where they are here.
writer=$PWD/program/faults/writer
docs=$(cd "${srcdir:-.}/../docs" && pwd)
grow=$PWD/program/memory/grow
modules=$PDUMP_MODULES_BUILT
sanitizers=${PDUMP_SANITIZERS:-no}
. "${srcdir:-.}/program/behaviour/kit.sh"
. "$kit/../../cli/export/kit.sh"
PDUMP_EVENTS=none
export PDUMP_EVENTS

# suffix FORMAT
suffix() {
    case $1 in
    speedscope) echo speedscope.json ;;
    chrome) echo trace.json ;;
    caliper-json) echo cali.json ;;
    *) echo "$1" ;;
    esac
}

# has PROGRAM...: all of them are here; else say so.
has() {
    for program in "$@"; do
        type "$program" >/dev/null 2>&1 || {
            echo "skipped: $what: there is no $program"
            return 1
        }
    done
}

flamegraph=
for file in "$(command -v flamegraph.pl)" \
    /usr/share/perl5/Devel/NYTProf/flamegraph.pl; do
    [ ! -f "$file" ] || flamegraph=$file
done

# Two ranks, of which the first has two threads and a child; a recursion, an
# open region, missing values, and names that mean something to somebody.
nasty() {
    cat <<END
process,rank,pid,thread,thread_name,node,parent,region,group,file,line,open,visits,time.sum [ns],PAPI_TOT_INS.sum [1],pdump::rss.sum [B]
0,0,42,0,,0,,main,user,a.c,1,1,0,100000000,5000,4096
0,0,42,0,,1,0,"solve ""x"";y, \\ ' <b>&amp; {}[]|",user,a.c,10,0,10,60000000,3000,
0,0,42,0,,2,1,fib,user,b.c,5,0,100,40000000,2000,8192
0,0,42,0,,3,2,fib,user,b.c,5,0,200,30000000,1500,8192
0,0,42,0,,4,0,,user,,0,0,1,2000000,,
0,0,42,0,,5,0,"two
lines	tab",user,"f ""g"".c",3,0,1,3000000,,1
0,0,42,0,,6,0,(1) 17,user,,0,0,1,1000000,10,1
0,0,42,1,"w ""k"";",0,,main,user,a.c,1,0,1,20000000,1000,1
1,0,43,0,,0,,main,user,a.c,1,0,1,5000000,100,1
2,1,44,0,,0,,main,user,a.c,1,0,1,50000000,1000,1
END
    # A byte that is no character, and a control character.
    printf '2,1,44,0,,7,0,"raw \377\376 \033[31m \303\251",user,,0,0,4,9000000,5,1\n'
}

# exported FORMAT FILE...: as x.SUFFIX.
exported() {
    format=$1
    shift
    run 0 "$pdump" export -f "$format" -o x "$@"
    same "$(cat "$work/out")" "wrote ./x.$(suffix "$format")" "what export says"
    quiet
}

# agrees FORMAT: with the truth, truth.json.
agrees() {
    if [ -n "$python" ]; then
        run 0 "$python" "$formats/check.py" "$1" "x.$(suffix "$1")" truth.json
    else
        echo "skipped: $what: there is no python3"
    fi
}

for format in folded speedscope chrome caliper-json; do
    behaviour "$format, nasty names"
    nasty >run.csv
    run 0 "$pdump" export -o truth.json run.csv
    exported $format run.csv
    agrees $format

    behaviour "$format, a run with samples"
    run 7 PDUMP_RECORD=profile,samples "$writer" small
    run 0 "$pdump" export -o truth.json perf_dump.csv
    exported $format perf_dump.csv
    agrees $format

    behaviour "$format, two runs of two ranks as one"
    nasty >run.csv
    cp run.csv again.csv
    run 0 "$pdump" export -o both.csv run.csv again.csv
    run 0 "$pdump" export -o truth.json both.csv
    exported $format both.csv
    agrees $format
done

behaviour flamegraph.pl draws folded stacks
nasty >run.csv
exported folded run.csv
if [ -n "$flamegraph" ] && has perl; then
    run 0 perl "$flamegraph" --hash x.folded
    quiet
    for title in 'all (175,000 samples, 100%)' 'fib (40,000 samples, 22.86%)' \
        'fib (30,000 samples, 17.14%)' 'two lines tab (3,000 samples' \
        '(no name) (2,000 samples'; do
        grep -qF "<title>$title" "$work/out" || failed "no $title"
    done
else
    echo "skipped: $what: there is no flamegraph.pl"
fi

# column TEXT: the figures of callgrind_annotate in the lines that end so.
column() {
    awk -v text="$1" 'substr($0, length($0) - length(text) + 1) == text {
        gsub(/\([ 0-9.]*%\)/, ""); gsub(/,/, ""); print $1, $2 }' "$work/out"
}

behaviour callgrind_annotate has the right sums
nasty >run.csv
exported callgrind run.csv
if has callgrind_annotate; then
    run 0 callgrind_annotate --threshold=100 x.callgrind
    same "$(column 'PROGRAM TOTALS')" '175000000 7100' totals
    same "$(column 'a.c:main')" '100000000 4085' 'main itself'
    same "$(column 'b.c:fib')" '10000000 500' 'fib itself'
    same "$(column "b.c:fib'2")" '30000000 1500' 'fib in fib'
    same "$(column ':(1) 17')" '1000000 10' 'a name like a number'
    same "$(column ':two lines tab' | cut -d' ' -f1)" '3000000' 'a line end'
    same "$(column '\ '\'' <b>&amp; {}[]|')" '20000000 1000' 'signs'
    run 0 callgrind_annotate --threshold=100 --inclusive=yes x.callgrind
    same "$(column 'a.c:main')" '175000000 7100' 'main and all in it'
    same "$(column 'b.c:fib')" '40000000 2000' 'fib and all in it'
    run 0 callgrind_annotate --threshold=100 --tree=calling x.callgrind
    grep -q "> .*fib'2 (200x)" "$work/out" || failed "calls of fib by itself"
    grep -q '> .*fib (100x)' "$work/out" || failed "calls of fib"
fi

behaviour graphviz draws the call graph
nasty >run.csv
exported dot run.csv
if has dot; then
    run 0 dot -Tsvg x.dot -o x.svg
    # Fonts are no matter of ours.
    grep -v -i font "$work/err" >&2
    same "$(grep -c '<g id="node' x.svg)" 7 boxes
    same "$(grep -c '<g id="edge' x.svg)" 7 arrows
    for text in '>main<' '>100.0 %<' '>22.9 %<' '>(22.9 % self)<' '>(no name)<'; do
        sed 's/&#160;/ /g; s/&#45;/-/g' x.svg | grep -qF "$text" ||
            failed "no $text in the picture"
    done
fi

behaviour "speedscope's own schema"
nasty >run.csv
exported speedscope run.csv
sed 's/"unit":"nanoseconds"/"unit":"cubits"/' x.speedscope.json >bad.json
valid speedscope x.speedscope.json -- bad.json

behaviour the schema of trace events
nasty >run.csv
exported chrome run.csv
sed 's/"dur":/"duration":/' x.trace.json >bad.json
valid "$formats/chrome.schema.json" x.trace.json -- bad.json

behaviour formats of a running program
run 7 PDUMP_OUTPUT_FORMAT=speedscope,folded PDUMP_RECORD=profile,samples \
    "$writer" small
quiet
stores 0
same "$(ls | tr '\n' ' ')" 'perf_dump.folded perf_dump.speedscope.json ' files
same "$(grep -c '"type":"evented"' perf_dump.speedscope.json)" 2 profiles
run 7 PDUMP_OUTPUT_FORMAT=chrome,callgrind,caliper-json,dot,folded,speedscope \
    PDUMP_OVERWRITE=1 "$writer" small
quiet
same "$(ls | wc -l | tr -d ' ')" 6 files

behaviour memory over time of a running program
run 0 PDUMP_OUTPUT_FORMAT=mprof PDUMP_MEMORY=5 "$grow"
quiet
same "$(ls)" perf_dump.mprof.dat files
grep -q '^CMDLINE .*grow' perf_dump.mprof.dat || failed "no command"
at_least "$(grep -c '^MEM [0-9.]* [0-9.]*$' perf_dump.mprof.dat)" 10 looks
grep -q '^FUNC main/small/large ' perf_dump.mprof.dat || failed "no region"
# Without any there is nothing to write, which is told.
run 0 PDUMP_OUTPUT_FORMAT=mprof "$grow"
warns 'no memory over time was recorded'

behaviour lines of a running program
cat >script.py <<'END'
import pdump


@pdump.profile
def count(n):
    total = 0
    for i in range(n):
        total += i
    return total


count(10)
END
package=$top_builddir/bindings/python
if [ "$sanitizers" != no ]; then
    echo "skipped: $what: Python itself has no sanitizers"
elif [ ! -f "$package/pdump/_config.py" ] ||
    ! "${PYTHON:-python3}" -c 'import _cffi_backend' 2>/dev/null; then
    echo "skipped: $what: there is no Python package"
else
    run 0 PDUMP_OUTPUT_FORMAT=lines PYTHONPATH="$package" PDUMP_MODULES="$modules" \
        PDUMP_LIBRARY="$top_builddir/libpdump/.libs/libpdump.so" \
        PYTHONDONTWRITEBYTECODE=1 "${PYTHON:-python3}" -m pdump --lines script.py
    same "$(ls | tr '\n' ' ')" 'perf_dump.lines.txt script.py ' files
    # Line and hits, as line_profiler has them.
    for line in '6 1 .* total = 0' '7 11 .* for i in range(n):' \
        '8 10 .* total += i' '9 1 .* return total'; do
        sed 's/  */ /g' perf_dump.lines.txt | grep -q "^ $line$" ||
            failed "no line '$line' in $(cat perf_dump.lines.txt)"
    done
fi

behaviour export knows formats by their endings
nasty >run.csv
for name in y.folded y.speedscope.json y.trace.json y.callgrind y.cali.json \
    y.dot y.json; do
    run 0 "$pdump" export -o $name run.csv
    same "$(cat "$work/out")" "wrote ./$name" "what export says"
done
grep -q '"traceEvents"' y.trace.json || failed "y.trace.json is something else"
grep -q '"format": "libpdump"' y.json || failed "y.json is something else"
for command in 'info' 'export --help'; do
    run 0 "$pdump" $command
    for format in folded speedscope chrome callgrind caliper-json dot pprof; do
        grep -q "^  $format  " "$work/out" || failed "$command: no $format"
    done
done

behaviour export to standard output
nasty >run.csv
for format in folded speedscope chrome callgrind caliper-json dot json; do
    run 0 "$pdump" export -f $format -o - run.csv
    quiet
    cp "$work/out" piped
    run 0 "$pdump" export -f $format -o x run.csv
    cmp piped "$(sed -n 's/^wrote //p' "$work/out")" ||
        failed "$format is another one on standard output"
done
cp run.csv again.csv
run 0 "$pdump" merge -f folded -o - run.csv again.csv
! grep -q 'ranks that others had' "$work/out" || failed "words in the output"
for format in csv hdf5; do
    [ $format = csv ] || [ -e "$modules/pdump_$format.so" ] || continue
    run 2 PDUMP_MODULES="$modules" "$pdump" export -f $format -o - run.csv
    grep -q 'not for standard output' "$work/err" || failed "$format: no reason"
done
run 1 sh -c '"$0" export -f json -o - run.csv >/dev/full' "$pdump"
grep -q 'cannot write' "$work/err" || failed "a full disk is not told"
same "$(ls -A | grep -c '^-')" 0 "files called -"

# Python refuses a file without a function, also one of its own profilers.
behaviour pstats of a dump without a region
nasty | head -n 1 >run.csv
run 1 "$pdump" export -f pstats run.csv
grep -q 'no region was recorded' "$work/err" || failed "no reason"
absent run.pstats

# The reader has gone before anything is written: no race, whatever the size.
behaviour a reader that has enough
nasty >run.csv
mkfifo gate
for command in 'export -f json' 'merge -f json'; do
    run 0 "words=$command" "pdump=$pdump" sh -c '{
        read -r line <gate
        env --default-signal=PIPE "$pdump" $words -o - run.csv
        echo $? >code
    } | { exec <&-; echo go >gate; }'
    quiet
    same "$(cat code)" 141 "exit code of $command"
done

behaviour a folder that cannot be written to
nasty >run.csv
mkdir tmp
touch file
for command in 'export -f json' 'merge -f json' html; do
    [ "$command" != html ] || [ -e "$modules/pdump_html.so" ] || continue
    run 1 TMPDIR="$PWD/tmp" PDUMP_MODULES="$modules" "$pdump" $command \
        -o file/x run.csv
    grep -q 'not a folder; the output is in' "$work/err" || failed "no reason"
done

behaviour the examples of the manual work
nasty >perf_dump.csv
mkdir "$work/bin"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$pdump" >"$work/bin/pdump"
[ -z "$flamegraph" ] ||
    printf '#!/bin/sh\nexec perl "%s" "$@"\n' "$flamegraph" \
        >"$work/bin/flamegraph.pl"
chmod +x "$work"/bin/*
PATH=$work/bin:$PATH
sed -n '/^```sh$/,/^```$/p' "$docs/internals/formats.md" | grep -v '^```' >examples
at_least "$(wc -l <examples)" 6 examples
while read -r line; do
    what="example: $line"
    has "${line%% *}" || continue
    run 0 sh -c "$line"
done <examples
finish
