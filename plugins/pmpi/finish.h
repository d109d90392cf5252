/* SPDX-License-Identifier: BSD-3-Clause */
/* What statuses and requests tell: the ends of operations. */
#ifndef PDUMP_PMPI_FINISH_H
#define PDUMP_PMPI_FINISH_H

#include "calls.h"
#include "requests.h"
#include "tale.h"

/* Before the call: note the handles that MPI is about to change, and put a
 * status of ours where the caller wants none. */
void pdump_finish_prepare(struct pdump_state *state,
                          struct pdump_mpi_call *call);

/* After the call, if it is not a plain one.  Returns the code that the caller
 * is to see. */
int pdump_finish(struct pdump_state *state, struct pdump_mpi_call *call,
                 int code, struct pdump_tale *tale);

/* After a plain call that received: `from` as it was asked for. */
void pdump_finish_status(const struct pdump_mpi_call *call,
                         struct pdump_peers *peers, int from,
                         struct pdump_tale *tale);

/* Whom the message will be from is known later only. */
void pdump_finish_hold(struct pdump_request *request,
                       struct pdump_peers *peers);

#endif
