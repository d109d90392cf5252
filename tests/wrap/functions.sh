#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Functions of programs built with -finstrument-functions: names and counts, as
# the program did it, however its functions end.
modules=${PDUMP_MODULES_BUILT:-$PWD/../plugins/modules}
sanitizers=${PDUMP_SANITIZERS:-no}
here=$PWD
. "${srcdir:-.}/program/behaviour/kit.sh"
. "$kit/../../wrap/functions/debug.sh"
unset DEBUGINFOD_URLS
PDUMP_EVENTS=none
PDUMP_MODULES=$modules
export PDUMP_EVENTS PDUMP_MODULES
calls=$here/wrap/functions/calls
seconds=300
has_names=1
[ -e "$modules/pdump_symbols.so" ] || has_names=0

# functions: how many rows are functions, and how many visits they have.
functions() {
    cells perf_dump.csv visits group=function |
        awk '{ n += $1 } END { print NR + 0, n + 0 }'
}
# all REGION: visits of a region, whatever its path.
all() {
    cells perf_dump.csv visits region="$1" |
        awk '{ n += $1 } END { print n + 0 }'
}

behaviour without symbols the places are the names and nothing is lost
run 0 PDUMP_MODULES=/nowhere "$calls" jump
quiet
same "$(functions)" "10 82" "functions and visits"
same "$(cells perf_dump.csv region | grep -c 'calls+0x[0-9a-f]*$')" 10 places
noted "functions are shown by address instead of by name, for example in $calls"
noted "build libpdump with libdw"

behaviour a stripped program has places
cp "$calls" ./stripped
if strip stripped 2>/dev/null; then
    run 0 ./stripped jump
    quiet
    [ $has_names = 0 ] || noted "install its debug symbols"
    same "$(functions)" "10 82" "functions and visits"
    readable perf_dump.csv
fi

if [ $has_names = 0 ]; then
    echo "names cannot be tested: there is no libdw"
    finish
fi

behaviour every function has its name and its visits
run 0 "$calls" plain
quiet
same "$(visits main)" 1 main
same "$(visits main/plain)" 1 plain
same "$(visits main/plain/middle)" 2 middle
same "$(visits main/plain/middle/leaf)" 7 leaf
same "$(visits main/plain/middle/small)" 7 "inlined small"
same "$(all fibonacci)" 5 fibonacci
same "$(visits main/plain/fibonacci/fibonacci/fibonacci)" 2 recursion
same "$(cells perf_dump.csv group region=leaf)" function group
cells perf_dump.csv file region=leaf | grep -q 'functions/calls.c$' ||
    failed "file of leaf: $(cells perf_dump.csv file region=leaf)"
at_least "$(cells perf_dump.csv line region=leaf)" 20 "line of leaf"
same "$(cells perf_dump.csv visits depth=3 | tr '\n' ' ')" "7 7 2 1 2 " \
    "visits of the third level"
same "$(cells perf_dump.csv region depth=3 | sed -n 's/(.*\///p' | sort |
    tr '\n' ' ')" "twin twin_one.c:6) twin twin_two.c:6) " "static twins"
readable perf_dump.csv

behaviour one function after the other, and the same again
run 0 "$calls" in_turn
quiet
same "$(visits main/in_turn/leaf)" 12 leaf
same "$(visits main/in_turn/small)" 3 "inlined small"
same "$(visits main/in_turn/region)" 3 "a region"
same "$(visits main/in_turn/middle/leaf)" 3 "leaf of middle"
same "$(visits main/in_turn/other/leaf)" 6 "leaf of other"

behaviour debug information may be in a file of its own
cp "$calls" ./split
if objcopy --only-keep-debug split split.debug 2>/dev/null &&
    strip split && objcopy --add-gnu-debuglink=split.debug split; then
    run 0 ./split plain
    same "$(visits main/plain/middle/leaf)" 7 leaf
fi

behaviour debug information may be in /usr/lib/debug, by build ID
run 0 "$calls" plain
whole=$(cells perf_dump.csv file; cells perf_dump.csv line;
    cells perf_dump.csv path)
cp "$calls" "$work/packaged"
if split_debug "$work/packaged"; then
    rm -f perf_dump.*
    run 0 "$work/packaged" plain
    noted "install its debug symbols"
    same "$(all leaf)" 0 "functions with a name, without the file"
    for servers in '' http://127.0.0.1:1; do
        rm -f perf_dump.*
        run 0 DEBUGINFOD_URLS="$servers" "$debugged" "$work/packaged" plain
        quiet
        same "$(cells perf_dump.csv file; cells perf_dump.csv line;
            cells perf_dump.csv path)" "$whole" \
            "files, lines and paths, with servers '$servers'"
        same "$(visits main/plain/middle/leaf)" 7 leaf
    done
fi

