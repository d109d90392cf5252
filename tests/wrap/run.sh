#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pdump run: what nobody instrumented is measured, and does not notice.
life=$PWD/wrap/run/life
user=$PWD/wrap/run/user
functions=$PWD/wrap/functions/bare
slow_clock=$PWD/.libs/slow_clock.so
modules=$PDUMP_MODULES_BUILT
. "${srcdir:-.}/program/behaviour/kit.sh"
needs_preload
seconds=300
PDUMP_MODULES=$modules
PDUMP_EVENTS=none
export PDUMP_MODULES PDUMP_EVENTS
mkdir "$work/bin"
ln -s "$life" "$work/bin/other"
PATH=$work/bin:$PATH

# measure CODE [OPTION]... COMMAND...: without a summary.
measure() {
    end=$1
    shift
    run "$end" "$pdump" run --quiet "$@"
}

# programs NAME...: one root region for each, all ended, in one file.
programs() {
    same "$(cells perf_dump.csv region group=program open=0 | sort |
        tr '\n' ' ')" "$(printf '%s ' "$@")" programs
    one_file
}

one_file() {
    same "$(ls -A | grep -v '^own' | tr '\n' ' ')" \
        "perf_dump.csv perf_dump.meta.csv " files
    stores 0
    readable perf_dump.csv
}

# on_terminal WORD...: what it prints on a terminal of 80 columns.
on_terminal() {
    timeout 300 script -qec "stty cols 80; $*" /dev/null <"/dev/null" |
        tr -d '\r' >"$work/out"
    awk 'length > 80 { exit 1 }' "$work/out" || failed "wider than the terminal"
}

behaviour a file is named, wherever the summary goes
run 0 "$pdump" run "$life" plain
same "$(cat "$work/out")" "" "standard output"
same "$(cat "$work/err")" \
    "pdump run: $PWD/perf_dump.csv (pdump report $PWD/perf_dump.csv)" "summary"
programs life
same "$(visits life)" 1 visits
run 0 PDUMP_QUIET=1 "$pdump" run "$life" plain
same "$(cat "$work/out" "$work/err")" "" "output of a quiet run"

behaviour a summary of any program on a terminal
on_terminal "$pdump run $life plain"
grep -q "^  exit code 0, .* wall, .* user, .* system" "$work/out" ||
    failed "no line with times"
grep -q "^ 100.0 .* life" "$work/out" || failed "no line of the program"
grep -q "^  for more: pdump run --mpi --io --heap, or regions" "$work/out" ||
    failed "nothing to try"
grep -q "  next: pdump report .*/perf_dump.csv" "$work/out" || failed "no file"
programs life
on_terminal "PDUMP_QUIET=1 $pdump run $life plain"
same "$(cat "$work/out")" "" "output of a quiet run"

behaviour what a program records is in the summary, the largest of it
on_terminal "$pdump run sh -c '$user many; $user many'"
# Five lines: sh and user are two.
same "$(grep -c " region [0-9]" "$work/out")" 3 "lines of regions"
! grep -q 'for more' "$work/out" || failed "a proposal"
for what_more in io:I/O heap:Heap memory:Memory; do
    on_terminal "$pdump run --${what_more%:*} cat /dev/null"
    grep -q "^${what_more#*:}.*: " "$work/out" ||
        failed "no line of ${what_more#*:}"
done

behaviour no summary
for word in --no-report --quiet -q; do
    run 0 "$pdump" run $word "$life" plain
    same "$(cat "$work/out" "$work/err")" "" "output with $word"
    programs life
    rm -f perf_dump.*
done
run 2 "$pdump" run --report --no-report true

behaviour no summary, and no warnings of what was started
run 0 PDUMP_DEPTH_MAX=many "$pdump" run sh -c '"$0" plain; exec "$0" plain' \
    "$life"
