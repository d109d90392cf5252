#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pdump diff as a user, and as a test of somebody's performance, calls it.
modules=${PDUMP_MODULES_BUILT:-$PWD/../plugins/modules}
made=$PWD/cli/html/made
. "${srcdir:-.}/program/behaviour/kit.sh"
PDUMP_MODULES=$modules
export PDUMP_MODULES

# slower FACTOR FROM TO: "region 10" takes so many times as long.
slower() {
    awk -F, -v OFS=, -v by="$1" '
        NR == 1 {
            for (i = 1; i <= NF; i++) {
                name[i] = $i
                if ($i == "region") region = i
            }
        }
        NR > 1 && $region == "region 10" {
            for (i = 1; i <= NF; i++) {
                if (name[i] ~ /^time.sumsq/) $i *= by * by
                else if (name[i] ~ /^time[.]/) $i = int($i * by)
            }
        }
        { print }' OFMT=%.17g CONVFMT=%.17g "$2.csv" >"$3.csv"
    cp "$2.meta.csv" "$3.meta.csv"
}

behaviour two runs
run 0 "$made" a 6 30 2 0
slower 1.5 a b
run 0 "$pdump" diff a.csv a.csv
quiet
! grep -q 'region 10' "$work/out" || failed "a run differs from itself"
grep -q 'without a significant change' "$work/out" || failed "nothing said"
run 0 "$pdump" diff a.csv b.csv
quiet
grep -q '+50.0% .*MORE  *main/step/region 10$' "$work/out" || failed "no change"
same "$(grep -c MORE "$work/out")" 1 "regions that changed"
run 3 "$pdump" diff --fail-above 20% a.csv b.csv
run 0 "$pdump" diff --fail-above 60 a.csv b.csv
run 0 "$pdump" diff --fail-above 20 b.csv a.csv
grep -q 'less  *main/step/region 10$' "$work/out" || failed "not less"
run 0 "$pdump" diff --metric COUNTER_1 --fail-above 20% a.csv b.csv
run 0 "$pdump" diff --all a.csv b.csv
grep -q 'not significant' "$work/out" || failed "no line without a change"

grep -q 'one run each: indicative only' "$work/out" || failed "as if it were sure"
for columns in 80 100; do
    run 0 COLUMNS=$columns "$pdump" diff --all --min-percent 0 a.csv b.csv
    [ "$(wc -L <"$work/out")" -le $columns ] || failed "too wide"
done
run 3 "$pdump" diff --json --fail-above 20% a.csv b.csv
"${PYTHON:-python3}" - "$work/out" <<'END' || failed "not as expected"
import json, sys
found = json.load(open(sys.argv[1]))
assert (found["format"], found["metric"], found["runs"]) == \
    ("pdump diff", "time", [1, 1]), found
(line,) = [line for line in found["lines"] if line["verdict"] == "MORE"]
assert line["path"] == "main/step/region 10" and abs(line["change"] - .5) < .01
END
run 0 "$pdump" diff --markdown a.csv b.csv
grep -q '^| .* | +50.0 % | .* | MORE | `main/step/region 10` |$' "$work/out" ||
    failed "no line of the table"
run 2 "$pdump" diff --markdown --json a.csv b.csv

behaviour a metric that is not there
run 0 "$made" a 6 30 2 0
sed 's/COUNTER_1/pdump::rss/' a.csv >b.csv
sed 's/COUNTER_1/pdump::rss/' a.meta.csv >b.meta.csv
run 1 "$pdump" diff --metric COUNTER_1 a.csv b.csv
grep -q ': b.csv has no metric "COUNTER_1"' "$work/err" || failed "which file?"
run 1 "$pdump" diff --metric tiem a.csv b.csv
grep -q ': a.csv .*did you mean time?' "$work/err" || failed "no suggestion"
run 1 "$pdump" diff --metric rsss b.csv b.csv
grep -q 'did you mean rss?' "$work/err" || failed "no short name suggested"
run 0 "$pdump" diff --metric rss b.csv b.csv # as pdump report understands it
run 1 "$pdump" report --metric rsss b.csv
grep -q 'did you mean rss?' "$work/err" || failed "report: nothing suggested"

