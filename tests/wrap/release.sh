#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A preloaded library of another release than libpdump.so stays out: the program
# runs as without it, one message says why, and nothing is recorded by it.
plugins=$PWD/../plugins
modules=$PDUMP_MODULES_BUILT
blocks=$PWD/wrap/heap/blocks
functions=$PWD/wrap/functions/bare
ring=$PWD/../examples/mpi/ring
package=$PWD/../bindings/python
library=$PWD/../libpdump/.libs/libpdump.so
configure=${top_srcdir:-$PWD/..}/configure.ac
python=${PYTHON:-}
. "${srcdir:-.}/program/behaviour/kit.sh"
needs_preload
[ -f "$library" ] || {
    echo "not without shared libraries"
    exit 77
}
release=$(sed -n 's/^AC_INIT(\[libpdump\], \[\(.*\)\])/\1/p' "$configure")
other=$(echo "$release" | tr 0-9 9)
PDUMP_EVENTS=none
export PDUMP_EVENTS

# other_release FILE: writes a copy of the file to $work, of another release.
other_release() {
    escaped=$(echo "$release" | sed 's/\./\\./g')
    # Not in the names of folders, such as libpdump-0.1.0.
    LC_ALL=C sed "s/^$escaped/$other/; s/\([^-]\)$escaped/\1$other/g" "$1" \
        >"$work/${1##*/}"
    cmp -s "$1" "$work/${1##*/}" && failed "$1 does not have its release"
    readelf -V "$1" | grep -q PDUMP_PRIVATE && failed "$1 binds private symbols"
}

# one_message LIBRARY [NUMBER]: the library has printed one message (or NUMBER),
# which names both releases.
one_message() {
    same "$(grep -c "^pdump: $1 is of release $other .* of release $release:" \
        "$work/err")" "${2:-1}" "messages about $1"
    same "$(n_warnings)" "${2:-1}" messages
}

# stays_out LIBRARY PROGRAM ARGUMENT...: compared with the program alone.
stays_out() {
    name=$1
    shift
    timeout -k 10 300 "$@" >"$work/alone" 2>/dev/null </dev/null
    wanted=$?
    rm -f perf_dump.*
    run $wanted LD_PRELOAD="$work/$name" "$@"
    cmp -s "$work/alone" "$work/out" || failed "other output"
    one_message "$name"
}


rows() { cells perf_dump.csv region group="$1" 2>/dev/null | wc -l; }
heap() { grep -c ^heap, perf_dump.details.csv 2>/dev/null; }

behaviour I/O
io=$plugins/io/.libs/libpdump-io.so
other_release "$io"
seq 100 >numbers
stays_out libpdump-io.so cat numbers missing
same "$code $(wc -l <"$work/out")" "1 100" "exit code and lines"
absent perf_dump.csv
run 1 LD_PRELOAD="$io" cat numbers missing
same "$(n_warnings)" 0 messages
at_least "$(rows io)" 1 "calls with the right release"

behaviour no message if nobody wants to hear one
seq 100 >numbers
run 0 PDUMP_QUIET=1 LD_PRELOAD="$work/libpdump-io.so" cat numbers
quiet
absent perf_dump.csv

behaviour the heap
mem=$plugins/mem/.libs/libpdump-mem.so
other_release "$mem"
stays_out libpdump-mem.so "$blocks" kinds
there perf_dump.csv
same "$(heap)" "" "rows of the heap"
run 0 LD_PRELOAD="$mem" "$blocks" kinds
quiet
at_least "$(heap)" 1 "rows with the right release"

behaviour functions
cyg=$plugins/cyg/.libs/libpdump-cyg.so
other_release "$cyg"
stays_out libpdump-cyg.so "$functions" jump
same "$(rows function)" 0 functions
run 0 PDUMP_MODULES="$modules" LD_PRELOAD="$cyg" "$functions" jump
at_least "$(rows function)" 1 "functions with the right release"

behaviour pdump run
mkdir "$work/modules"
for file in "$modules"/*; do
    ln -s "$file" "$work/modules"
done
rm "$work/modules/libpdump-run.so"
other_release "$plugins/run/.libs/libpdump-run.so"
mv "$work/libpdump-run.so" "$work/modules"
run 3 PDUMP_MODULES="$work/modules" "$pdump" run sh -c 'echo a; exit 3'
same "$(cat "$work/out")" a output
same "$(grep -c "^pdump run: .*/libpdump-run.so is of release $other, .* $release:" \
    "$work/err")" 1 "messages about libpdump-run.so"
same "$(n_warnings)" 0 "other messages"
absent perf_dump.csv
run 3 PDUMP_RUN="- -1 x 1 x x" LD_PRELOAD="$work/modules/libpdump-run.so" \
    sh -c 'echo a; exit 3'
same "$(cat "$work/out")" a output
one_message libpdump-run.so
absent perf_dump.csv
run 3 PDUMP_MODULES="$modules" "$pdump" run --quiet sh -c 'echo a; exit 3'
quiet
at_least "$(rows program)" 1 "programs with the right release"

pmpi=$plugins/pmpi/openmpi/.libs/libpdump-pmpi.so
if [ -f "$pmpi" ] && [ -x "$ring" ] && [ -n "${OPENMPI_RUN:-}" ]; then
    behaviour MPI
    OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1
    PDUMP_MODULES=$modules
    export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
    export OMPI_MCA_rmaps_base_oversubscribe PDUMP_MODULES
    other_release "$pmpi"
    run 0 $OPENMPI_RUN -n 2 "$ring"
    cp "$work/out" "$work/alone"
    rm -f perf_dump.*
    run 0 $OPENMPI_RUN -n 2 env LD_PRELOAD="$work/libpdump-pmpi.so" "$ring"
    same "$(wc -l <"$work/out")" "$(wc -l <"$work/alone")" "lines of output"
    one_message libpdump-pmpi.so 2
    there perf_dump.csv
    same "$(rows mpi)" 0 "MPI calls"
    run 0 $OPENMPI_RUN -n 2 env LD_PRELOAD="$pmpi" "$ring"
    at_least "$(rows mpi)" 1 "MPI calls with the right release"
    unset PDUMP_MODULES
fi

if [ -f "$package/pdump/_config.py" ] && [ -f "$modules/pdump_python.so" ] &&
    "$python" -c 'import _cffi_backend' 2>/dev/null; then
    behaviour Python
    other_release "$plugins/python/.libs/pdump_python.so"
    rm "$work/modules/pdump_python.so"
    mv "$work/pdump_python.so" "$work/modules"
    cat >program.py <<'END'
import sys
import pdump
from pdump import _native
with pdump.region("work"):
    print("module" if _native.module else "no module")
sys.exit(3)
END
    PYTHONPATH=$package PDUMP_LIBRARY=$library
    export PYTHONPATH PDUMP_LIBRARY
    run 3 PDUMP_MODULES="$work/modules" "$python" program.py
    same "$(cat "$work/out")" "no module" output
    one_message pdump_python.so
    run 3 PDUMP_MODULES="$modules" "$python" program.py
    same "$(cat "$work/out")" module "output with the right release"
    quiet
fi

finish
