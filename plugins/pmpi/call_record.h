/* SPDX-License-Identifier: BSD-3-Clause */
/* The record of one call of MPI: its transfers, peers and times. */
#ifndef PDUMP_PMPI_CALL_RECORD_H
#define PDUMP_PMPI_CALL_RECORD_H

#include "mpi_call.h"
#include "mpi_tables.h"

struct pdump_state;

struct pdump_call_record {
    struct pdump_item *items; /* room for all items of the call */
    int n_items;
    int ranks;          /* of the communicator; -1: there is none */
    int root;           /* enum pdump_peer */
    int64_t collective; /* result of pdump_collective_ids_count() */
    int64_t blocked, flight, completed;
};

/* Adds an item and returns it. */
static inline struct pdump_item *pdump_call_record_add(
    struct pdump_call_record *record, int64_t bytes, int peer, bool is_out,
    bool is_message)
{
    struct pdump_item *item = &record->items[record->n_items++];

    pdump_item_set(item, bytes, peer, is_out, is_message);
    return item;
}

/* Writes the record into the tables and the timeline; after
 * pdump_call_end(). */
void pdump_call_record_write(struct pdump_state *state,
                             struct pdump_mpi_call *call,
                             const struct pdump_call_record *record);

#endif
