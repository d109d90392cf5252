#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs in C, Fortran and Python, linked in every way: -lpdump is enough.
if [ "${PDUMP_SANITIZERS:-no}" != no ]; then
    echo "programs without a sanitizer cannot use a library with one"
    exit 77
fi
. "${srcdir:-.}/kit.sh"
. "$tests/dumps.sh"
seconds=300

build=${MODULES%/plugins/modules}
pcontrol=$build/plugins/pcontrol/.libs
pmpi=$MODULES/$MPI_SONAME/libpdump-pmpi.so
fortran=$build/bindings/fortran
core="-L$build/libpdump/.libs -Wl,-rpath,$build/libpdump/.libs"
made=$work/made
mkdir "$made"

# one_dump N: and nothing else.
one_dump() {
    good "$1"
    files perf_dump
    dump perf_dump "$(worked $(seq 0 $(($1 - 1))))"
}

# steps N: each of two ranks has samples of N steps, from 0 on, and no open
# step.
steps() {
    good 2
    same "$(cells perf_dump.samples.csv number rank=1 | tr '\n' ' ')" \
        "$(seq 0 $(($1 - 1)) | tr '\n' ' ')" "numbers of steps"
    same "$(cells perf_dump.csv open | sort -u)" 0 "open regions"
    rm -f perf_dump.samples.csv
    files perf_dump
}

# levels: what MPI_Pcontrol() of the programs means.  Three calls make four
# steps, from MPI_Init to MPI_Finalize.
levels() {
    steps 4
    dump perf_dump "$(worked 0 1 | sed 's| solve| step/solve|')" \
        '0 step/resumed 1' '1 step/resumed 1' '0 step 4' '1 step 4' \
        '0 step/in step 3' '1 step/in step 3'
}

# own_levels: the same by pdump_pcontrol(), which is not called in MPI_Init.
own_levels() {
    steps 3
    dump perf_dump "$(worked 0 1)" '0 resumed 1' '1 resumed 1' \
        '0 step 3' '1 step 3' '0 step/in step 3' '1 step/in step 3'
}

# no_levels: nobody listens to it.
no_levels() {
    good 2
    dump perf_dump "$(worked 0 1)" '0 in step 3' '0 paused 1' '0 resumed 1' \
        '1 in step 3' '1 paused 1' '1 resumed 1'
}

# compile WORD...: a command that must succeed.
compile() {
    "$@" >"$work/out" 2>"$work/err" || failed "does not compile: $*"
}

# c_program NAME OPTION...: from job/$source.c.
c_program() {
    name=$1
    shift
    behaviour "$MPI, C: $*"
    compile "$MPI_CC" -I"$tests/../../include" -I"$tests/.." \
        "$tests/job/$source.c" -o "$made/$name" "$@" -lpthread
}

if command -v "$MPI_CC" >/dev/null; then
    source=lives
    # Before MPI's libraries, which the compiler's wrapper puts last.
    c_program before $core -lpdump
    ranks 2 "$made/before" plain
    one_dump 2
    c_program before $core -Wl,--as-needed -lpdump
    ranks 2 "$made/before" plain
    one_dump 2

    for option in --as-needed --no-as-needed; do
        behaviour "$MPI, C: after MPI's libraries, $option"
        shown=$("$MPI_CC" -show -Wl,$option -I"$tests/../../include" \
            -I"$tests/.." "$tests/job/lives.c" -o "$made/after")
        compile $shown $core -lpdump -lpthread
        ranks 2 "$made/after" plain
        one_dump 2
    done

    source=control
    for option in --as-needed --no-as-needed; do
        c_program listening $core -Wl,$option -L"$pcontrol" \
            -Wl,-rpath,"$pcontrol" -lpdump-pcontrol -lpdump
        ranks 2 "$made/listening" levels
        levels
    done
fi