at_least "$(grep -c 'PDUMP_DEPTH_MAX=many' "$work/err")" 3 "warnings without -q"
rm -f perf_dump.*
run 0 PDUMP_DEPTH_MAX=many "$pdump" run -q \
    sh -c '"$0" plain; "$1" run -o inner "$0" fork_work; env -i "$0" plain; exec "$0" plain' \
    "$life" "$pdump"
same "$(wc -l <"$work/err")" 1 "lines with -q, that of the first process"
grep -q 'PDUMP_DEPTH_MAX=many' perf_dump-others.meta.csv ||
    failed "the warnings are not in the file"

behaviour counters of a program that has none
measure 0 -e pdump::cpu_time "$life" plain
same "$(cells perf_dump.csv 'pdump::cpu_time.sum [ns]' | grep -c '^[1-9]')" 1 \
    "CPU time"
programs life

behaviour its exit code
measure 3 sh -c 'exit 3'
measure 0 true
measure 5 "$life" quick
same "$(cells perf_dump.csv region group=program)" life "program"

behaviour what cannot be executed
measure 127 there-is-no-such-program
grep -q "there-is-no-such-program: No such file" "$work/err" || failed message
: >own-file
measure 126 ./own-file
grep -q "own-file: Permission denied" "$work/err" || failed message
echo pass >own-script.py
measure 127 own-script.py
grep -q "own-script.py: No such file or directory; try python -m pdump own-script.py" \
    "$work/err" || failed "no proposal"
measure 126 ./own-script.py
grep -q "denied; try python -m pdump ./own-script.py" "$work/err" ||
    failed "no proposal"
chmod +x own-script.py
measure 127 own-script.py
grep -q "; it is here: ./own-script.py, or python -m pdump own-script.py" \
    "$work/err" || failed "no proposal"
rm own-script.py
run 2 "$pdump" run
run 2 "$pdump" run --evens=none true
grep -q "did you mean --events" "$work/err" || grep -q "\-\-events" \
    "$work/err" || failed "no proposal"
run 2 "$pdump" run -f nonsense true
run 2 "$pdump" run --report --quiet true
same "$(ls -A)" own-file files
stores 0

behaviour a process that is killed before it records leaves no store
cat >own-script <<'END'
store=$(ls "$PDUMP_STORE"/pdump-*.store | head -n 1)
head -c 8 "$store" >"${store%-*}-1.store"
head -c 8 "$store" >"${store%-*}-2.store"
truncate -s 1M "${store%-*}-2.store"
END
measure 0 sh own-script
one_file

behaviour it dies of the signal that its command dies of
measure 137 "$life" killed
same "$(cells perf_dump.csv open region=life)" 1 "open"
at_least "$(cells perf_dump.csv 'time.sum [ns]' region=life)" 250000000 "time"
one_file
behaviour it dies of SIGTERM
measure 143 "$life" terminated
one_file
behaviour the summary tells the signal
run 137 "$pdump" run --report "$life" killed
grep -q "ended by signal 9" "$work/err" || failed "no signal"
behaviour a killed child has the time until then
measure 0 "$life" killed_child
same "$(cells perf_dump.csv open region=life | sort | tr '\n' ' ')" "0 1 " open
for time in $(cells perf_dump.csv 'time.sum [ns]' region=life); do
    at_least "$time" 250000000 "time"
done
one_file

behaviour a helper that ends soon after the command is in the dump
mkfifo own-pipe
cat own-pipe & # until the helper has ended, too
reader=$!
# pdump run waits for half a second by its clock, which is slowed down.
run 0 LD_PRELOAD="$slow_clock" "$pdump" run --quiet "$life" helped 9>own-pipe
wait $reader
same "$(cells perf_dump.csv open region=other)" 0 "open visits of the helper"
rm own-pipe

# is_ignored SIGNAL: by who started the tests, as nohup does?
is_ignored() {
    mask=$(sed -n 's/^SigIgn:[[:space:]]*//p' /proc/self/status)
    [ $((0x${mask:-0} >> ($1 - 1) & 1)) = 1 ]
}

