/* SPDX-License-Identifier: BSD-3-Clause */
/* How many bytes a call is about. */
#ifndef PDUMP_PMPI_AMOUNT_H
#define PDUMP_PMPI_AMOUNT_H

#include "calls.h"
#include "state.h"

struct pdump_amount {
    int64_t out, in; /* -1: there is no such side */
};

/* Bytes of one of `type`, which the thread may know. */
int64_t pdump_amount_ask(struct pdump_state *state, MPI_Datatype type,
                         unsigned slot);

static inline int64_t pdump_amount_size(struct pdump_state *state,
                                        MPI_Datatype type)
{
    uintptr_t bits = (uintptr_t)type;
    unsigned slot =
        (unsigned)((bits ^ bits >> 4 ^ bits >> 9) % PDUMP_TYPES_KEPT);

    if (state->types[slot].type == type && state->types[slot].size)
        return state->types[slot].size;
    return pdump_amount_ask(state, type, slot);
}

/* By the arguments of a call that succeeded.  `peers` may be NULL if the call
 * is not about a communicator. */
struct pdump_amount pdump_amount_of(struct pdump_state *state,
                                    const struct pdump_mpi_call *call,
                                    struct pdump_peers *peers);

#endif
