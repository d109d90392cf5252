/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is to tell of one call of MPI. */
#ifndef PDUMP_PMPI_CALL_RECORD_H
#define PDUMP_PMPI_CALL_RECORD_H

#include "mpi_call.h"
#include "mpi_tables.h"

struct pdump_state;

struct pdump_call_record {
    struct pdump_item *items; /* room for as many as the call can have */
    int n_items;
    int ranks;          /* of the communicator; -1: there is none */
    int root;           /* enum pdump_peer */
    int64_t collective; /* as pdump_collective_ids_count() tells it */
    int64_t blocked, flight, completed;
};

/* One more. */
static inline struct pdump_item *pdump_call_record_add(
    struct pdump_call_record *tale, int64_t bytes, int peer, bool is_out,
    bool is_message)
{
    struct pdump_item *item = &tale->items[tale->n_items++];

    pdump_item_set(item, bytes, peer, is_out, is_message);
    return item;
}

/* Write it down; after pdump_call_end(). */
void pdump_call_record_record(struct pdump_state *state,
                              struct pdump_mpi_call *call,
                              const struct pdump_call_record *tale);

#endif
