#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs that Slurm starts: a cluster of this machine alone, for this test.
for command in srun sbatch scancel slurmctld slurmd munged; do
    command -v $command >/dev/null || {
        echo "there is no $command"
        exit 77
    }
done
[ "$(id -u)" = 0 ] || {
    echo "slurmd is started by root only"
    exit 77
}
. "${srcdir:-.}/kit.sh"
needs_preload
. "$tests/job/kit.sh"
seconds=300
daemons=
trap 'stop; clean' EXIT

stop() {
    for daemon in $daemons; do
        kill "$daemon" 2>/dev/null && wait "$daemon" 2>/dev/null
    done
    daemons=
}

# daemon PROGRAM ARGUMENT...: ours until stop; what it says is in a file.
daemon() {
    # It ends also if we are killed; no job is longer.
    timeout -k 5 600 "$@" >"$work/${1##*/}.log" 2>&1 </dev/null &
    daemons="$! $daemons"
}

# free_port: the first of eight, none of which is listened at.
free_port() {
    port=$((20000 + $$ % 4000 * 10))
    while awk -v from=$port '{ split($2, at, ":"); n = 0
            for (i = 1; i <= 4; i++)
                n = n * 16 + index("123456789ABCDEF", substr(at[2], i, 1))
            if (n >= from && n < from + 8) found = 1 }
            END { exit !found }' /proc/net/tcp; do
        port=$((port + 10))
    done
    echo $port
}

# A node that claims to have four processors, reached by loopback only.
configure() {
    host=$(hostname -s 2>/dev/null || uname -n)
    port=$(free_port)
    cat >"$work/slurm.conf" <<C
ClusterName=pdump
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SrunPortRange=$((port + 2))-$((port + 7))
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=5 State=UP
C
    SLURM_CONF=$work/slurm.conf
    export SLURM_CONF
}

# Slurm wants its folders safe from others.
start() {
    umask 022
    chmod 755 "$work"
    mkdir "$work/state" "$work/spool"
    head -c 1024 /dev/urandom >"$work/munge.key"
    chmod 400 "$work/munge.key"
    configure
    daemon munged --foreground --force --origin=127.0.0.1 \
        --key-file="$work/munge.key" --socket="$work/munge.socket" \
        --pid-file="$work/munged.pid" --seed-file="$work/munge.seed" \
        --log-file="$work/munge.log"
    for i in $(seq 3000); do
        [ -S "$work/munge.socket" ] && break
        sleep 0.1
    done
    daemon slurmctld -D -f "$work/slurm.conf"
    daemon slurmd -D -f "$work/slurm.conf" -N "$host"
    for i in $(seq 300); do
        timeout 300 sinfo -h -o %t 2>/dev/null | grep -q idle && return
        sleep 0.2
    done
    echo "no cluster could be started here"
    tail -n 5 "$work"/*.log
    exit 77
}

start
# How this MPI's programs and srun talk to each other.
case $MPI in
openmpi) srun="srun --mpi=pmix -n 2" ;;
*) srun="srun --mpi=pmi2 -n 2" ;;
esac

behaviour "$MPI: srun without us"
if ! timeout -k 10 300 $srun bare >"$work/out" 2>"$work/err" ||
    [ "$(sort "$work/out" | tr '\n' ' ')" != "rank 0 rank 1 " ]; then
    echo "$srun cannot start programs of $MPI:"
    cat "$work/out" "$work/err"
    exit 77
fi

behaviour "$MPI: srun of a program with regions"
run 0 $srun lives plain
same "$(ls -A | tr '\n' ' ')" "perf_dump.csv perf_dump.meta.csv " files
same "$(cells perf_dump.csv rank path=solve | sort | tr '\n' ' ')" "0 1 " ranks
stores 0

behaviour "$MPI: pdump run srun"
run 0 "$pdump" run -- $srun bare
printed 2
same "$(grep -c '^pdump run: .*perf_dump' "$work/err")" 1 messages
job_file

behaviour "$MPI: srun pdump run"
run 0 $srun "$pdump" run bare
printed 2
same "$(grep -c '^pdump run: .*perf_dump' "$work/err")" 1 messages
job_file

behaviour "$MPI: MPI calls, around srun and within"
run 0 "$pdump" run --mpi -q -- $srun bare
printed 2
job_calls
rm perf_dump.*
run 0 $srun "$pdump" run --mpi -q bare
printed 2
job_calls

behaviour "$MPI: the exit code passes through srun"
run 3 "$pdump" run -q -- $srun bare code
run 3 $srun "$pdump" run -q bare code

behaviour "$MPI: programs without MPI that srun starts"
run 0 "$pdump" run -q -- $srun sh -c 'cat /dev/null'
same "$(cells perf_dump.csv region region=cat | wc -l | tr -d ' ')" 2 programs
stores 0

behaviour "$MPI: a batch job"
printf '%s\n' '#!/bin/sh' "'$pdump' run -q -- $srun bare" >script
run 0 sbatch --wait -n 2 -o out script
sort out >"$work/out"
printed 2
rm -f out script
job_file

behaviour "$MPI: each step of a batch job is a run of its own"
printf '%s\n' '#!/bin/sh' "PDUMP_EXPERIMENT_DIR=all; export PDUMP_EXPERIMENT_DIR" \
    "$srun lives plain && $srun lives plain" >script
run 0 sbatch --wait -n 2 -o out script
same "$(ls -d all* | wc -l | tr -d ' ')" 2 "folders of runs: $(ls -d all*)"

# cancelled: once both ranks have told who they are, their job is no more.
cancelled() {
    for i in $(seq 3000); do
        [ "$(grep -c '^rank' "$work/out")" = 2 ] && break
        sleep 0.1
    done
    timeout 300 scancel --name=cancelled
    wait "$job"
}

behaviour "$MPI: a job that is cancelled"
timeout -k 10 300 "$pdump" run -q -- $srun -J cancelled bare wait \
    >"$work/out" 2>"$work/err" </dev/null &
job=$!
cancelled && failed "exit code 0"
same "$(rows perf_dump.csv)" "0 bare,1 bare," rows
stores 0

behaviour "$MPI: a job that is cancelled with pdump run in it"
timeout -k 10 300 $srun -J cancelled "$pdump" run -q bare wait \
    >"$work/out" 2>"$work/err" </dev/null &
job=$!
cancelled && failed "exit code 0"
run 0 "$pdump" merge perf_dump.rank-0.csv perf_dump.rank-1.csv -o all.csv
same "$(rows all.csv)" "0 bare,1 bare," "rows of the ranks' own files"
stores 0

finish