behaviour signals are passed on
for signal in 15 1 10; do # a shell has SIGINT ignored in the background
    is_ignored $signal && continue
    mkfifo own-pipe
    "$pdump" run -q "$life" sleeps >own-pipe 2>"$work/err" &
    pid=$!
    read -r line <own-pipe
    same "$line" ready "first line"
    kill -$signal $pid
    wait $pid 2>/dev/null
    same $? $((128 + signal)) "exit code after signal $signal"
    rm own-pipe
done
stores 0

behaviour input and output are the command\'s
head -c 100000 /dev/urandom >own-random
timeout 300 "$pdump" run -q cat <own-random >own-copy 2>"$work/err"
cmp -s own-random own-copy || failed "it is changed"
quiet
programs cat

behaviour a script with several programs, and a pipeline
printf '#!/bin/sh\nother plain\nother plain | cat | sort\nother quick\n' \
    >own-script
chmod +x own-script
measure 5 ./own-script
programs cat other other other sh sort

for how in fork_exec vfork_exec spawn; do
    behaviour "$how"
    measure 0 "$life" $how
    quiet
    programs life other
done
for how in fork_work fork_quick; do
    behaviour "$how"
    measure 0 "$life" $how
    quiet
    programs life life
done
behaviour many processes take little room meanwhile
measure 0 sh -c 'for i in 1 2 3 4 5 6 7 8; do other plain; done
    du -k "$PDUMP_STORE" | tail -n 1'
read -r kilobytes _ <"$work/out"
head -c 8192 /dev/zero >own-file
# Not every file system can give room back.
! fallocate -p -l 4096 own-file 2>/dev/null ||
    [ "${kilobytes:-9999}" -lt 1500 ] || failed "$kilobytes kB of stores"
stores 0

behaviour system
measure 0 "$life" system
programs life other sh
behaviour exec
measure 0 sh -c 'exec other plain'
programs other sh
behaviour exec with another environment
measure 0 "$life" exec_bare
programs life other
for how in exec_fails vfork_fails; do
    behaviour "$how"
    measure 0 "$life" $how
    programs life
done
behaviour env -i
measure 0 env -i "$life" plain
programs life
behaviour threads
measure 0 "$life" threads
programs life life life life
same "$(cells perf_dump.csv pid | sort -u | wc -l | tr -d ' ')" 1 processes

behaviour workers of OpenMP, which never end
cat >own.c <<'C'
static volatile double product = 1;
int main(void)
{
#pragma omp parallel num_threads(3)
    for (int i = 0; i < 200000; i++)
        product = product * 1.0000001;
    return 0;
}
C
if $CC -fopenmp -o own-team own.c 2>/dev/null; then
    measure 0 -e pdump::cpu_time ./own-team
    quiet
    programs own-team own-team own-team
    same "$(cells perf_dump.csv 'pdump::cpu_time.sum [ns]' |
        grep -c '^[1-9]')" 3 "threads with CPU time"
fi

behaviour Python: what it records is in its program
PYTHONPATH=$top_builddir/bindings/python
PDUMP_LIBRARY=$top_builddir/libpdump/.libs/libpdump.so
export PYTHONPATH PDUMP_LIBRARY
if [ -n "${PYTHON:-}" ] && "$PYTHON" -c 'import pdump' 2>/dev/null; then
    cat >own.py <<'PY'
import pdump

def function():
    with pdump.region("step"):
        pass

function()
PY
    measure 0 "$PYTHON" own.py
    quiet
    same "$(cells perf_dump.csv path | sed 's:^[^/]*::' | tr '\n' ' ')" \
        " /step " regions
    one_file
    rm perf_dump*
    # Its settings come after the program's region has begun.
    measure 0 "$PYTHON" -m pdump own.py
    quiet
    same "$(cells perf_dump.csv path | grep -c '^[^/]*/.*__main__:function/step$')" \
        1 regions
    one_file
    for rule in '*:function' function; do
        rm perf_dump*
        measure 0 --exclude "$rule" "$PYTHON" -m pdump own.py
        same "$(cells perf_dump.csv path | grep -c ':function')" 0 \
            "functions without $rule"
        same "$(cells perf_dump.csv path | grep -c '/step$')" 1 "the region in it"
    done
