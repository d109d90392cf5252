/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of stream_files.h share. */
#ifndef PDUMP_STREAM_FILES_PRIVATE_H
#define PDUMP_STREAM_FILES_PRIVATE_H

#include "dump/builder.h"
#include "dump/renumber.h"
#include "stream/stream_files.h"

struct pdump_stream_file {
    const char *path;
    int first_piece;
    int first_thread;
    bool has_stats;
    struct pdump_dump *kept; /* of a living process, or NULL */
};

struct pdump_stream_files {
    struct pdump_stream stream;      /* first: it is closed as this */
    struct pdump_stream_file *files; /* with a last one, where the others end */
    int n_files;
    struct pdump_run_groups runs;
    struct pdump_dump *tables;
    struct pdump_builder *names; /* tells the numbers in the tables */
    int64_t *row_ptr;
    int64_t *sample_ptr;
    int64_t *event_ptr;
    int *rank;
    int *file_of;          /* each piece */
    int room;              /* for pieces */
    bool *has_row;         /* by node */
    int n_nodes;           /* so far */
    uint64_t keys;         /* of the first piece */
    int current;           /* file that is loaded, or -1 */
    struct pdump_dump all; /* its rows */
    struct pdump_dump piece;
};

/* `err`, whose message begins with the file now if it did not. */
int pdump_stream_files_named(const char *path, int err);

/* Room for n more pieces, and for the end of the last. */
int pdump_stream_files_grow(struct pdump_stream_files *s, int n);

/* Read file i for the first time: everything but the rows goes into the
 * builder. */
int pdump_stream_files_add(struct pdump_stream_files *s,
                           struct pdump_builder *b, int i);

/* Say in the metadata what was put together, and which rank is whose. */
int pdump_stream_files_note(const struct pdump_stream_files *s,
                            struct pdump_builder *b);

/* Room in `out` for the columns of any piece that has these tables.  Given:
 * free() its columns and sample_values. */
int pdump_stream_files_room(const struct pdump_dump *tables,
                            struct pdump_dump *out);

/* Move the rows and samples of `dump`, which is of no use but to be freed
 * then, into `out`, with the tables and their numbers; its threads are those
 * from `first_thread` on.  The rows are as they were: not yet in order.  End
 * with pdump_stream_files_drop(), also after an error. */
int pdump_stream_files_take(struct pdump_dump *dump,
                            const struct pdump_renumber *p, int first_thread,
                            const struct pdump_dump *tables,
                            struct pdump_dump *out);
void pdump_stream_files_drop(struct pdump_dump *all);

int pdump_stream_files_copy(struct pdump_dump *dump, struct pdump_dump **out);

/* Some of them, borrowed, into `piece`, which has room. */
void pdump_stream_files_cut(const struct pdump_dump *all, int64_t row,
                            int64_t n_rows, int64_t sample, int64_t n_samples,
                            struct pdump_dump *piece);

#endif
