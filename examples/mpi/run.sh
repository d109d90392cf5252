#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Run an example on four ranks: it must end well and leave one dump, in which
# every rank has computed.
# Usage: run.sh PROGRAM
set -u

program=$PWD/$1
pdump=$PDUMP_COMMAND
if [ -z "$MPI_RUN" ] || [ "${PDUMP_SANITIZERS:-no}" != no ]; then
    exit 77
fi
unset PDUMP_COMMAND PDUMP_SANITIZERS # they are no settings
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 99

fail()
{
    echo "FAILED: $program: $*"
    exit 1
}

# What mpirun would refuse as root or with too few cores.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
# Several mpiruns at a time get into each other's way in one folder.
OMPI_MCA_orte_tmpdir_base=$folder
export OMPI_MCA_orte_tmpdir_base OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
    OMPI_MCA_rmaps_base_oversubscribe
PDUMP_OUTPUT_FORMAT=csv timeout 300 "$MPI_RUN" -n 4 "$program" >stdout 2>stderr
status=$?
cat stdout stderr
test $status -eq 0 || fail "exit status $status"
grep -q '^4 ranks' stdout || fail "does not say how many ranks there are"
grep pdump stderr && fail "libpdump complains"
test "$(grep -c ',ring/compute,' perf_dump.csv)" = 4 ||
    fail "not every rank is in the dump"
"$pdump" report perf_dump.csv || fail "no report"
