/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is to tell of one call of MPI, and the tables that keep it. */
#ifndef PDUMP_PMPI_TALE_H
#define PDUMP_PMPI_TALE_H

#include "calls.h"

struct pdump_state;

struct pdump_item {
    int64_t bytes;
    int peer; /* enum pdump_peer */
    bool is_out;
    bool is_message; /* between the two, and so in the table of peers */
    uint8_t bin;     /* of its size; ours */
    bool has_tag;    /* it was received, with a status */
    int tag;
};

struct pdump_tale {
    struct pdump_item *items; /* room for as many as the call can have */
    int n_items;
    int ranks;          /* of the communicator; -1: there is none */
    int root;           /* enum pdump_peer */
    int64_t collective; /* as pdump_groups_count() tells it */
    int64_t blocked, flight, completed;
};

/* Write it down; after pdump_call_end(). */
void pdump_tale_record(struct pdump_state *state, struct pdump_mpi_call *call,
                       struct pdump_tale *tale);

#endif