fi
unset PYTHONPATH PDUMP_LIBRARY

behaviour the name of the file
measure 0 -o sub/first.csv "$life" plain
there sub/first.csv
measure 0 -o second -f json "$life" plain
there second.json
measure 0 -f pstats -o third.dat "$life" plain
there third.dat
measure 0 -f csv -o third.1.part "$life" plain
there third.1.part third.1.meta.csv
measure 0 --store . -o sub/ sh -c 'ls pdump-*.store; cd /; other plain'
same "$(grep -c '^pdump-.*store$' "$work/out")" 2 "stores in a folder"
there sub/perf_dump.csv

behaviour the report
run 0 "$pdump" run --report "$user" settings
grep -q "work" "$work/err" || failed "no region in the report"
same "$(cat "$work/out")" "" "standard output"

for how in misuse settings sessions; do
    behaviour "a program that uses libpdump itself: $how"
    measure 0 "$user" $how
done
same "$(cells perf_dump.csv path | sort | tr '\n' ' ')" "two user user/one " \
    regions
behaviour a program that uses libpdump itself: PDUMP_DISABLE
measure 0 env PDUMP_DISABLE=1 "$user" sessions
same "$(ls -A)" "" files
stores 0

behaviour the environment of the command
# Without what the script adds that libtool made of an uninstalled pdump.
theirs='^\(_\|BIN_SH\|DUALCASE\|LD_LIBRARY_PATH\)='
env | grep -v "$theirs" | sort >own-before
measure 0 env
grep -v "$theirs" "$work/out" | sort >own-after
same "$(comm -13 own-before own-after | sed 's/=.*//' | tr '\n' ' ')" \
    "LD_PRELOAD PDUMP_FOLLOW PDUMP_QUIET PDUMP_RUN " "what is new"
same "$(comm -23 own-before own-after)" "" "what is gone"
same "$(sed -n 's/^LD_PRELOAD=//p' own-after)" \
    "$PDUMP_MODULES/libpdump-run.so" LD_PRELOAD

behaviour what is preloaded already stays, in front
echo 'int nothing(void); int nothing(void) { return 0; }' >own.c
if $CC -shared -fPIC -o own.so own.c 2>"$work/err"; then
    measure 0 env LD_PRELOAD="$PWD/own.so" sh -c \
        'grep -c "own.so\|libpdump-run.so" /proc/self/maps; echo $LD_PRELOAD'
    same "$(tail -n 1 "$work/out")" \
        "$PWD/own.so:$PDUMP_MODULES/libpdump-run.so" LD_PRELOAD
    quiet
fi

behaviour a static program
echo 'int main(void) { return 4; }' >own.c
if $CC -static -o own-static own.c 2>/dev/null; then
    run 4 "$pdump" run sh -c './own-static; ./own-static'
    warns "own-static is statically linked: it cannot be followed"
    run 4 "$pdump" run --report ./own-static
    warns "own-static is statically linked: it cannot be followed"
    grep -q "exit code 4" "$work/err" || failed "no summary"
    run 4 "$pdump" run --quiet ./own-static
    quiet
fi

behaviour a program with other rights
if [ "$(id -u)" -eq 0 ]; then
    chmod 755 "$work" "$work/here" && cp "$life" own-rights &&
        chown 65534 own-rights && chmod 4755 own-rights
    run 0 "$pdump" run ./own-rights plain
    warns "own-rights runs with other rights (set-user-ID): it cannot be followed"
fi

