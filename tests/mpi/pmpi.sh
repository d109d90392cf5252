#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# MPI calls are recorded: all of them, with what they sent and received.
. "${srcdir:-.}/pmpi/kit.sh"
build=${MODULES%/plugins/modules}
made=$work/made
mkdir "$made"

behaviour "$MPI: messages and requests"
watched 3 messages
quiet
agrees
# The quick way is for the cycle counter alone.
for other in PDUMP_EVENTS=pdump::minor_faults PDUMP_RECORD=events \
    PDUMP_CLOCK=monotonic; do
    behaviour "$MPI: the same with $other"
    watched 3 $other messages
    quiet
    agrees
done

# counted: calls that have a value of the last metric, which is a counter.
counted() {
    metric=$(cells perf_dump.meta.csv value table=metric key=name | tail -n 1)
    unit=$(cells perf_dump.meta.csv value table=metric key=unit | tail -n 1)
    [ "$metric" != time ] || failed "no counters"
    cells perf_dump.csv "$metric.sum [$unit]" group=mpi | grep -c '^[0-9]'
}
for record in profile events; do
    behaviour "$MPI: no counters in calls unless asked for, $record"
    watched 3 PDUMP_EVENTS= PDUMP_RECORD=$record messages
    quiet
    agrees
    same "$(counted)" 0 "calls with counters"
    watched 3 PDUMP_EVENTS=pdump::minor_faults PDUMP_RECORD=$record \
        PDUMP_OVERWRITE=1 messages
    at_least "$(counted)" 1 "calls with counters that were asked for"
done
behaviour "$MPI: collectives, one-sided calls, files"
watched 3 collectives file
quiet
agrees
behaviour "$MPI: a handle that another thread gets"
watched 1 reused
quiet
agrees
[ -e reused ] || echo "$MPI did not use a handle again"

behaviour "$MPI: threads"
watched 2 threads 4 100
quiet
agrees

behaviour "$MPI: requests that are never completed"
watched 1 many
agrees
noted 'more than 262144 MPI requests under way'

behaviour "$MPI: errors are the program's"
ranks 2 errors
cp "$work/out" "$work/alone"
for classes in all,sync all; do
    watched 2 PDUMP_MPI=$classes errors
    quiet
    diff "$work/alone" "$work/out" >"$work/err" || failed "other errors, $classes"
done
at_least "$(calls_of MPI_Finalized)" 2 "calls before MPI_Init"

behaviour "$MPI: calls that an error handler leaves"
watched 2 left
quiet
agrees
same "$(cells perf_dump.csv visits path=MPI_Probe rank=0)" 5 "visits of MPI_Probe"
same "$(cells perf_dump.csv visits path=MPI_Barrier rank=0)" 2 \
    "visits of MPI_Barrier"
same "$(cells perf_dump.csv path | grep -c /)" 0 "calls in others"

behaviour "$MPI: a program that has no MPI"
run 3 LD_PRELOAD="$library" sh -c 'cat /dev/null && exit 3'
quiet

