#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Nothing that a program, a file or a name contains reaches a terminal as a
# control character: not in a table, and not in a message.
writer=$PWD/program/faults/writer
. "${srcdir:-.}/program/behaviour/kit.sh"
PDUMP_EVENTS=none
export PDUMP_EVENTS
escape=$(printf '\033')
evil="${escape}]0;evil$(printf '\007')"

# clean CODE ARGUMENT...: expect that exit code, and no control characters.
clean_run() {
    run "$@"
    cat "$work/out" "$work/err" | tr -d '\n' | LC_ALL=C grep -q '[[:cntrl:]]' &&
        failed "a control character: $(cat "$work/out" "$work/err" | cat -v |
            grep -m 1 '\^\[')"
}

# Everything in it is evil that is text.
evil_dump() {
    echo "process,rank,pid,thread,thread_name,node,parent,region,group,visits,time.sum [n${escape}s],ti${evil}me.sum [n${escape}s]"
    echo "0,0,1,0,thr$evil,0,,so${evil}lve,user,1,5,6"
    echo "0,1,2,0,thr$evil,1,0,in${evil}ner,u${evil}ser,2,5000000,8"
}

behaviour a message of a session
mkdir "$evil"
clean_run 7 PDUMP_TELL=always PDUMP_DUMP_DIR="$PWD/$evil" "$writer" small
grep -q 'pdump report' "$work/err" || failed "no message"
clean_run 7 TMPDIR="$work" PDUMP_DUMP_DIR="/dev/null/$evil" "$writer" small
grep -q 'the output is in' "$work/err" || failed "no message"

behaviour messages of commands
run 7 "$writer" small
for command in export merge; do
    clean_run 0 "$pdump" $command -f json -o "$evil$command" perf_dump.csv
    grep -q '^wrote ' "$work/out" || failed "no message"
done
clean_run 0 "$pdump" score --generate -o "$evil.filter" perf_dump.csv
for command in report diff score "merge -f csv -o x" "export -f csv"; do
    clean_run 1 "$pdump" $command "$evil.csv" "$evil.csv"
done
clean_run 2 "$pdump" "$evil"
clean_run 2 "$pdump" report "--$evil"

behaviour messages of recover
mkdir -p "$evil"
for options in "" "--keep" "--all --output $evil/x.csv" "--clean"; do
    PDUMP_STORE=$PWD/$evil timeout 300 survivor killed >/dev/null 2>&1 \
        </dev/null
    clean_run 0 "$pdump" recover $options "$evil"
    grep -q '/pdump-.*\.store' "$work/out" || failed "no name of a store"
done

behaviour tables of an evil dump
evil_dump >evil.csv
for variables in LC_ALL=C LC_ALL=C.UTF-8; do
    for options in "--by rank" "--by thread" "--by run" "--all --wide" \
        --explain --markdown --json; do
        clean_run 0 $variables "$pdump" report $options evil.csv
    done
    for options in "" --markdown --json; do
        clean_run 0 $variables "$pdump" diff $options evil.csv evil.csv
        clean_run 0 $variables "$pdump" diff --metric "ti${evil}me" $options \
            evil.csv evil.csv
    done
    clean_run 0 $variables "$pdump" score evil.csv
done
behaviour no spreadsheet executes a text
cat >x.csv <<'EOT'
process,rank,pid,thread,thread_name,node,parent,region,group,visits,time.sum [ns]
0,0,1,0,'-name,0,,"'=1+1, ""x""",user,1,5
0,0,1,0,'-name,1,0,'@inner,'+g,2,-5
0,0,1,0,'-name,2,0,''=quoted,user,2,1
0,0,1,0,'-name,3,0,-7.5,user,2,1
EOT
run 0 "$pdump" report --json x.csv
for name in '=1+1, \"x\"' @inner "'=quoted" -7.5; do
    grep -qF "\"$name\"" "$work/out" || failed "no region $name"
done
run 0 "$pdump" export -f csv -o y x.csv
same "$(cells y.csv region | tr '\n' ';')" \
    "'=1+1, \"x\";'@inner;''=quoted;-7.5;" "regions of the file"
same "$(cells y.csv time.sum | tr '\n' ';')" "5;-5;1;1;" "numbers of the file"
run 0 "$pdump" export -f csv -o z y.csv
cmp -s y.csv z.csv || failed "another file"
for by in region thread; do
    run 0 "$pdump" report --csv --by $by y.csv
    ! grep -E '(^|,)"?[=+@-][^0-9.]' "$work/out" || failed "a formula"
done
run 0 "$pdump" export -f csv-pyperfdump -o p y.csv
for name in '"=1+1, ' @inner "'=quoted"; do
    grep -q "^$name" p.csv || failed "no region $name as PyPerfDump writes it"
done
finish
