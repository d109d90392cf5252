/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting for MPI without ever blocking in it.
 *
 * A request is tested again and again, with pauses in between: there may be
 * more ranks than cores, and the one that is waited for needs a core, too.
 */
#ifndef PDUMP_DEADLINE_H
#define PDUMP_DEADLINE_H

#include "base/error.h"

#include <mpi.h>
#include <stdint.h>

/* Is the other side known to be at work on the same thing?  Then it is worth a
 * core to answer at once: what MPI moves, it moves while it is called. */
enum pdump_patience { PDUMP_PATIENT, PDUMP_EAGER };

/* PDUMP_OK: it is complete, and *request is MPI_REQUEST_NULL.  PDUMP_EPEER: it
 * is not, after so many seconds, or MPI says that it failed.  In the former
 * case it stays outstanding, and so must the memory that it uses.  No message
 * is recorded for a deadline that passed: the caller knows who was late. */
int pdump_deadline_wait(MPI_Request *request, int64_t seconds,
                        enum pdump_patience patience);

/* What MPI's error code means, as our error. */
int pdump_deadline_error(int code);

#endif
