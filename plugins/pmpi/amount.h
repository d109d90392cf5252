/* SPDX-License-Identifier: BSD-3-Clause */
/* How many bytes a call is about. */
#ifndef PDUMP_PMPI_AMOUNT_H
#define PDUMP_PMPI_AMOUNT_H

#include "calls.h"
#include "peers.h"

struct pdump_state;

struct pdump_amount {
    int64_t out, in; /* -1: there is no such side */
};

/* By the arguments of a call that succeeded.  `peers` may be NULL if the call
 * is not about a communicator. */
struct pdump_amount pdump_amount_of(struct pdump_state *state,
                                    const struct pdump_mpi_call *call,
                                    struct pdump_peers *peers);

#endif
