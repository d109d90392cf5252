/* SPDX-License-Identifier: BSD-3-Clause */
/* What statuses and requests tell: the ends of operations. */
#ifndef PDUMP_PMPI_REQUEST_COMPLETION_H
#define PDUMP_PMPI_REQUEST_COMPLETION_H

#include "call_record.h"
#include "mpi_call.h"
#include "requests.h"

/* Before the call: note the handles that MPI is about to change, and put a
 * status of ours where the caller wants none. */
void pdump_completion_prepare(struct pdump_state *state,
                              struct pdump_mpi_call *call);

/* After the call, if it is not a plain one.  Returns the code that the caller
 * is to see. */
int pdump_completion(struct pdump_state *state, struct pdump_mpi_call *call,
                     int code, struct pdump_call_record *tale);

/* After a plain call that received: `from` as it was asked for. */
void pdump_completion_status(const struct pdump_mpi_call *call,
                             struct pdump_peers *peers, int from,
                             struct pdump_call_record *tale);

/* Whom the message will be from is known later only. */
void pdump_completion_hold(struct pdump_request *request,
                           struct pdump_peers *peers);

#endif
