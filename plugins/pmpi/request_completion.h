/* SPDX-License-Identifier: BSD-3-Clause */
/* Records the completion of operations, from their statuses and requests. */
#ifndef PDUMP_PMPI_REQUEST_COMPLETION_H
#define PDUMP_PMPI_REQUEST_COMPLETION_H

#include "call_record.h"
#include "mpi_call.h"
#include "requests.h"

/* Called before the call: saves the handles that MPI is about to change, and
 * passes our own status if the caller ignores it. */
void pdump_completion_prepare(struct pdump_state *state,
                              struct pdump_mpi_call *call);

/* Called after a call of another kind than PDUMP_CALL_PLAIN.  Returns the code
 * for the caller. */
int pdump_completion(struct pdump_state *state, struct pdump_mpi_call *call,
                     int code, struct pdump_call_record *record);

/* Called after a plain receive; `from` is the source in the arguments. */
void pdump_completion_status(const struct pdump_mpi_call *call,
                             struct pdump_peers *peers, int from,
                             struct pdump_call_record *record);

/* Holds the peers of a receive whose source is known only when it completes. */
void pdump_completion_hold(struct pdump_request *request,
                           struct pdump_peers *peers);

#endif
