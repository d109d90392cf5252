#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ordinary lives of MPI jobs: one dump with the rows of every rank.
. "${srcdir:-.}/kit.sh"
. "$tests/dumps.sh"
seconds=300

# job N [VARIABLE=VALUE]... PROGRAM CASE: a new case; exit code 0.
job() {
    n=$1
    shift
    behaviour "$MPI, $n ranks: $*"
    ranks "$n" "$@"
}

everybody() { seq 0 $((n - 1)); }

# one_dump ROW...: of everybody's work and these rows.
one_dump() {
    good "$n"
    files perf_dump
    dump perf_dump "$(worked $(everybody))" "$@"
}

# each_rank ROW...: a row for each rank, without its number.
each_rank() {
    for r in $(everybody); do
        printf "$r %s\n" "$@"
    done
}

for n in 1 2 5; do
    job $n lives plain
    one_dump
done
for name in init_after init_before finalize_before finalize_after parts; do
    job 3 lives $name
    one_dump
done

# A folder: one for the job, also if every rank writes a file of its own.
job 3 PDUMP_EXPERIMENT_DIR=run lives plain
good 3
same "$(ls -A)" run "one folder"
cd run || exit 99
dump perf_dump "$(worked 0 1 2)"
same "$(grep '^ranks\|^dump' manifest.txt | tr '\n' ' ')" \
    "ranks: 3 dump: perf_dump.csv " "the manifest"
job 2 PDUMP_EXPERIMENT_DIR=run PDUMP_RANKS=own lives plain
same "$(ls -A)" run "one folder for both"
cd run || exit 99
# They have one name, so one is renamed away, as in any folder.
same "$(cat ./*dump.csv ./*old-1.csv | grep -c '^[0-9].*solve/inner')" 2 \
    "what both have recorded"

job 3 lives around
good 3
files perf_dump
dump perf_dump "$(each_rank 'whole 0')" \
    "$(worked 0 1 2 | sed 's|solve|whole/solve|')"
same "$(cells perf_dump.csv open path=whole | tr -d '\n')" 111 "open regions"

for name in twice again; do
    job 2 lives $name
    good 2
    files perf_dump perf_dump.old-1
    dump perf_dump "$(each_rank 'second 1')"
    dump perf_dump.old-1 "$(worked 0 1)"
done

job 2 lives afterwards
done_by 2
stores 0
dump perf_dump "$(worked 0 1)"
dump perf_dump.rank-0 '0 afterwards 1'
dump perf_dump.rank-1 '1 afterwards 1'

# Not joined: nothing told us that MPI is there.
job 2 lives late
done_by 2
stores 0
said 1 "no region was new between MPI_Init and MPI_Finalize"
files perf_dump.rank-0 perf_dump.rank-1
dump perf_dump.rank-0 '0 early 2'
dump perf_dump.rank-1 '1 early 3'

job 2 lives late_init
good 2
files perf_dump
dump perf_dump '0 early 2' '1 early 3'

job 2 lives never_init
good 2
files perf_dump.rank-0 perf_dump.rank-1
dump perf_dump.rank-0 '0 alone 2'
dump perf_dump.rank-1 '1 alone 2'

job 3 lives nothing
good 3
files perf_dump
dump perf_dump "$(worked 0 2)"
same "$(process perf_dump 1 rank)" 1 "the rank that recorded nothing"

job 2 lives threads
one_dump '0 thread 3' '1 thread 6'
same "$(cells perf_dump.csv rank path=thread | tr -d '\n')" 000111 \
    "threads of the ranks"

job 2 lives threads_go_on
good 2
files perf_dump
at_least "$(visits thread)" 200 "visits of threads that go on"

job 2 PDUMP_DISABLE=1 flush disabled
good 2
same "$(ls -A)" '' files

job 2 PDUMP_FOLLOW=1 lives child
one_dump "$(each_rank 'child 1')"
same "$(cells perf_dump.meta.csv value table=process key=rank | tr -d '\n')" \
    0011 "ranks of processes"
job 2 lives child
one_dump

job 2 PDUMP_RECORD=profile,samples lives steps
good 2
same "$(ls -A | tr '\n' ' ')" \
    'perf_dump.csv perf_dump.meta.csv perf_dump.samples.csv ' files
dump perf_dump "$(each_rank 'step 3' 'step/solve 3')"
same "$(cells perf_dump.samples.csv rank | sort | uniq -c | tr -s ' \n' ' ')" \
    ' 6 0 6 1 ' "samples of the ranks"

# A second run leaves the first one alone, or takes its place.
job 2 lives plain
ranks 3 lives plain
good 3
files perf_dump perf_dump.old-1
dump perf_dump "$(worked 0 1 2)"
dump perf_dump.old-1 "$(worked 0 1)"
ranks 1 PDUMP_OVERWRITE=1 lives plain
good 1
files perf_dump perf_dump.old-1
dump perf_dump "$(worked 0)"

# Dumps in the middle.
job 2 flush own
done_by 2
stores 0
quiet
dump perf_dump "$(worked 0 1)" "$(each_rank 'later 1')"
dump perf_dump.rank-0 "$(worked 0)"
dump perf_dump.rank-1 "$(worked 1)"

job 3 flush world
good 3
files early perf_dump
dump early "$(worked 0 1 2)"
dump perf_dump "$(worked 0 1 2)" "$(each_rank 'later 1')"

job 5 flush split
good 5
files even odd perf_dump
dump even "$(worked 0 2 4)" '0 later 1' '2 later 1' '4 later 1'
dump odd "$(worked 1 3)" '1 later 1' '3 later 1'
dump perf_dump "$(worked $(everybody))" "$(each_rank 'later 1')"

job 2 flush self
good 2
files perf_dump self-0 self-1
dump perf_dump "$(worked 0 1)"
dump self-0 "$(worked 0)"
dump self-1 "$(worked 1)"

job 3 flush some
good 3
files perf_dump some
dump some "$(worked 1 2)"
dump perf_dump "$(worked 0 1 2)"

job 2 flush outside
one_dump

# Each process that the mpirun of another MPI has started finds itself alone.
behaviour "$MPI: the launcher of another MPI"
case $MPI in
mpich) launched='OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK' ;;
*) launched='PMI_SIZE=2 PMI_RANK' ;;
esac
run 0 "${launched% *}" "${launched#* }=1" lives plain
quiet
noted 'the launcher started 2 processes, but MPI says that each of them is alone'
run 0 "${launched% *}" "${launched#* }=0" lives plain
warns 'the launcher started 2 processes, but MPI says that each of them is alone'
same "$(n_warnings)" 1 warnings
run 0 lives plain
quiet
finish
