#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# MPI programs that nobody here wrote: HPC Challenge, as Debian has it, and the
# benchmarks that come with mpi4py.
. "${srcdir:-.}/kit.sh"
needs_preload
seconds=300
n_run=0
PDUMP_EVENTS=none
export PDUMP_EVENTS

# Its input is a file of numbers with what they mean behind them.
input() {
    zcat -f /usr/share/doc/hpcc/examples/_hpccinf.txt* |
        sed 's/^[0-9].*\( Ns\)$/200\1/; s/^[0-9].*\( [PQ]s\)$/2\1/' \
            >hpccinf.txt
    [ -s hpccinf.txt ] || {
        echo "hpcc has no example of its input"
        exit 77
    }
}

# What it found out: tests that have passed, not how long they took.  A line that
# begins with CPU is there only if its clock saw any time pass.
verdict() {
    grep -v '^CPU' hpccoutf.txt |
        grep -oE '^(Success|CommWorldProcs)=.*|PASSED|FAILED'
}

# total FIELD: of all ranks and calls.
total() {
    awk -F , -v field="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["table"] == "mpi" && $at["field"] == field { n += $at["value"] }
        END { printf "%.0f\n", n }' perf_dump.details.csv
}

challenge() {
    behaviour "$MPI: HPC Challenge has the results that it has without us"
    input
    run 0 "$MPI_RUN" -n 4 "$hpcc"
    cp "$work/out" "$work/plain"
    verdict >"$work/verdict"
    [ -s "$work/verdict" ] || failed "no results"
    rm -f hpccoutf.txt
    run 0 "$pdump" run --mpi -q -- "$MPI_RUN" -n 4 "$hpcc"
    cmp -s "$work/out" "$work/plain" || failed "standard output is another"
    same "$(verdict)" "$(cat "$work/verdict")" "results"
    run 0 "$pdump" report --mpi --top 100 perf_dump.csv
    grep -q '^MPI_Sendrecv ' "$work/out" || failed "no MPI_Sendrecv"
    # All its messages are received, and its collectives take what they give but
    # for those with a root.
    awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["table"] == "mpi_peers" { n[$at["field"]] += $at["value"] }
        END { exit n["bytes_out"] == n["bytes_in"] && n["bytes_out"] > 0 &&
            n["messages_out"] == n["messages_in"] ? 0 : 1 }' perf_dump.details.csv ||
        failed "what was sent is not what was received"
    [ "$(total calls)" -gt 10000 ] || failed "too few calls: $(total calls)"
}

# calls FUNCTION FIELD: of all ranks.
calls() {
    cells perf_dump.details.csv value table=mpi field="$2" "path=$1" |
        awk '{ n += $1 } END { print n + 0 }'
}

# Three ranks pass 1000 bytes round, ten times: each sends and receives ten.
ring() {
    set -- -m mpi4py.bench ringtest -n 1000 -l 10
    behaviour "$MPI: mpi4py's ring, $python $*"
    run 0 "$pdump" run --mpi -q -- "$MPI_RUN" -n 3 "$python" "$@"
    same "$(grep -c '^time for 10 loops .* (3 processes, 1000 bytes)$' \
        "$work/out")" 1 "line of output"
    for function in Send Recv; do
        same "$(calls "${python##*/}/MPI_$function" calls)" 30 "MPI_$function"
    done
    same "$(calls "${python##*/}/MPI_Send" bytes_out)" 30000 "bytes sent"
    same "$(calls "${python##*/}/MPI_Recv" bytes_in)" 30000 "bytes received"
    same "$(calls "${python##*/}/MPI_Barrier" calls)" 3 "MPI_Barrier"
}

hpcc=$(command -v hpcc)
if [ -n "$hpcc" ] && ldd "$hpcc" | grep -qF "$MPI_SONAME"; then
    challenge
    n_run=1
else
    echo "there is no hpcc for $MPI"
fi
find_python mpi4py.bench
if [ -n "$python" ]; then
    ring
    n_run=1
else
    echo "there is no mpi4py for $MPI"
fi
[ $n_run -gt 0 ] || exit 77
finish
