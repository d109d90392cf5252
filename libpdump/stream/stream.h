/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A dump in pieces: the tables of all processes at once, then rows, samples and
 * events rank by rank, so that all of them never have to be in memory at the
 * same time.
 *
 * This is the central header of stream/, which works on dumps in pieces: those
 * of many files, and sums over them.
 */
#ifndef PDUMP_STREAM_H
#define PDUMP_STREAM_H

#include "dump/dump.h"

struct pdump_comm;
struct pdump_new_file;
struct pdump_stream;

/* Writes the rows of a rank, `mine`, to the file that rank 0 has created,
 * together with all other ranks; see struct pdump_sink.  Only rank 0 has its
 * descriptor. */
typedef int pdump_fill(const struct pdump_dump *mine,
                       const struct pdump_stream *shape, int piece,
                       const struct pdump_new_file *file,
                       const struct pdump_comm *comm);

struct pdump_stream {
    /* Everything but rows, samples and events.  Threads are sorted by piece. */
    const struct pdump_dump *tables;
    int n_ranks; /* of the job; 0 without one */
    int n_pieces;
    /* Rows, samples and events before piece i.  The last entry, n_pieces, is
     * their total number.  There is a piece for each rank whose rows were
     * kept. */
    const int64_t *row_ptr;
    const int64_t *sample_ptr;
    const int64_t *event_ptr;
    int64_t event_bytes; /* of all events, in memory */
    const int *rank;     /* of each piece */
    /* By node: true if any piece has a row of it.  NULL: unknown, look at the
     * pieces. */
    const bool *has_row;
    /* True if the samples of all pieces have the same nodes and numbers. */
    bool is_regular;
    /* The stream has only the tables; then fill() makes the ranks write their
     * rows into the file that the sink has created.  NULL if the ranks cannot
     * do that. */
    bool is_hollow;
    int (*fill)(struct pdump_stream *s, const struct pdump_new_file *file);
    /* Gets piece i: a dump with the tables of the stream and the rows of one
     * rank, whose parents are counted from its first row.  Borrowed until the
     * next call.  Pieces are read in order, and again from 0 as often as
     * needed. */
    int (*piece)(struct pdump_stream *s, int i, const struct pdump_dump **out);
    /* All pieces in one dump, for formats that need that.  NULL until
     * pdump_stream_whole() is called, or if it does not fit into
     * PDUMP_GATHER_MAX (`whole_max`, in bytes). */
    struct pdump_dump *whole;
    int64_t whole_max;
    /* Checksums of what a sink wrote, for its own verify(), so that no piece is
     * needed again: NULL, or from malloc() and freed with the stream. */
    uint64_t *sums;
};

/* Cuts the dump, which is borrowed, into its ranks.  Given:
 * pdump_stream_free(). */
PDUMP_SHARED int pdump_stream_of(const struct pdump_dump *dump,
                                 struct pdump_stream **out);
/* Frees a stream that pdump_stream_of() made. */
PDUMP_SHARED void pdump_stream_free(struct pdump_stream *s);

/* For streams: make room in `out` for the columns of any piece with these
 * tables, and select some of the rows and samples of `all`, borrowed, for a
 * piece with room.  free() its columns and sample_values. */
int pdump_stream_room(const struct pdump_dump *tables, struct pdump_dump *out);
void pdump_stream_cut(const struct pdump_dump *all, int64_t row, int64_t n_rows,
                      int64_t sample, int64_t n_samples,
                      struct pdump_dump *piece);

/* Returns a hash of the nodes and numbers of samples; `nodes` has the new
 * numbers of the nodes, or is NULL.  See is_regular. */
uint64_t pdump_stream_keys(const struct pdump_dump *dump, const int *nodes,
                           int64_t from, int64_t to);

/* Gets all pieces in one dump, or PDUMP_ENOMEM with a message that says what to
 * do. */
PDUMP_SHARED int pdump_stream_whole(struct pdump_stream *s,
                                    const struct pdump_dump **out);

/* Returns the bytes that the rows, samples and events of all pieces need in
 * memory. */
int64_t pdump_stream_bytes(const struct pdump_stream *s);

/* Frees the `whole` that pdump_stream_whole() made. */
void pdump_stream_forget(struct pdump_stream *s);

#endif
