/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that implement stream_files.h. */
#ifndef PDUMP_STREAM_FILES_PRIVATE_H
#define PDUMP_STREAM_FILES_PRIVATE_H

#include "dump/builder.h"
#include "dump/dump_copy.h"
#include "stream/stream_files.h"

struct pdump_stream_file {
    const char *path;
    int first_piece;
    int first_thread;
    bool has_stats;
    struct pdump_dump *kept; /* the dump of a running process, or NULL */
};

struct pdump_stream_files {
    struct pdump_stream stream;      /* must be first: closed as this */
    struct pdump_stream_file *files; /* one more than n_files: the end */
    int n_files;
    struct pdump_run_groups runs;
    struct pdump_dump *tables;
    struct pdump_builder *names; /* maps names to their numbers in the tables */
    int64_t *row_ptr;
    int64_t *sample_ptr;
    int64_t *event_ptr;
    int *rank;
    int *file_of;          /* of each piece */
    int room;              /* allocated pieces */
    bool *has_row;         /* by node */
    int n_nodes;           /* so far */
    uint64_t keys;         /* hash of the samples of the first piece */
    int current;           /* file that is loaded, or -1 */
    struct pdump_dump all; /* rows of the current file */
    struct pdump_dump piece;
};

/* Returns `err`, and puts the file in front of its message if it is not
 * there. */
int pdump_stream_files_named(const char *path, int err);

/* Makes room for n more pieces, and for the end of the last one. */
int pdump_stream_files_grow(struct pdump_stream_files *s, int n);

/* Reads file i for the first time: adds everything but the rows to the
 * builder. */
int pdump_stream_files_add(struct pdump_stream_files *s,
                           struct pdump_builder *b, int i);

/* Adds metadata about the files that were united, and which ranks belong to
 * which. */
int pdump_stream_files_note(const struct pdump_stream_files *s,
                            struct pdump_builder *b);

/* Moves the rows and samples of `dump`, whose tree `copy` has, into `out`, with
 * the tables and their numbers; after that, `dump` can only be freed.  Its
 * threads get the numbers from `first_thread` on.  The rows are not sorted yet.
 * The caller ends with pdump_stream_files_drop(), also after an error. */
int pdump_stream_files_take(struct pdump_dump *dump,
                            const struct pdump_dump_copy *copy,
                            int first_thread, const struct pdump_dump *tables,
                            struct pdump_dump *out);
void pdump_stream_files_drop(struct pdump_dump *all);

#endif
