/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies parts of a dump into a builder, where they get new numbers.
 *
 *     struct pdump_dump_copy copy = { .to = builder, .from = dump };
 *     int err = pdump_dump_copy_tree(&copy);
 *     ...
 *     pdump_dump_copy_free(&copy);
 */
#ifndef PDUMP_DUMP_COPY_H
#define PDUMP_DUMP_COPY_H

#include "dump/builder.h"

struct pdump_dump_copy {
    struct pdump_builder *to;
    const struct pdump_dump *from;
    const bool *wanted; /* by process; NULL: all of them are copied */
    bool has_no_stacks; /* stacks are left out (stacks.h) */
    /* The new numbers, indexed by the numbers in the dump.  Set by the
     * functions below; freed by pdump_dump_copy_free(), also after an error. */
    int *metrics; /* -1: not copied; the same in all of them */
    int *regions;
    int *nodes;
    int *processes;
    int *threads;
};

/* Copies metrics, regions and nodes: those that the builder does not have. */
int pdump_dump_copy_tree(struct pdump_dump_copy *c);

/* Copies the wanted processes and their threads, which are always new. */
int pdump_dump_copy_threads(struct pdump_dump_copy *c);

/* Copies the tree, and the wanted threads with their rows, samples and
 * events.  The builder must already have all metrics, or have no rows yet. */
int pdump_dump_copy_records(struct pdump_dump_copy *c);

/* Copies the details of the copied threads.  A table whose fields differ from
 * the builder's is left out with a warning; so are rows of all ranks together
 * if `wanted` is given. */
int pdump_dump_copy_details(const struct pdump_dump_copy *c);

/* Copy what needs no numbers: see pdump_builder_metadata_more(). */
int pdump_dump_copy_metadata(const struct pdump_dump_copy *c);
int pdump_dump_copy_warnings(const struct pdump_dump_copy *c);

/* Copies everything that is wanted, except statistics over ranks. */
int pdump_dump_copy_wanted(struct pdump_dump_copy *c);

/* Copies everything in a dump except statistics over ranks. */
int pdump_dump_copy_all(struct pdump_builder *to,
                        const struct pdump_dump *from);

void pdump_dump_copy_free(struct pdump_dump_copy *c);

#endif
