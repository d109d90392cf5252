/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran: its MPI's functions, and the addresses that mean something. */
#ifndef PDUMP_PMPI_FORTRAN_H
#define PDUMP_PMPI_FORTRAN_H

#include "mpi_call.h"

typedef void pdump_routine(void);

/* The function behind `name`, "mpi_send_", for code at `caller`: another
 * tool's, or MPI's own.  NULL, with a warning, if the process has none. */
pdump_routine *pdump_fortran_find(const char *name, const void *caller);

/* Is the buffer MPI_IN_PLACE, or the status (or list of them) to be ignored, in
 * the language of the call? */
bool pdump_fortran_is_in_place(const struct pdump_mpi_call *call, int index);
bool pdump_fortran_is_ignored(const struct pdump_mpi_call *call, int index);

/* The i-th status at `at`, in the language of the call; false if MPI does not
 * like it. */
bool pdump_fortran_status(const struct pdump_mpi_call *call, const void *at,
                          int i, MPI_Status *out);

/* The index of the first request, as MPI_Waitany and the like give it. */
int pdump_fortran_first_index(const struct pdump_mpi_call *call);

/* Bytes of a status in the language of the call. */
size_t pdump_fortran_status_size(const struct pdump_mpi_call *call);

#endif
