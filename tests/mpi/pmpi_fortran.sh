#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Fortran wrappers have the arguments of the MPI's own Fortran interface: in
# number, order and kind, by its modules; and touch nothing behind them.
. "${srcdir:-.}/pmpi/kit.sh"
if [ -z "$MPI_FC" ]; then
    echo "no Fortran compiler for $MPI"
    exit 77
fi

made=$work/made
mkdir "$made" && cd "$made" || exit 99

# The modules, found by the compiler, with all that they have from others.
for module in mpi mpi_f08; do
    printf 'module all_%s\nuse %s\nend module\n' $module $module >all_$module.F90
    if ! "$MPI_FC" -w -J. -c all_$module.F90 >"$work/err" 2>&1; then
        echo "no module $module"
        exit 77
    elif ! gzip -t <all_$module.mod 2>/dev/null; then
        echo "$MPI_FC is not gfortran"
        exit 77
    fi
done
# What the wrappers take, by the mpi.h that they were made from.
awk -v list=yes -f "$tests/../../plugins/pmpi/generate/generate.awk" "$calls" - \
    <"$programs/../../../plugins/pmpi/$MPI/wrappers.c.i" >list 2>/dev/null

behaviour "$MPI: Fortran wrappers have the arguments of MPI's modules"
cd "$made" || exit 99
run 0 "${PYTHON:-python3}" "$tests/pmpi/interfaces.py" list table \
    all_mpi.mod all_mpi_f08.mod
same "$(grep -v '^compared:' "$work/out")" "" "differences"
cat "$work/out"
at_least "$(grep -c . table)" 600 "subroutines compared"
# Those that the MPI's libraries have and we have, but no module.
nm -D --defined-only "$library" | awk '{ print $3 }' |
    grep '^mpi_.*[^_]_$' | sort >ours
printf 'program all\nuse mpi_f08\ncall MPI_Init()\nend program\n' >all.F90
"$MPI_FC" -w -Wl,--no-as-needed all.F90 -o all >"$work/err" 2>&1 ||
    failed "no program in Fortran"
ldd all | awk '/libmpi/ { print $3 }' | while read -r file; do
    nm -D --defined-only "$file"
done | awk '{ print $3 }' | sort -u | comm -12 - ours >theirs
awk '{ print $1 }' table | sort | comm -13 - theirs >uncompared
same "$(tr '\n' ' ' <uncompared)" "" "not compared"

behaviour "$MPI: Fortran wrappers touch nothing behind their arguments"
awk '{ print "FAKE(" $1 ")" }' "$made/table" >fakes.h
${CC:-cc} -shared -fPIC -I. "$tests/pmpi/fake.c" -o fake.so >"$work/err" 2>&1 ||
    failed "no fake MPI"
ranks 1 LD_PRELOAD="$PWD/fake.so $library" poisoned "$made/table"
warns 'MPI_Abort ends the job'
same "$(wc -l <"$work/err")" 1 messages
same "$(grep -v '^[0-9]* calls$' "$work/out")" "" "what was wrong"
same "$(sed -n 's/ calls$//p' "$work/out")" \
    "$(awk 'END { print 2 * NR }' "$made/table")" calls
finish
