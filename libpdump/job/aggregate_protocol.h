/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages between rank 0, which writes, and the other ranks.
 *
 * Rank 0 requests rows, or lets all ranks fill a file, when its sinks need
 * that.  The others execute its commands until the last one.
 */
#ifndef PDUMP_AGGREGATE_PROTOCOL_H
#define PDUMP_AGGREGATE_PROTOCOL_H

#include "job/comm.h"
#include "job/pack_dump.h"
#include "stream/stream.h"

struct pdump_aggregate_protocol {
    struct pdump_stream stream; /* must be first */
    const struct pdump_comm *comm;
    const struct pdump_dump *mine; /* with the numbers of the job */
    struct pdump_pack rows;        /* packed; may be requested again */
    int (*find_fill)(pdump_fill **out);
    /* On rank 0: */
    int *rank;             /* of each piece, in the group */
    int *first_thread;     /* of each piece */
    int n_ready;           /* pieces whose ranks have been asked to pack */
    struct pdump_dump own; /* rank 0's rows, with the tables of all ranks */
    struct pdump_dump piece;
    void *bytes; /* of the piece */
};

/* For the stream of rank 0, which is part of the struct.  Gets piece i: its own
 * rows, or those that another rank sends. */
int pdump_aggregate_protocol_piece(struct pdump_stream *s, int i,
                                   const struct pdump_dump **out);
/* Lets all ranks write their rows to a file. */
int pdump_aggregate_protocol_fill(struct pdump_stream *s,
                                  const struct pdump_new_file *file);

/* On rank 0: sends the end, with the result `err`. */
void pdump_aggregate_protocol_end(struct pdump_aggregate_protocol *t, int err);

/* On the other ranks: executes commands until the end.  Returns the error of
 * rank 0. */
int pdump_aggregate_protocol_serve(struct pdump_aggregate_protocol *t);

#endif
