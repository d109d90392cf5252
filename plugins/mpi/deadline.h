/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits for MPI requests without ever blocking in MPI.
 *
 * A request is tested repeatedly, with pauses in between: there may be more
 * ranks than cores, and the other rank needs a core, too.
 */
#ifndef PDUMP_DEADLINE_H
#define PDUMP_DEADLINE_H

#include "base/error.h"

#include <mpi.h>
#include <stdint.h>

/* PDUMP_EAGER: the other rank is known to work on the same transfer.  Then fast
 * polling is worth a core, because MPI makes progress only while it is
 * called. */
enum pdump_patience { PDUMP_PATIENT, PDUMP_EAGER };

/* Returns PDUMP_OK if the request is complete; *request is MPI_REQUEST_NULL
 * then.  PDUMP_EPEER if it is not complete after `seconds`, or if MPI reports a
 * failure.  After a timeout the request stays outstanding, and so must its
 * memory.  No message is set for a timeout: the caller knows which rank was
 * late. */
int pdump_deadline_wait(MPI_Request *request, int64_t seconds,
                        enum pdump_patience patience);

/* Sets the message of MPI's error code.  Returns PDUMP_EPEER. */
int pdump_deadline_error(int code);

#endif
