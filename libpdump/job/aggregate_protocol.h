/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What rank 0 and the others say to each other while it writes.
 *
 * Rank 0 asks for rows, or for a file to be filled, when its sinks want that;
 * the others do what it says, until it says that it is the end.
 */
#ifndef PDUMP_AGGREGATE_PROTOCOL_H
#define PDUMP_AGGREGATE_PROTOCOL_H

#include "job/comm.h"
#include "job/pack_dump.h"
#include "stream/stream.h"

struct pdump_aggregate_protocol {
    struct pdump_stream stream; /* first */
    const struct pdump_comm *comm;
    const struct pdump_dump *mine; /* in the numbers of the job */
    struct pdump_pack rows;        /* to be sent, perhaps again */
    int (*find_fill)(pdump_fill **out);
    /* On rank 0: */
    int *rank;             /* in the group, of each piece */
    int *first_thread;     /* of each piece */
    int n_ready;           /* pieces whose ranks were told to get ready */
    struct pdump_dump own; /* rank 0's rows, with the tables of all */
    struct pdump_dump piece;
    void *bytes; /* of the piece */
};

/* For the stream of rank 0, which is in its talk.  Piece i: our own, or asked
 * for. */
int pdump_aggregate_protocol_piece(struct pdump_stream *s, int i,
                                   const struct pdump_dump **out);
/* Where everybody's rows are to be. */
int pdump_aggregate_protocol_fill(struct pdump_stream *s, const char *path);

/* On rank 0: that was all, and how it went. */
void pdump_aggregate_protocol_end(struct pdump_aggregate_protocol *t, int err);

/* On the others: do what rank 0 says until then.  Its error. */
int pdump_aggregate_protocol_serve(struct pdump_aggregate_protocol *t);

#endif