# What is counted needs descriptors; so does the lock of a store on overlayfs.
behaviour none of our descriptors is seen
list='cd /proc/$$/fd && echo *; ls /proc/self/fd'
run 0 sh -c "$list"
cp "$work/out" "$work/wanted"
case $(stat -f -c %T "$PDUMP_STORE") in
overlay*) echo "skipped: the stores are on overlayfs" ;;
*)
    measure 0 sh -c "$list"
    same "$(cat "$work/out")" "$(cat "$work/wanted")" descriptors
    ;;
esac

lower="setpriv --reuid 65534 --regid 65534 --clear-groups"
if [ "$(id -u)" -eq 0 ] &&
    $lower test -r "$PDUMP_MODULES/libpdump-run.so" 2>/dev/null; then
    behaviour a program that gives up rights
    chmod 755 "$work"
    chmod 1777 "$PDUMP_STORE"
    measure 0 $lower sh -c 'cat /dev/null; exec true'
    quiet
    programs cat setpriv sh true
    for command in "$lower true" "unshare -U true"; do
        behaviour "memory of what only one thread may do: $command"
        $command 2>/dev/null || continue
        chmod 1777 "$PDUMP_STORE"
        measure 0 --memory=1 $command
        quiet
        grep -q '^memory,.*,rss,' perf_dump.details.csv || failed "no memory"
    done
fi

behaviour a program that our libraries are out of reach for
if [ "$(id -u)" -eq 0 ] && $lower true 2>/dev/null; then
    mkdir -m 700 "$work/hidden"
    cp -RL "$PDUMP_MODULES/." "$work/hidden"
    run 3 PDUMP_MODULES="$work/hidden" "$pdump" run --quiet --io \
        $lower sh -c 'true; echo "<$LD_PRELOAD>"; exit 3'
    quiet
    same "$(cat "$work/out")" "<>" LD_PRELOAD
    same "$(cells perf_dump.csv region group=program)" setpriv programs
    stores 0
    rm -r "$work/hidden"
fi

behaviour I/O of a program that knows nothing of us
printf 0123456789 >own-data
run 0 "$pdump" run --quiet --io head -c 5 own-data
same "$(cat "$work/out")" 01234 "standard output"
grep -q '^io,.*,head/open,[^,]*/own-data,calls,0,1,sum,1$' \
    perf_dump.details.csv || failed "its file is not there"
run 0 PDUMP_OVERWRITE=1 "$pdump" run --quiet --io sh -c 'exec head -c 5 own-data'
same "$(cat "$work/out")" 01234 "standard output"
! grep -q '^io,.*,sh/[a-z]*,[^,]*/head,' perf_dump.details.csv ||
    failed "what we read before an exec is there"

behaviour I/O of what only starts others is in no file
for launcher in "timeout 300" nice "env -i" nohup; do
    measure 0 --io $launcher cat
    same "$(cells perf_dump.csv region group=program)" cat "with $launcher"
    same "$(ls -A | tr '\n' ' ')" \
        "perf_dump.csv perf_dump.details.csv perf_dump.meta.csv " files
    stores 0
    rm -f perf_dump.*
done

behaviour functions of a program that knows nothing of us
run 0 "$pdump" run --quiet --functions "$functions" plain
[ -n "$(cells perf_dump.csv path group=function | grep '^bare/')" ] ||
    failed "no function below the program"

behaviour what is recorded: --include and --exclude, the last that fits counts
run 0 "$pdump" run --quiet --functions "$functions" plain
all=$(cells perf_dump.csv region group=function | sort -u)
one=leaf
echo "$all" | grep -qx "$one" || failed "no function"
run 0 PDUMP_OVERWRITE=1 "$pdump" run --quiet --functions --exclude "$one" \
    "$functions" plain
same "$(cells perf_dump.csv region group=function | sort -u)" \
    "$(echo "$all" | grep -vx "$one")" "all but one"
