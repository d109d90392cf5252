/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A dump in pieces: the tables of all processes at once, their rows, samples
 * and events one rank after the other, so that nobody needs memory for all of
 * them.
 */
#ifndef PDUMP_STREAM_H
#define PDUMP_STREAM_H

#include "dump/dump.h"

struct pdump_comm;
struct pdump_stream;

/* Writes the rows of a rank, `mine`, into the file that rank 0 has made at
 * `path`, together with all other ranks; see struct pdump_sink. */
typedef int pdump_fill(const struct pdump_dump *mine,
                       const struct pdump_stream *shape, int piece,
                       const char *path, const struct pdump_comm *comm);

struct pdump_stream {
    /* Everything but rows, samples and events.  Threads are sorted by piece. */
    const struct pdump_dump *tables;
    int n_ranks; /* of the job; 0 without one */
    int n_pieces;
    /* Rows, samples and events before piece i; with a last entry, n_pieces,
     * that is the number of all.  Pieces are the ranks that rows were kept of.
     */
    const int64_t *row_ptr;
    const int64_t *sample_ptr;
    const int64_t *event_ptr;
    int64_t event_bytes; /* of all events, as they are in memory */
    const int *rank;     /* of each piece */
    /* By node: does any piece have a row of it?  NULL: have a look. */
    const bool *has_row;
    /* All pieces have the same nodes and numbers in their samples. */
    bool is_regular;
    /* The tables only; then fill() makes the ranks write their rows themselves
     * into what the sink has made at `path`.  NULL: that cannot be. */
    bool is_hollow;
    int (*fill)(struct pdump_stream *s, const char *path);
    /* Piece i: a dump with the tables of the stream and the rows of one rank,
     * whose parents are counted from its first row.  Borrowed, until the next
     * call.  In order, and again from 0 as often as needed. */
    int (*piece)(struct pdump_stream *s, int i, const struct pdump_dump **out);
    /* All of it at once, for formats that need that: NULL until somebody asked,
     * or if it does not fit into PDUMP_GATHER_MAX (`whole_max`, in bytes). */
    struct pdump_dump *whole;
    int64_t whole_max;
    /* What a sink wrote, for its own verify(), so that no piece is needed
     * again: NULL, or from malloc(), and freed with the stream. */
    uint64_t *sums;
};

/* The dump cut into its ranks.  Borrows it.  Given: pdump_stream_free(). */
PDUMP_SHARED int pdump_stream_of(const struct pdump_dump *dump,
                                 struct pdump_stream **out);
/* Of those that pdump_stream_of() made. */
PDUMP_SHARED void pdump_stream_free(struct pdump_stream *s);

/* All of it, or PDUMP_ENOMEM and what to do. */
PDUMP_SHARED int pdump_stream_whole(struct pdump_stream *s,
                                    const struct pdump_dump **out);

/* Bytes that the rows, samples and events of all pieces need in memory. */
int64_t pdump_stream_bytes(const struct pdump_stream *s);

/* Free a `whole` that pdump_stream_whole() has made. */
void pdump_stream_forget(struct pdump_stream *s);

#endif