behaviour "$MPI, C: MPI_Pcontrol, without our library for it"
ranks 2 control levels
no_levels
behaviour "$MPI, C: MPI_Pcontrol, preloaded"
ranks 2 LD_PRELOAD="$pcontrol/libpdump-pcontrol.so" control levels
levels
behaviour "$MPI, C: MPI_Pcontrol, with MPI calls"
for order in "$pcontrol/libpdump-pcontrol.so $pmpi" \
    "$pmpi $pcontrol/libpdump-pcontrol.so"; do
    ranks 2 LD_PRELOAD="$order" PDUMP_MPI=MPI_Comm_rank,MPI_Finalize \
        control levels
    good 2
    same "$(visits step)" 8 "steps of both ranks"
    same "$(cells perf_dump.csv visits path=step/MPI_Comm_rank rank=1)" 1 \
        "calls of the first step"
    same "$(cells perf_dump.csv open region=step | sort -u)" 0 "open steps"
    rm -f perf_dump.*
done
behaviour "$MPI, C: PDUMP_DUMP_STEPS counts from MPI_Init"
ranks 2 LD_PRELOAD="$pcontrol/libpdump-pcontrol.so" PDUMP_DUMP_STEPS=0,3 \
    control levels
steps_of=$(cells perf_dump.samples.csv number rank=0 | tr '\n' ' ')
same "$steps_of" "0 3 " "numbers of steps"
behaviour "$MPI, C: without MPI_Pcontrol, there is one step"
ranks 2 LD_PRELOAD="$pcontrol/libpdump-pcontrol.so" lives plain
good 2
same "$(cells perf_dump.csv visits path=step | tr '\n' ' ')" '1 1 ' steps

# fortran_program WAY OPTION...
fortran_program() {
    way=$1
    shift
    compile "$MPI_FC" -D"$way" -I"$fortran" -J"$made" \
        "$tests/languages/job.F90" -o "$made/$way" -L"$fortran/.libs" \
        -Wl,-rpath,"$fortran/.libs" "$@" -lpdumpf $core -lpdump
}

fortran_job() {
    behaviour "$MPI, Fortran, $1: plain"
    fortran_program "$1"
    ranks 3 "$made/$1"
    one_dump 3

    behaviour "$MPI, Fortran, $1: parts"
    ranks 3 "$made/$1" flush
    good 3
    files even odd perf_dump
    dump even "$(worked 0 2)"
    dump odd "$(worked 1)"
    dump perf_dump "$(worked 0 1 2)"

    behaviour "$MPI, Fortran, $1: pdump_pcontrol"
    ranks 2 "$made/$1" own_levels
    own_levels
    behaviour "$MPI, Fortran, $1: MPI_Pcontrol, preloaded"
    ranks 2 LD_PRELOAD="$pcontrol/libpdump-pcontrol.so" "$made/$1" levels
    levels

    behaviour "$MPI, Fortran, $1: MPI_Pcontrol, linked"
    fortran_program "$1" -Wl,--as-needed -L"$pcontrol" \
        -Wl,-rpath,"$pcontrol" -lpdump-pcontrol
    ranks 2 "$made/$1" levels
    levels
}

# has_fortran WAY: this compiler can do that.
has_fortran() {
    case $1 in
    USE_MPIF) printf "include 'mpif.h'\nend\n" ;;
    USE_MPI) printf 'use mpi\nend\n' ;;
    *) printf 'use mpi_f08\nend\n' ;;
    esac >"$work/empty.f90"
    "$MPI_FC" "$work/empty.f90" -o "$made/empty" >/dev/null 2>&1
}

if [ -n "$MPI_FC" ] && [ -f "$fortran/pdump.mod" ]; then
    for way in USE_MPIF USE_MPI USE_MPI_F08; do
        ! has_fortran $way || fortran_job $way
    done
fi

find_python
if [ -n "$python" ]; then
    set -- "$python" "$tests/languages/job.py" \
        "$build/libpdump/.libs/libpdump.so"
    for order in 'pdump first' 'mpi first'; do
        behaviour "$MPI, Python: $order"
        ranks 2 "$@" "$order"
        one_dump 2
    done

    behaviour "$MPI, Python beside C"
    ranks 1 "$@" 'mpi first' : -n 2 lives plain
    one_dump 3
    same "$(process perf_dump 1 command)" 'lives plain' "command of rank 1"
    case $(process perf_dump 0 command) in
    *python3*job.py*first) ;;
    *) failed "command of rank 0: $(process perf_dump 0 command)" ;;
    esac
else
    echo "no Python with an mpi4py for $MPI_SONAME: not in Python"
fi

finish
