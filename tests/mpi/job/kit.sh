# SPDX-License-Identifier: BSD-3-Clause
# Jobs of programs that know nothing of us.  To be sourced after ../kit.sh.
PATH=$programs/job:$PATH
PDUMP_EVENTS=none
export PDUMP_EVENTS

# printed NUMBER: lines of ranks on standard output, and nothing else.
printed() {
    same "$(sort "$work/out" | tr '\n' ' ')" "$(seq -f 'rank %g' -s ' ' 0 \
        $(($1 - 1))) " "standard output"
}

# rows FILE: rank and program of each row.
rows() {
    cells "$1" rank group=program >"$work/ranks"
    cells "$1" region group=program | paste -d ' ' "$work/ranks" - | sort |
        tr '\n' ','
}

# job_file: what two ranks of `bare` leave, and nothing else.
job_file() {
    same "$(ls -A | tr '\n' ' ')" "perf_dump.csv perf_dump.meta.csv " files
    same "$(rows perf_dump.csv)" "0 bare,1 bare," rows
    stores 0
    readable perf_dump.csv
}

# job_calls: they called MPI_Init once each, from `bare`.
job_calls() {
    same "$(grep -Ec '^mpi,.*bare/MPI_Init(_thread)?,[^,]*bare[^,]*,calls,' \
        perf_dump.details.csv)" 2 "calls of MPI_Init in bare"
}
