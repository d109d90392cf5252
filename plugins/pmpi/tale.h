/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is to tell of one call of MPI, and the tables that keep it. */
#ifndef PDUMP_PMPI_TALE_H
#define PDUMP_PMPI_TALE_H

#include "calls.h"
#include "peers.h"

struct pdump_state;

struct pdump_item {
    int64_t bytes;
    int peer; /* enum pdump_peer */
    bool is_out;
    bool is_message; /* with somebody, and so in the table of peers */
    uint8_t bin;     /* of its size; pdump_tale_add() finds it */
    bool has_tag;    /* it was received, with a status */
    int tag;
};

/* Bins of sizes: 0 bytes, 1, 2-3, 4-7, ... */
enum { PDUMP_TALE_BINS = 32 };

struct pdump_tale {
    struct pdump_item *items; /* room for as many as the call can have */
    int n_items;
    int ranks;          /* of the communicator; -1: there is none */
    int root;           /* enum pdump_peer */
    int64_t collective; /* as pdump_groups_count() tells it */
    int64_t blocked, flight, completed;
};

/* One more, without a tag.  Field by field: a struct that is made elsewhere
 * and copied costs more than all the rest. */
static inline struct pdump_item *pdump_tale_add(struct pdump_tale *tale,
                                                int64_t bytes, int peer,
                                                bool is_out, bool is_message)
{
    struct pdump_item *item = &tale->items[tale->n_items++];
    int bin = bytes > 0 ? 64 - __builtin_clzll((unsigned long long)bytes) : 0;

    item->bytes = bytes;
    item->peer = peer;
    item->is_out = is_out;
    item->is_message = is_message && (peer >= 0 || peer == PDUMP_PEER_OUTSIDE);
    item->bin = (uint8_t)(bin < PDUMP_TALE_BINS ? bin : PDUMP_TALE_BINS - 1);
    item->has_tag = false;
    return item;
}

/* Write it down; after pdump_call_end(). */
void pdump_tale_record(struct pdump_state *state, struct pdump_mpi_call *call,
                       const struct pdump_tale *tale);

#endif
