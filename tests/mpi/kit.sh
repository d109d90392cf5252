# SPDX-License-Identifier: BSD-3-Clause
# What the scripts of this folder share.  To be sourced in the build folder of
# these tests, by a script that was started for one MPI:
#   MPI         openmpi, mpich or othermpi: the folder of its programs
#   MPI_SONAME  of its library
#   MPI_RUN     its mpirun
#   MPI_CC      its C compiler; it may be no command, where pkg-config is used
#   MPI_FC      its Fortran compiler; empty if there is none
# All of ../program/behaviour/kit.sh can be used: behaviour, run, same, cells, finish.
set -u

if [ -z "${MPI_RUN:-}" ]; then
    echo "no mpirun for ${MPI:-MPI}"
    exit 77
fi
case ${PDUMP_SANITIZERS:-no} in
*thread*)
    echo "MPI libraries are not built for the thread sanitizer"
    exit 77
    ;;
esac

programs=$PWD/$MPI
tests=$(cd "${srcdir:-.}" && pwd) || exit 99
PATH=$PWD/../program/behaviour:$PATH # is_sanitized
srcdir=$tests/..
. "$tests/../program/behaviour/kit.sh"
srcdir=$tests
PATH=$programs:$PATH
PDUMP_MODULES=$MODULES
# As root, on few cores, in a container: what mpirun would refuse or do badly.
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_btl_vader_single_copy_mechanism=none
# Without single copies, its other ways to make windows fail.
OMPI_MCA_osc=sm,pt2pt
OMPI_MCA_mpi_yield_when_idle=1
# Several mpiruns at a time get into each other's way in one folder.
OMPI_MCA_orte_tmpdir_base=$work
export OMPI_MCA_orte_tmpdir_base
# MPI libraries do not free all they have.
ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-}
export PDUMP_MODULES OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
    OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_btl_vader_single_copy_mechanism \
    OMPI_MCA_osc OMPI_MCA_mpi_yield_when_idle ASAN_OPTIONS

# ranks N [VARIABLE=VALUE]... PROGRAM ARGUMENT...: N ranks, exit code 0.  More
# programs may follow: `ranks 2 a : -n 2 b`.  $seconds is the deadline of all.
ranks() {
    ranks_end 0 "$@"
}

# ranks_end CODE N ...: as ranks, with that exit code.
ranks_end() {
    wanted_end=$1
    n_ranks=$2
    shift 2
    run "$wanted_end" "$MPI_RUN" -n "$n_ranks" env "$@"
}

# find_python [MODULE]...: $python is one with these and an mpi4py for this MPI,
# or empty.
find_python() {
    for python in "${PYTHON:-}" python3 /usr/bin/python3; do
        [ -n "$python" ] && timeout 300 "$python" -c "
import sys
for module in sys.argv[1:]:
    __import__(module)
from mpi4py import MPI
assert '$MPI_SONAME' in open('/proc/self/maps').read()" "$@" >/dev/null 2>&1 &&
            return
    done
    python=
}
