#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pdump run with MPI jobs: around mpirun, and within it.
. "${srcdir:-.}/kit.sh"
needs_preload
. "$tests/job/kit.sh"
seconds=300

behaviour "$MPI: pdump run mpirun"
run 0 "$pdump" run -- "$MPI_RUN" -n 2 bare
printed 2
job_file
behaviour "$MPI: pdump run mpirun, with the summary of the ranks"
run 0 "$pdump" run --report -- "$MPI_RUN" -n 2 bare
same "$(grep -c '^pdump run:' "$work/err")" 2 "messages"
grep -q "^bare " "$work/err" || failed "no line of the program"

behaviour "$MPI: a folder with an odd name"
odd=$(printf 'of two\nlines')
mkdir "$odd"
run 0 "$pdump" run --report -o "$odd/" -- "$MPI_RUN" -n 2 bare
there "$odd/perf_dump.csv"
same "$(grep -c 'No such file' "$work/err")" 0 "files that are not there"
grep -q "^bare " "$work/err" || failed "no line of the program"

behaviour "$MPI: mpirun pdump run"
run 0 "$MPI_RUN" -n 2 "$pdump" run --report bare
printed 2
same "$(grep -c 'pdump run: bare' "$work/err")" 1 "summaries"
job_file

behaviour "$MPI: the file that was named, without the number of ranks"
for name in exact.h5 exact.dat; do
    [ -f "$MODULES/pdump_hdf5.so" ] || break
    run 0 "$MPI_RUN" -n 2 "$pdump" run -q -f hdf5 -o $name bare
    printed 2
    same "$(ls -A | tr '\n' ' ')" "$name " files
    readable $name
    rm $name
done

behaviour "$MPI: ranks of a quiet run do not warn"
run 0 PDUMP_DEPTH_MAX=many "$pdump" run -q -- "$MPI_RUN" -n 2 bare
printed 2
same "$(grep -c PDUMP_DEPTH_MAX=many "$work/err")" 1 "warnings"

behaviour "$MPI: the exit code"
run 3 "$pdump" run -q -- "$MPI_RUN" -n 2 bare code
run 3 "$MPI_RUN" -n 2 "$pdump" run -q bare code

behaviour "$MPI: a rank is killed"
timeout -k 10 300 "$pdump" run -q -- "$MPI_RUN" -n 2 bare kill \
    >"$work/out" 2>"$work/err" && failed "exit code 0"
same "$(rows perf_dump.csv)" "0 bare,1 bare," rows
stores 0

behaviour "$MPI: a script with jobs and other programs"
printf '%s\n' '#!/bin/sh' 'cat /dev/null' "'$MPI_RUN' -n 2 bare" >script
chmod +x script
run 0 "$pdump" run -q ./script
printed 2
same "$(rows perf_dump.csv)" "0 bare,1 bare," rows
same "$(rows perf_dump-others.csv)" "0 cat,0 sh," "other rows"
stores 0

behaviour "$MPI: programs without MPI in a job"
run 0 "$pdump" run -q -- "$MPI_RUN" -n 2 sh -c 'cat /dev/null'
same "$(cells perf_dump.csv region region=cat | wc -l | tr -d ' ')" 2 programs
stores 0

behaviour "$MPI: MPI calls of a program that knows nothing of us"
run 0 "$pdump" run --mpi -q -- "$MPI_RUN" -n 2 bare
printed 2
same "$(rows perf_dump.csv)" "0 bare,1 bare," rows
job_calls
same "$(cells perf_dump.csv region open=1 | tr '\n' ' ')" "" "open regions"
same "$(cells perf_dump.csv region visits=0 | tr '\n' ' ')" "" "without visits"
stores 0
run 0 PDUMP_MPI=off "$pdump" run --mpi -q -o off.csv -- "$MPI_RUN" -n 2 bare
same "$(rows off.csv)" "0 bare,1 bare," "rows without calls"
[ ! -e off.details.csv ] || failed "calls in spite of PDUMP_MPI=off"
run 0 "$pdump" run --mpi --exclude 'MPI_Init*' -q -o less.csv -- \
    "$MPI_RUN" -n 2 bare
same "$(cells less.csv region group=mpi | grep -c MPI_Init)" 0 "excluded calls"
at_least "$(cells less.csv region group=mpi | grep -c .)" 1 "other calls"
run 0 "$MPI_RUN" -n 2 "$pdump" run --mpi --include 'MPI_Init*' -q -o only.csv \
    bare
at_least "$(cells only.csv region group=mpi | grep -c MPI_Init)" 1 "calls"
same "$(cells only.csv region group=mpi | grep -vc MPI_Init)" 0 "other calls"

# A stand-in for the wrappers, which says that it was loaded, and where.
behaviour "$MPI: the wrappers of MPI calls"
command -v cc >/dev/null || finish
cat >wrappers.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
__attribute__((constructor)) static void say(void)
{
    fprintf(stderr, "%s has %s\n", program_invocation_short_name, SONAME);
}
C
mkdir modules "$work/none"
for module in "$MODULES"/*; do
    case $module in
    *.so) ln -s "$module" modules/ ;;
    *)
        soname=${module##*/}
        mkdir "modules/$soname" "$work/none/$soname"
        ln -s "$module"/pdump_*.so "modules/$soname/"
        ln -s "$module"/pdump_*.so "$work/none/$soname/"
        cc -shared -fPIC -DSONAME="\"$soname\"" \
            -o "modules/$soname/libpdump-pmpi.so" wrappers.c || finish
        ;;
    esac
done
ln -s "$MODULES"/*.so "$work/none/"
PDUMP_MODULES=$PWD/modules

# wrapped PROGRAM...: those that have them, and which.
wrapped() {
    same "$(grep ' has ' "$work/err" | sort | tr '\n' ',')" \
        "$(for name in "$@"; do printf '%s has %s,' "$name" "$MPI_SONAME"; done)" \
        wrappers
}
run 0 "$pdump" run -q --mpi -- "$MPI_RUN" -n 2 bare
printed 2
wrapped bare bare
run 0 "$pdump" run -q --mpi=p2p -- "$MPI_RUN" -n 2 sh -c 'test $PDUMP_MPI = p2p &&
    cat /dev/null && bare && case $LD_PRELOAD in *-pmpi*) exit 9;; esac'
wrapped bare bare
run 0 "$MPI_RUN" -n 2 "$pdump" run -q --mpi bare
wrapped bare bare
run 0 "$pdump" run -q --mpi bare
wrapped bare
run 0 "$pdump" run -q -- "$MPI_RUN" -n 2 bare
wrapped
if [ -n "${PYTHON:-}" ] && "$PYTHON" -c '' 2>/dev/null; then
    run 0 "$pdump" run -q --mpi -- "$MPI_RUN" -n 2 "$PYTHON" -c ''
    same "$(grep -c " has $MPI_SONAME\$" "$work/err")" 2 "wrappers in Python"
    run 0 "$pdump" run -q --mpi -- "$PYTHON" -c ''
    wrapped
fi
behaviour "$MPI: no wrappers for it"
PDUMP_MODULES=$work/none
run 0 "$pdump" run --mpi -- "$MPI_RUN" -n 2 bare
printed 2
warns "MPI calls are not recorded: no libpdump-pmpi.so fits bare ($MPI_SONAME"

finish
