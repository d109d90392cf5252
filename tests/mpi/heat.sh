#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# examples/heat and examples/python/heat, built with their own Makefiles: the
# results are right, the regions of all languages are in one tree, and the
# commands of their walkthroughs work.
if [ "${PDUMP_SANITIZERS:-no}" != no ]; then
    echo "programs without a sanitizer cannot use a library with one"
    exit 77
fi
. "${srcdir:-.}/kit.sh"
. "$tests/dumps.sh"
seconds=300 # eight jobs in one of the commands
build=${MODULES%/plugins/modules}
examples=$tests/../../examples
docs=$tests/../../docs
PDUMP_EVENTS=none
PDUMP_TELL=never # a line that names the file is no warning
export PDUMP_EVENTS PDUMP_TELL

# The commands that a user has, for this MPI and this build.
mkdir "$work/bin"
# command_is NAME WORD...: what stands for it.
command_is() {
    name=$1
    shift
    printf '%s\n' '#!/bin/sh' "exec $* \"\$@\"" >"$work/bin/$name"
    chmod +x "$work/bin/$name"
}
unset MAKEFLAGS MFLAGS MAKELEVEL
make=$(command -v make)
# make_with FLAGS...: to link with, besides libpdump.
make_with() {
    command_is make "$make" \
        "'PDUMP_CFLAGS=-I$tests/../../include -I$build/bindings/fortran'" \
        "'PDUMP_LIBS=$* -L$build/libpdump/.libs -lpdump'" \
        "'PDUMP_LIBDIR=$build/libpdump/.libs:$build/bindings/fortran/.libs'"
}
command_is mpirun "$MPI_RUN"
command_is mpicc "$MPI_CC"
command_is mpifort "$MPI_FC"
command_is pdump "$pdump"
PATH=$work/bin:$PATH

