/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a simple call of MPI: what programs call very often. */
#ifndef PDUMP_PMPI_CALL_FAST_END_H
#define PDUMP_PMPI_CALL_FAST_END_H

#include "mpi_call.h"

/* A message, a one-sided transfer, or about no more than its communicator or
 * window; no collective. */
bool pdump_fast_end_is(const struct pdump_mpi_function *function);

/* The end of one, in C, that succeeded and is recorded: all that call_record.h
 * has in steps, in one. */
void pdump_fast_end_end(struct pdump_mpi_call *call);

#endif