for rules in "--include $one" "--exclude ? --exclude * --include $one"; do
    set -f
    run 0 PDUMP_OVERWRITE=1 "$pdump" run --quiet --functions $rules \
        "$functions" plain
    set +f
    same "$(cells perf_dump.csv region group=function | sort -u)" "$one" \
        "only one"
done
run 0 PDUMP_OVERWRITE=1 "$pdump" run --quiet --include "$one" --exclude '*' \
    --functions "$functions" plain
same "$(cells perf_dump.csv region)" bare "none but the program"
printf 'PDUMP_REGION_NAMES_BEGIN EXCLUDE * PDUMP_REGION_NAMES_END' >filter
run 0 PDUMP_OVERWRITE=1 "$pdump" run --quiet --filter filter --functions \
    --include "$one" "$functions" plain
same "$(cells perf_dump.csv region group=function | sort -u)" "$one" \
    "a file, and a rule behind it"
behaviour --include and --exclude: regions, and patterns with blanks
measure 0 --exclude wor? "$user" settings
same "$(cells perf_dump.csv region)" user regions
grep -q ',filter_rules,EXCLUDE wor?$' perf_dump.meta.csv ||
    failed "the rule is not in the metadata"
measure 0 --exclude 'wor? # k' --exclude EXCLUDE --exclude "it's" \
    -o other "$user" settings
same "$(cells other.csv path | sort | tr '\n' ' ')" "user user/work " regions
quiet
run 2 "$pdump" run --exclude '' true
run 2 "$pdump" run --exclude 'a\' true
run 2 "$pdump" run --include '[a' true
grep -q "has a '\[' without its" "$work/err" || failed "no reason"
run 0 PDUMP_FILTER_RULES='EXCLUDE [a' "$user" settings
warns "PDUMP_FILTER_RULES:1:9: '[a' has a '[' without its ']'"

behaviour descriptors that a shell takes for its own
seq 100000 >own-data
cat >own-script <<'SH'
for i in 3 4 5 6 7 8 9; do eval "exec $i<own-data"; done
seq 3 | sort >/dev/null
(for i in 3 4 5 6 7 8 9; do eval "read a <&$i"; echo sub $i $a; done)
for i in 3 4 5 6 7 8 9; do eval "read a <&$i"; echo $i $a; done
exec sh -c 'for i in 3 4 5 6 7 8 9; do eval "read a <&$i"; echo then $i $a; done'
SH
sh own-script >own-plain
for event in none perf::TASK-CLOCK pdump::rss; do
    for shell in sh bash; do
        command -v $shell >/dev/null || continue
        run 0 "$pdump" run --quiet -e $event $shell own-script
        same "$(cat "$work/out")" "$(cat own-plain)" "what $shell reads ($event)"
        run 0 "$pdump" run --quiet -e $event $shell -c \
            'exec 3>own-log 4<>own-more; seq 100000 >&3; seq 100000 >&4; true'
        cmp -s own-data own-log || failed "what $shell writes ($event)"
        cmp -s own-data own-more || failed "what $shell writes to 4 ($event)"
        rm -f own-log own-more
    done
done
stores 0

behaviour a limit on the size of files
run 3 sh -c 'ulimit -f 8; "$0" run --quiet sh -c "exit 3"' "$pdump"
measure 3 sh -c 'ulimit -f 8; "$0" plain && exit 3' "$life"

behaviour standard streams that are closed
run 0 sh -c '"$0" run "$1" plain 2>&-' "$pdump" "$life"
programs life
measure 0 sh -c '"$0" plain <&- >&- 2>&-; true' "$life"
same "$(cells perf_dump.csv region group=program open=0 | sort | tr '\n' ' ')" \
    "life sh " programs

behaviour nobody reads the summary
mkfifo own-pipe
run 3 sh -c 'exec 7<>own-pipe 8>own-pipe 7<&-
    "$0" run "$1" sh -c "exit 3" 2>&8' "$pdump" --report
