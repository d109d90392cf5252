/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI in Fortran: its functions, and the addresses of its special constants. */
#ifndef PDUMP_PMPI_FORTRAN_H
#define PDUMP_PMPI_FORTRAN_H

#include "mpi_call.h"

typedef void pdump_routine(void);

/* Finds the function behind the wrapper `name`, such as "mpi_send_", for code
 * at `caller`: another tool's, or MPI's own.  NULL, with a warning, if the
 * process has none. */
pdump_routine *pdump_fortran_find(const char *name, const void *caller);

/* Return true if the buffer is MPI_IN_PLACE, or the status (or array of
 * statuses) is ignored, in the language of the call. */
bool pdump_fortran_is_in_place(const struct pdump_mpi_call *call, int index);
bool pdump_fortran_is_ignored(const struct pdump_mpi_call *call, int index);

/* Converts the i-th status at `at` from the language of the call.  Returns
 * false if MPI rejects it. */
bool pdump_fortran_status(const struct pdump_mpi_call *call, const void *at,
                          int i, MPI_Status *out);

/* Returns the index that MPI_Waitany and similar calls give the first
 * request. */
int pdump_fortran_first_index(const struct pdump_mpi_call *call);

/* Returns the size of a status in the language of the call. */
size_t pdump_fortran_status_size(const struct pdump_mpi_call *call);

#endif