behaviour a metric that is made of others
run 0 "$made" a 6 30 2 0
sed 's/COUNTER_1/perf::CYCLES/' a.csv >b.csv
sed 's/COUNTER_1/perf::CYCLES/' a.meta.csv >b.meta.csv
run 1 "$pdump" diff --metric 'clock rate' b.csv b.csv
grep -q 'clock rate is made of perf::CYCLES and time; compare these' \
    "$work/err" || failed "of what?"
run 1 "$pdump" diff --metric 'clock rat' b.csv b.csv
! grep -q 'did you mean.*clock rate' "$work/err" || failed "what is refused"
run 1 "$pdump" report --metric 'clock rat' b.csv
grep -q 'did you mean.*clock rate' "$work/err" || failed "report: not suggested"

# known [REGION SUM]...: 100 equal visits of each inside of main.
known() {
    echo "process,rank,pid,thread,node,parent,region,group,visits,time.sum [ns],time.min [ns],time.max [ns],time.sumsq [ns^2]"
    echo "0,0,1,0,0,,main,user,100,10000000,100000,100000,1e12"
    node=0
    while [ $# -gt 0 ]; do
        node=$((node + 1)) each=$(($2 / 100))
        echo "0,0,1,0,$node,0,$1,user,100,$2,$each,$each,$((each * $2))"
        shift 2
    done
}

# order: the regions of the lines, from the first to the last.
order() {
    sed -n 's/.* main\/\([a-z]*\)$/\1/p' "$work/out" | tr '\n' ' '
}

# Neither the order of the tree, nor of names, nor of percents.
behaviour the largest difference comes first, whether more or less
known alpha 1000000 zeta 150000 beta 200000 gamma 5000000 delta 2000000 \
    same 3000000 >a.csv
known alpha 1100000 beta 600000 gamma 4300000 delta 2250000 omega 300000 \
    same 3000000 >b.csv
run 0 "$pdump" diff a.csv b.csv
quiet
same "$(order)" "gamma beta omega delta zeta alpha " "order of the lines"
run 0 "$pdump" diff b.csv a.csv
same "$(order)" "gamma beta omega delta zeta alpha " "order the other way round"
run 0 "$pdump" diff --top 3 a.csv b.csv
same "$(order)" "gamma beta omega " "the first three"
grep -q '^\.\.\. and 3 more (--top)$' "$work/out" || failed "no word of the others"
run 0 "$pdump" diff --all a.csv b.csv
same "$(order)" "gamma beta omega delta zeta alpha same " "order of all"

behaviour columns, where a µ is one character
run 0 "$made" a 6 30 2 0
slower 0.001 a b
run 0 LC_ALL=C.UTF-8 "$pdump" diff --all a.csv b.csv
grep -q 'µs' "$work/out" || failed "no figure in µs"
same "$(sed 's/µ/u/g' "$work/out" |
    awk '/main/ { print index($0, "main") }' | sort -u | wc -l | tr -d ' ')" 1 \
    "columns where the paths begin"

behaviour several runs
run 0 "$made" a 2 30 2 0
for i in 1 2 3 4; do
    slower 1.0$i a a$i
    slower 1.3$i a b$i
    slower 1.0$((5 - i))5 a c$i
done
run 3 "$pdump" diff --fail-above 5% a?.csv -- b?.csv
grep -q 'in 4 runs, then .* in 4 runs' "$work/out" || failed "number of runs"
run 0 "$pdump" diff --fail-above 5% a?.csv -- c?.csv
run 0 "$pdump" diff --fail-above 5% a1.csv a2.csv -- b1.csv b2.csv
grep -q 'inconclusive .*region 10$' "$work/out" || failed "two runs can tell"

behaviour what cannot be compared
run 0 "$made" a 1 3 1 0
run 2 "$pdump" diff a.csv
run 2 "$pdump" diff a.csv --
run 2 "$pdump" diff --fail-above=x a.csv a.csv
run 2 "$pdump" diff --top 1.5 a.csv a.csv
grep -q 'takes a whole number' "$work/err" || failed "which numbers?"
run 1 "$pdump" diff a.csv missing.csv
run 1 "$pdump" diff --metric nonsense a.csv a.csv
grep -q nonsense "$work/err" || failed "the metric is not named"
finish
