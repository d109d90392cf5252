/* SPDX-License-Identifier: BSD-3-Clause */
/* A fast end for simple calls of MPI, which programs make very often. */
#ifndef PDUMP_PMPI_CALL_FAST_END_H
#define PDUMP_PMPI_CALL_FAST_END_H

#include "mpi_call.h"

/* Returns true for a function that sends or receives one message, makes one
 * one-sided transfer, or only has a communicator or window; not for
 * collectives. */
bool pdump_fast_end_is(const struct pdump_mpi_function *function);

/* Ends a simple call in C that succeeded and is recorded: does in one step what
 * call_record.h does in several. */
void pdump_fast_end_finish(struct pdump_mpi_call *call);

#endif
