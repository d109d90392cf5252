# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_MPI: Open MPI or MPICH.
AC_DEFUN([PDUMP_WITH_MPI], [
    PDUMP_WITH_MODULE([mpi], [MPI], [ompi-c mpich],
        [install libopenmpi-dev or libmpich-dev])
])