# by_servers URL: a program without symbols, with its debug file on a server.
# The client itself would wait for longer than the test does.
by_servers() {
    run 0 DEBUGINFOD_URLS="$1" DEBUGINFOD_CACHE_PATH="$work/cache" \
        DEBUGINFOD_TIMEOUT=100000 "$work/asked" plain
}
# Whether libdw can be stopped is found out by what it exports.
can_ask() {
    ldconfig -p 2>/dev/null | grep -q libdebuginfod.so.1 &&
        libdw=$(ldd "$modules/pdump_symbols.so" | awk '/libdw/ { print $3 }') &&
        nm -D "$libdw" 2>/dev/null | grep -q dwfl_get_debuginfod_client
}
cp "$calls" "$work/asked"
id=$(readelf -n "$work/asked" 2>/dev/null | sed -n 's/.*Build ID: //p')
if can_ask && [ -n "$id" ] && mkdir -p "$work/server/buildid/$id" &&
    objcopy --only-keep-debug "$work/asked" \
        "$work/server/buildid/$id/debuginfo" &&
    strip "$work/asked"; then
    behaviour debug information may come from a server
    by_servers "file://$work/server"
    same "$(visits main/plain/middle/leaf)" 7 leaf
    if command -v python3 >/dev/null; then
        behaviour a server that does not answer is not waited for
        rm -rf "$work/cache"
        python3 -c 'import socket, time
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen(5)
print(s.getsockname()[1], flush=True)
time.sleep(600)' >"$work/port" &
        server=$!
        while [ ! -s "$work/port" ] && kill -0 $server; do
            sleep 0.1
        done
        by_servers "http://127.0.0.1:$(cat "$work/port")"
        kill $server
        noted "install its debug symbols"
    fi
else
    echo "no debuginfod: servers for debug information are not tested"
fi

behaviour recursion of 10 000
run 0 PDUMP_OUTPUT_FORMAT=json "$calls" deep
quiet

behaviour what is too deep is counted, and the rest is right
run 0 PDUMP_DEPTH_MAX=10 "$calls" too_deep
same "$(visits main/too_deep/r)" 2 r
same "$(visits main/too_deep/r/r/r)" 2 r/r/r
same "$(all r)" 11 "all that fit"
same "$(visits main/too_deep/leaf)" 1 leaf
noted "deeper than PDUMP_DEPTH_MAX"
same "$(cells perf_dump.meta.csv value table=warning key=count)" 92 count

behaviour functions that are left by longjmp end
run 0 "$calls" jump
quiet
same "$(visits main/jump/catcher)" 10 catcher
same "$(visits main/jump/leaf)" 10 leaf
same "$(all thrower)" 60 thrower
same "$(visits main/jump/catcher/thrower/thrower)" 10 "inner thrower"
same "$(cells perf_dump.csv open | sort -u)" 0 open

behaviour and the right one of a recursion goes on
run 0 "$calls" jump_recursive
quiet
same "$(visits main/jump_recursive/again)" 10 again
same "$(all again)" 40 "all again"
same "$(visits main/jump_recursive/leaf)" 10 leaf

behaviour functions with alloca
run 0 "$calls" stack
quiet
same "$(visits main/stack/grow)" 10 grow
same "$(visits main/stack/grow/leaf)" 10 "leaf in it"
same "$(visits main/stack/leaf)" 1 leaf

behaviour threads
run 0 "$calls" threads
quiet
same "$(visits work)" 4 work
same "$(visits work/leaf)" 4000 leaf
same "$(visits main/threads)" 1 threads

behaviour recording off in between
run 0 "$calls" off
quiet
same "$(visits main/off/leaf)" 2 leaf
same "$(visits main/off/switched)" 1 "entered before"
same "$(functions)" "4 5" "functions and visits"
same "$(cells perf_dump.csv open | sort -u)" 0 open

behaviour a region from one function to another
run 0 "$calls" regions
same "$(cells perf_dump.csv path | sort | tr '\n' ' ')" "main main/regions \
main/regions/leaf main/regions/region main/regions/region/leaf \
main/regions/starter main/regions/stopper " paths
same "$(visits main/regions/region)" 5 region
same "$(visits main/regions/region/leaf)" 5 leaf
same "$(visits main/regions/starter)" 5 starter
same "$(visits main/regions/stopper)" 5 stopper

behaviour signal handlers on a stack of their own
run 0 "$calls" signals
quiet
same "$(visits main/signals/on_signal/leaf)" 10 "in the handler"
same "$(visits main/signals/leaf)" 10 leaf

behaviour a forked child returns from what its parent has entered
run 0 PDUMP_FOLLOW=1 "$calls" forks
quiet
same "$(visits main/forks/leaf)" 2 parent
same "$(visits leaf)" 1 child
same "$(functions)" "4 5" "functions and visits"

behaviour exit inside a function
run 3 "$calls" ends
quiet
same "$(visits main/ends/leaf)" 1 leaf
same "$(cells perf_dump.csv open path=main/ends/last)" 1 "last is open"

behaviour errno is what the function left there
run 0 "$calls" errors
quiet

behaviour nothing between two sessions, and each has its own
run 0 PDUMP_OVERWRITE=1 "$calls" sessions
quiet
same "$(all leaf)" 2 leaf

