/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Pcontrol() for programs that do not know libpdump: to be linked or
 * preloaded.  MPI's own function does nothing, so the call is not passed on.
 * No MPI is needed to build this, so one library serves all of them.
 */
#include <pdump.h>

PDUMP_API int MPI_Pcontrol(const int level, ...);
PDUMP_API void mpi_pcontrol_(const int *level);
PDUMP_API void mpi_pcontrol_f08_(const int *level);

int MPI_Pcontrol(const int level, ...)
{
    pdump_pcontrol(level);
    return 0; /* MPI_SUCCESS in every MPI */
}

void mpi_pcontrol_(const int *level)
{
    pdump_pcontrol(*level);
}

void mpi_pcontrol_f08_(const int *level)
{
    pdump_pcontrol(*level);
}