behaviour "$MPI: the library of another MPI"
for other in "$MODULES"/*/libpdump-pmpi.so; do
    [ "$other" != "$library" ] && [ -e "$other" ] || continue
    ranks 2 LD_PRELOAD="$other libm.so.6" errors
    diff "$work/alone" "$work/out" >"$work/differs" || failed "other output"
    at_least "$(grep -c "libpdump-pmpi.so is for .* has $MPI_SONAME" \
        "$work/err")" 1 warnings
    ranks 2 LD_PRELOAD="$other" PDUMP_QUIET=1 errors
    quiet
done

behaviour "$MPI: regions of their own, at their place"
watched 3 collectives file
same "$(cells perf_dump.csv group path=MPI_Bcast rank=0)" mpi "group of MPI_Bcast"
same "$(cells perf_dump.csv visits path=MPI_Gather rank=0)" 4 "visits of MPI_Gather"

behaviour "$MPI: chosen by class and name"
watched 3 PDUMP_MPI=p2p,nonblocking,-MPI_Test,-MPI_Wait* messages
quiet
same "$(calls_of MPI_Test)" 0 "calls of MPI_Test"
same "$(calls_of MPI_Waitall)" 0 "calls of MPI_Waitall"
same "$(calls_of MPI_Sendrecv)" 6 "calls of MPI_Sendrecv"
watched 3 PDUMP_MPI=coll collectives file
same "$(figures | grep -c '^MPI_\(Put\|File\|Comm\|Init\|Wait\)')" 0 "others"
same "$(calls_of MPI_Bcast)" 9 "calls of MPI_Bcast"
behaviour "$MPI: a filter file"
printf '%s\n' SCOREP_REGION_NAMES_BEGIN 'EXCLUDE MPI_Send*' \
    SCOREP_REGION_NAMES_END >filter
watched 3 PDUMP_FILTER=filter messages
quiet
same "$(calls_of MPI_Sendrecv)" 0 "calls of MPI_Sendrecv"
same "$(calls_of MPI_Bsend)" 6 "calls of MPI_Bsend"
behaviour "$MPI: off"
watched 3 PDUMP_MPI=off messages
same "$(figures)" "" "figures"
behaviour "$MPI: words that mean nothing"
watched 3 PDUMP_MPI=p2p,cool,-rmaa messages
same "$(grep -c 'PDUMP_MPI: cool, -rmaa: it must be' "$work/err")" 1 warnings
same "$(calls_of MPI_Sendrecv)" 6 "calls of MPI_Sendrecv"
behaviour "$MPI: recording is off"
watched 3 PDUMP_DISABLE=1 messages
quiet
same "$(figures)" "" "figures"
for classes in all all,sync; do
    behaviour "$MPI: recording is on and off, $classes"
    watched 2 PDUMP_MPI=$classes switched
    quiet
    agrees
done

behaviour "$MPI: waiting for the last rank"
watched 3 PDUMP_MPI=all,sync collectives file
quiet
agrees
same "$(cells perf_dump.csv visits rank=0 \
    path='MPI_Bcast/wait for the last rank')" 3 \
    "visits of the wait"
at_least "$(awk -F, '$7 == "MPI_Allreduce" && $9 == "blocked" { n += $13 }
    END { print n + 0 }' perf_dump.details.csv)" 1 "ns blocked"

# sites: those of MPI_Barrier, each once.
sites() {
    cells perf_dump.details.csv label table=mpi field=calls path=MPI_Barrier |
        sort -u
}
if [ -e "$MODULES/pdump_symbols.so" ] && command -v strip >/dev/null; then
    behaviour "$MPI: a stripped program"
    strip -o "$made/stripped" "$programs/job/bare"
    start=$(nm "$programs/job/bare" | sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p')
    watched 2 "$made/stripped"
    same "$(sites)" "$made/stripped+0x$start" "sites"
    noted "functions are shown by address instead of by name"
    noted "install its debug symbols"

    behaviour "$MPI: a stripped program with debug information by build ID"
    . "$kit/../../wrap/functions/debug.sh"
    cp "$programs/job/bare" "$made/packaged"
    if split_debug "$made/packaged"; then
        run 0 "$debugged" "$MPI_RUN" -n 2 env LD_PRELOAD="$library" \
            "$made/packaged"
        same "$(sites | sed 's#.*/##')" \
            "$(grep -n MPI_Barrier "$tests/job/bare.c" |
                sed 's/:.*/ (main)/; s/^/bare.c:/')" "sites"
        quiet
    fi

    behaviour "$MPI: a stripped program that exports its functions"
    if command -v "$MPI_CC" >/dev/null &&
        "$MPI_CC" -rdynamic -s "$tests/job/bare.c" -o "$made/exports"; then
        watched 2 "$made/exports"
        same "$(sites)" main "sites"
    fi
fi

if command -v "$MPI_CC" >/dev/null; then
    behaviour "$MPI: every function of mpi.h"
    echo '#include <mpi.h>' >mpi.c
    "$MPI_CC" -E -P mpi.c | tr '\n' ' ' | tr ';' '\n' | grep -v typedef |
        sed -n 's/.*[ *]\(MPI_[A-Za-z0-9_]*\) *(.*/\1/p' | sort -u >declared
    awk '$2 == "none" { print $1 }' "$calls" | sort >passed_by
    nm -D --defined-only "$library" | awk '{ print $3 }' | sort >defined
    same "$(comm -23 declared passed_by | comm -23 - defined)" "" "not wrapped"
    at_least "$(comm -12 declared defined | wc -l)" 300 "wrapped functions"

    behaviour "$MPI: a program that is not position-independent, and linked"
    if "$MPI_CC" -g -no-pie -I"$tests/pmpi" "$tests/pmpi/messages.c" \
        -o "$made/fixed" -L"$MODULES/$MPI_SONAME" \
        -Wl,-rpath,"$MODULES/$MPI_SONAME" -lpdump-pmpi \
        -Wl,-rpath-link,"$build/libpdump/.libs" >"$work/err" 2>&1; then
        ranks 3 "$made/fixed"
        quiet
        agrees
        line=$(grep -n 'MPI_Bsend(' "$tests/pmpi/messages.c" | cut -d : -f 1)
        [ ! -e "$MODULES/pdump_symbols.so" ] ||
            same "$(cells perf_dump.details.csv label table=mpi rank=0 \
                path=MPI_Bsend field=calls |
                grep -c "messages.c:$line (blocking)\$")" 1 sites
    else
        echo "$MPI_CC does not link with -no-pie: not linked with the program"
    fi
