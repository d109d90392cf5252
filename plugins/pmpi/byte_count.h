/* SPDX-License-Identifier: BSD-3-Clause */
/* How many bytes a call is about. */
#ifndef PDUMP_PMPI_BYTE_COUNT_H
#define PDUMP_PMPI_BYTE_COUNT_H

#include "mpi_call.h"
#include "thread_state.h"

struct pdump_byte_count {
    int64_t out, in; /* -1: there is no such side */
};

/* Bytes of one of `type`, which the thread may know. */
int64_t pdump_byte_count_ask(struct pdump_state *state, MPI_Datatype type,
                             unsigned slot);

static inline int64_t pdump_byte_count_size(struct pdump_state *state,
                                            MPI_Datatype type)
{
    uintptr_t bits = (uintptr_t)type;
    unsigned slot =
        (unsigned)((bits ^ bits >> 4 ^ bits >> 9) % PDUMP_TYPES_KEPT);

    if (state->types[slot].type == type && state->types[slot].size)
        return state->types[slot].size;
    return pdump_byte_count_ask(state, type, slot);
}

/* By the arguments of a call that succeeded.  `peers` may be NULL if the call
 * is not about a communicator. */
struct pdump_byte_count pdump_byte_count_of(struct pdump_state *state,
                                            const struct pdump_mpi_call *call,
                                            struct pdump_peers *peers);

#endif