there perf_dump.csv
stores 0

behaviour a signal that is ignored stays so
printf 'trap "" CHLD\n"$@" sed -n "s/^SigIgn:[^0-9a-f]*//p" /proc/self/status\n' \
    >own-script
run 0 sh own-script
mask=$(cat "$work/out")
run 0 sh own-script "$pdump" run --quiet
same "$(cat "$work/out")" "$mask" "ignored signals"

behaviour threads that begin in a constructor, which waits for them
cat >own-late.c <<'C'
#include <pthread.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>
static void *inner(void *data)
{
    char *argv[] = { "true", NULL }, *env[] = { NULL };
    pid_t pid;

    if (posix_spawnp(&pid, "true", NULL, NULL, argv, env) == 0)
        waitpid(pid, NULL, 0);
    return data;
}
static void *outer(void *data)
{
    pthread_t id;

    if (pthread_create(&id, NULL, inner, data) == 0)
        pthread_join(id, NULL);
    return data;
}
__attribute__((constructor)) static void start(void)
{
    pthread_t id;

    if (pthread_create(&id, NULL, outer, NULL) == 0)
        pthread_join(id, NULL);
}
C
cat >own.c <<'C'
#include <dlfcn.h>
int main(void)
{
    return dlopen("./own-late.so", RTLD_NOW) ? 3 : 1;
}
C
if $CC -shared -fPIC -finstrument-functions -o own-late.so own-late.c \
    -lpthread 2>/dev/null && $CC -o own-loads own.c -ldl; then
    measure 3 --io --functions ./own-loads
    same "$(cells perf_dump.csv region group=program open=0 | sort |
        tr '\n' ' ')" "own-loads own-loads own-loads true " programs
fi

behaviour no library to preload
mkdir "$work/none"
run 3 PDUMP_MODULES="$work/none" "$pdump" run --report sh -c 'exit 3'
warns "nothing is measured: $work/none/libpdump-run.so: No such file"
grep -q "exit code 3" "$work/err" || failed "no summary"
rmdir "$work/none"
ln -s "$PDUMP_MODULES/libpdump-run.so" "$work/bin/libpdump-run.so"
run 0 PDUMP_MODULES="$work/bin" "$pdump" run --io --functions "$life" plain
warns "I/O is not recorded: $work/bin/libpdump-io.so: No such file"
warns "functions are not recorded: $work/bin/libpdump-cyg.so: No such file"
programs life

behaviour no event that can be counted
run 3 "$pdump" run --report -e no_such_event sh -c 'exit 3'
grep -q "only time is recorded: none of the events" "$work/err" ||
    failed "no message"
grep -q "exit code 3" "$work/err" || failed "no summary"
there perf_dump.csv
noted 'only time is recorded: none of the events'
behaviour no store
run 3 PDUMP_STORE=off "$pdump" run sh -c 'exit 3'
grep -q "nothing is measured: there is no store" "$work/err" ||
    failed "no message"

behaviour it is killed itself
mkfifo own-pipe
"$pdump" run -q "$life" sleeps >own-pipe 2>"$work/err" &
pid=$!
read -r line <own-pipe
kill -9 $pid
wait $pid 2>/dev/null
child=$(ls "$PDUMP_STORE" | sed "s/.*-\([0-9]*\).store/\1/" | grep -v "^$pid\$")
kill -9 $child
rm own-pipe
run 0 PDUMP_FILENAME=next "$pdump" run -q sh -c "'$life' plain; '$life' plain"
warns 'pdump: an earlier run in this folder ended without writing its dump'
rm next.*
timeout 300 "$pdump" recover "$PDUMP_STORE" >"$work/out" 2>"$work/err" ||
    failed "pdump recover"
same "$(cells perf_dump.csv region)" life "recovered"
stores 0

behaviour one within another
measure 0 "$pdump" run -q -o inner "$life" plain
there inner.csv
absent perf_dump.csv
stores 0

finish