else
    echo "no C compiler's wrapper for $MPI: mpi.h is not read, nothing linked"
fi

# fortran_calls WAY OPTION...
fortran_calls() {
    way=$1
    shift
    behaviour "$MPI: Fortran, $way"
    "$MPI_FC" "$@" -w -D"$way" -J"$made" "$tests/pmpi/fortran.F90" \
        -o "$made/$way" >"$work/err" 2>&1 || return
    watched 2 "$made/$way"
    quiet
    same "$(sort -u "$work/out")" done stdout
    figures | grep -v '^MPI_\(Testall\|Finalize\) ' >"$work/figures"
    grep -v '^MPI_Finalize ' "$tests/pmpi/fortran.txt" | sort |
        diff - "$work/figures" >"$work/err" || failed "other figures"
    fortran_names "$made/$way" >"$work/err"
    [ ! -s "$work/err" ] || failed "names that are not wrapped"
}

# fortran_names PROGRAM: functions of its MPI libraries that we do not have.
fortran_names() {
    awk '$2 == "none" { print tolower($1) "_" }' "$calls" >"$work/none"
    nm -D --defined-only "$library" | awk '{ print $3 }' | sort >"$work/ours"
    ldd "$1" | sed -n 's/.*=> \(.*libmpi[^ ]*\) .*/\1/p' |
        xargs nm -D --defined-only | awk '{ print $3 }' |
        grep '^mpi_[a-z0-9_]*[^_]_$' | sort -u | comm -23 - "$work/ours" |
        grep -v 'f2f08\|f082f\|_fn_\|_null_\|f_sync_reg\|mpi_sizeof_' |
        grep -v 'mpi_fortran_\|_f90_\|delete_error' |
        while read -r name; do
            echo "$name" | sed 's/_f08\(ts\)*_$/_/' | grep -qxFf "$work/none" ||
                echo "$name"
        done
}

if [ -n "$MPI_FC" ]; then
    # One program sends things of many types by one name.
    for way in USE_MPIF USE_MPI USE_MPI_F08; do
        fortran_calls $way -fallow-argument-mismatch
    done
else
    echo "no Fortran for $MPI: not in Fortran"
fi

# python_agrees: the functions that the program told of have these figures.
python_agrees() {
    told | awk '{ print $1 }' >"$work/names"
    told >"$work/told"
    figures | grep -wFf "$work/names" | grep '^MPI_' >"$work/figures"
    diff "$work/told" "$work/figures" >"$work/err" || failed "other figures"
    line=$(grep -n '# a site' "$tests/pmpi/messages.py" | cut -d : -f 1)
    same "$(cells perf_dump.details.csv label table=mpi rank=0 path=MPI_Send \
        field=calls | grep -c "messages.py:$line (upper)$1")" 1 sites
}

find_python
if [ -n "$python" ]; then
    behaviour "$MPI: mpi4py"
    watched 2 "$python" "$tests/pmpi/messages.py"
    quiet
    python_agrees '$'
    behaviour "$MPI: mpi4py, whole stacks"
    watched 2 PDUMP_MPI_STACK=1 "$python" "$tests/pmpi/messages.py"
    python_agrees ' < .*messages.py:[0-9]* (<module>)$'
    behaviour "$MPI: mpi4py, our library loaded by the program"
    ranks 2 "$python" "$tests/pmpi/messages.py" "$library"
    quiet
    python_agrees '$'
else
    # Debian's is for Open MPI only.
    echo "no Python with an mpi4py for $MPI_SONAME: not in Python"
fi

behaviour "$MPI: a rank that calls MPI_Abort says what stays"
ranks_end 7 3 LD_PRELOAD="$library" "$programs/job/harm" aborted
warns 'MPI_Abort ends the job; what was recorded stays in the stores'
rm -f "$PDUMP_STORE"/*.store

finish
