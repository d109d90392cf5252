/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the bytes that a call sends and receives. */
#ifndef PDUMP_PMPI_BYTE_COUNT_H
#define PDUMP_PMPI_BYTE_COUNT_H

#include "mpi_call.h"
#include "thread_state.h"

struct pdump_byte_count {
    int64_t out, in; /* -1: the call does not send or receive */
};

/* Returns the size of a datatype, with the thread's cache in front of MPI. */
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

/* Counts the bytes by the arguments of a successful call.  `peers` may be NULL
 * if the call has no communicator or window. */
struct pdump_byte_count pdump_byte_count_of(struct pdump_state *state,
                                            const struct pdump_mpi_call *call,
                                            struct pdump_peers *peers);

#endif