behaviour libraries that come and go
run 0 "$calls" libraries "$here/.libs/library_one.so" \
    "$here/.libs/library_two.so"
quiet
same "$(visits main/libraries/library_call)" 6 both
same "$(visits main/libraries/library_call/library_one)" 3 "the first"
same "$(visits main/libraries/library_call/library_two)" 3 "the second"

behaviour a killed program has its functions
run 137 "$calls" killed
recovered
same "$(visits main/killed/leaf)" 1 leaf

behaviour tiny functions are left out on request, and that is said
run 0 PDUMP_THROTTLE=100:1000000 "$calls" tiny
warns PDUMP_THROTTLE
same "$(visits main/tiny/leaf)" 101 leaf
noted "visits of function leaf are not recorded"
cells perf_dump.meta.csv value table=warning key=count | grep -qx 899 ||
    failed "the number of visits that were left out"
run 0 PDUMP_OVERWRITE=1 PDUMP_THROTTLE=100:1 "$calls" tiny
quiet
same "$(visits main/tiny/leaf)" 1000 "leaf, which is not as tiny as that"

behaviour a filter by name and by file
cat >names <<'END'
SCOREP_REGION_NAMES_BEGIN
  EXCLUDE leaf fibonacci
SCOREP_REGION_NAMES_END
END
run 0 PDUMP_FILTER=names "$calls" plain
quiet
same "$(visits main/plain/middle)" 2 middle
same "$(visits main/plain/middle/small)" 7 small
same "$(all leaf)" 0 leaf
same "$(all fibonacci)" 0 fibonacci
cat >files <<'END'
SCOREP_FILE_NAMES_BEGIN
  EXCLUDE *twin_one.c
SCOREP_FILE_NAMES_END
END
run 0 PDUMP_OVERWRITE=1 PDUMP_FILTER=files "$calls" plain
quiet
same "$(all twin_one)" 0 twin_one
same "$(visits main/plain/twin_two)" 1 twin_two
same "$(visits main/plain/middle/leaf)" 7 leaf
run 0 PDUMP_OVERWRITE=1 PDUMP_FILTER=names "$calls" jump_recursive
quiet
same "$(all again)" 40 again
same "$(cells perf_dump.csv open | sort -u)" 0 open

behaviour nonsense for a throttle
for throttle in nonsense 100 100: :5 0:5 5:-1 5:5x 99999999999999999999:1; do
    run 0 PDUMP_OVERWRITE=1 PDUMP_THROTTLE=$throttle "$calls" tiny
    warns "PDUMP_THROTTLE=$throttle is not"
    same "$(visits main/tiny/leaf)" 1000 "leaf with $throttle"
done

behaviour every visit as a sample
run 0 PDUMP_RECORD=samples "$calls" plain
quiet
same "$(visits main/plain/middle/leaf)" 7 leaf
there perf_dump.samples.csv

if [ -x "$here/wrap/functions/objects" ]; then
    behaviour C++ names, exceptions and objects
    run 0 "$here/wrap/functions/objects"
    quiet
    solve='main/app::(anonymous namespace)::solve(app::Solver&, int)'
    same "$(visits "$solve")" 10 solve
    same "$(visits "$solve/app::Solver::step(int)")" 10 step
    same "$(visits "$solve/app::Solver::step(int)/step")" 10 "the region step"
    same "$(all 'int app::twice<int>(int)')" 1 'twice<int>'
    same "$(all 'double app::twice<double>(double)')" 2 'twice<double>'
    same "$(cells perf_dump.csv open | sort -u)" 0 open
fi

if [ -x "$here/wrap/functions/solver" ]; then
    behaviour Fortran
    run 0 "$here/wrap/functions/solver"
    quiet
    same "$(all solver::step)" 7 step
    same "$(all solver::relax)" 7 relax
    same "$(all outside_)" 3 outside
    same "$(all MAIN__)" 1 "main program"
fi

# A sanitizer has an allocator of its own, and must come before a preloaded
# library.
if [ "$sanitizers" = no ]; then
    behaviour new functions and files in a signal handler that interrupts malloc
    run 0 LD_PRELOAD="$modules/libpdump-io.so" \
        "$here/wrap/functions/interrupted"
    quiet
    same "$(cat "$work/out")" 0 "further calls of malloc() and free()"
    same "$(cells perf_dump.csv region group=function | wc -l)" 3001 functions
    same "$(cells perf_dump.csv visits path=main/write)" 600 "visits of write"
    same "$(grep -c '^io,.*,main/write,[^,]*own-file[^,]*,calls,' perf_dump.details.csv)" \
        600 "files that were written"
    rm -f own-file-*
    behaviour a program that is not linked with it
    run 0 "$here/wrap/functions/bare" plain
    absent perf_dump.csv
    run 0 LD_PRELOAD="$modules/libpdump-cyg.so" "$here/wrap/functions/bare" plain
    quiet
    same "$(visits main/plain/middle/leaf)" 7 leaf
fi

finish