# copied FOLDER: that example, without what may have been made there.
copied() {
    cp "$examples/$1"/* . && make clean >"$work/out" 2>"$work/err" ||
        failed "no clean copy of $1"
}

# built FOLDER: the same, made as a user does.
built() {
    copied "$1"
    make >"$work/out" 2>"$work/err" || failed "does not build"
    : >"$work/err"
}

# looked_at MODE NAME: the page of perf_dump, used in a browser, if there is one.
looked_at() {
    browser=$(command -v chromium || command -v chromium-browser) || return 0
    with=$(command -v /usr/bin/python3 || command -v python3) || return 0
    run 0 pdump html -o "$2.html" perf_dump*.csv
    run 0 HOME="$work/here" "$with" "$tests/../cli/html/reader.py" "$browser" \
        "$2.html" "$1"
    same "$(cat "$work/out")" "" "what the browser says of $2.html"
}

# right N: what N ranks said of the result.
right() {
    said="^$1 ranks, n 60, 40 steps: 0\.8961 of the heat is left, error"
    grep -q "$said [0-9.]*e-1[3-9]\$" "$work/out" ||
        failed "the result: $(cat "$work/out")"
    same "$(n_warnings)" 0 warnings
}

# has RANK PATH VISITS: a row of perf_dump.csv.
has() {
    rows perf_dump | grep -qxF "$*" || failed "no row '$*'"
}

# cells_of RANK [REGION]: how many cells that rank has computed there.
cells_of() {
    cells perf_dump.csv cells.sum rank="$1" region="${2-sweep}"
}

# walk FILE PROGRAM: each command of a walkthrough, with small sizes for the
# program; they count upon HDF5.
walk() {
    [ -e "$MODULES/pdump_hdf5.so" ] || return 0
    unset PDUMP_OUTPUT_FORMAT
    sed -n 's/^    \$ //p' "$docs/$1" | grep -v '^cd ' >"$work/commands"
    at_least "$(wc -l <"$work/commands")" 8 "commands in $1"
    while read -r command; do
        run 0 sh -c "$(echo "$command" |
            sed "s, -n [0-9]* -s [0-9]*,,; s,$2,$2 -n 60 -s 40,g")"
        same "$(n_warnings)" 0 "warnings of '$command'"
    done <"$work/commands"
    PDUMP_OUTPUT_FORMAT=csv
    export PDUMP_OUTPUT_FORMAT
}

compiled() {
    make_with "-L$build/bindings/fortran/.libs" -lpdumpf
    behaviour "$MPI: heat in C and Fortran"
    built heat
    ranks 1 ./heat -n 60 -s 40 -o alone.pgm
    right 1
    ranks 3 ./heat -n 60 -s 40 -o three.pgm
    right 3
    cmp -s alone.pgm three.pgm || failed "three ranks have another result"
    for rank in 0 1 2; do
        has $rank solve 1
        has $rank solve/march/exchange 40
        has $rank solve/march/sweep 40
        has $rank solve/march/monitor/sum 5
        has $rank solve/check 1
        has $rank solve/picture 1
    done
    same "$(cells_of 0) $(cells_of 1) $(cells_of 2)" "6840 22800 38800" \
        "cells by rows" # 60 - 1 rows, of 0 to 58 cells
    ranks 3 ./heat -n 60 -s 40 -b cells -o other.pgm
    right 3
    cmp -s alone.pgm other.pgm || failed "another split has another result"
    same "$(cells_of 0) $(cells_of 1) $(cells_of 2)" "23800 23240 21400" \
        "cells by cells"
    ranks_end 2 1 ./heat -n 1
    ranks_end 2 1 ./heat -b columns

    behaviour "$MPI: heat with its MPI calls"
    built heat
    run 0 pdump run -q --mpi -- mpirun -n 2 ./heat -n 60 -s 40
    right 2
    has 0 heat/solve/march/exchange/MPI_Sendrecv 80
    has 1 heat/solve/march/monitor/MPI_Allreduce 5
    looked_at mpi calls
    rm -f perf_dump*
    run 0 PDUMP_RECORD=events pdump run -q --mpi -- mpirun -n 2 ./heat -n 60 -s 40
    looked_at mpi timeline

    behaviour "$MPI: the commands of heat.md"
    copied heat
    walk heat.md ./heat
}

in_python() {
    make_with
    PYTHONPATH=$build/bindings/python
    PDUMP_LIBRARY=$build/libpdump/.libs/libpdump.so
    PYTHONDONTWRITEBYTECODE=1
    export PYTHONPATH PDUMP_LIBRARY PYTHONDONTWRITEBYTECODE
    command_is python3 "$python"

    behaviour "$MPI: heat in Python and C"
    built python/heat
    ranks 2 python3 heat.py -n 60 -s 40
    right 2
    has 0 solve/march/sweep 40
    ranks 2 python3 heat.py -n 60 -s 40 --kernel c --split cells
    right 2
    for rank in 0 1; do
        has $rank solve/march/exchange 40
        has $rank solve/march/sweep/stencil 40
        has $rank solve/march/monitor 5
    done
    same "$(cells_of 0 stencil) $(cells_of 1 stencil)" "34440 34000" cells
    ranks_end 2 1 python3 heat.py -n 1
    rm -f perf_dump*
    run 0 mpirun -n 2 python3 -m pdump heat.py -n 60 -s 40
    looked_at python functions

    behaviour "$MPI: the commands of heat-python.md"
    copied python/heat
    walk heat-python.md heat.py
}

command -v cc >/dev/null || command_is cc gcc
n_run=0
if [ -n "$MPI_FC" ] && [ -e "$build/bindings/fortran/pdump.mod" ] &&
    command -v "$MPI_CC" >/dev/null; then
    compiled
    n_run=1
else
    echo "no Fortran or no compiler's wrapper for $MPI: not in C and Fortran"
fi
find_python numpy _cffi_backend
[ -f "$build/bindings/python/pdump/_config.py" ] || python=
if [ -n "$python" ]; then
    in_python
    n_run=1
else
    echo "no Python with numpy and an mpi4py for $MPI: not in Python"
fi
[ $n_run -gt 0 ] || exit 77
finish
