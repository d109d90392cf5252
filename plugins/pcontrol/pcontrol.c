/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Pcontrol() of a program that knows nothing of libpdump: to be linked or
 * preloaded.  MPI itself does nothing in it, so nothing is passed on; and no
 * MPI is needed to build this, so it is the same for all of them.
 */
#include <pdump.h>

PDUMP_API int MPI_Pcontrol(const int level, ...);
PDUMP_API void mpi_pcontrol_(const int *level);
PDUMP_API void mpi_pcontrol_f08_(const int *level);

int MPI_Pcontrol(const int level, ...)
{
    pdump_pcontrol(level);
    return 0; /* MPI_SUCCESS, of every MPI */
}

void mpi_pcontrol_(const int *level)
{
    pdump_pcontrol(*level);
}

void mpi_pcontrol_f08_(const int *level)
{
    pdump_pcontrol(*level);
}
