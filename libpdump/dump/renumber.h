/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps the numbers of one dump to those in a union of several. */
#ifndef PDUMP_RENUMBER_H
#define PDUMP_RENUMBER_H

#include "dump/builder.h"

/* New numbers, indexed by the numbers in the dump.  Starts as zeroes, ends with
 * pdump_renumber_free(), also after an error. */
struct pdump_renumber {
    int *metrics;
    int *regions;
    int *nodes;
    int *processes;
    int *threads;
};

/* Maps metrics, regions and nodes.  Adds those that the builder does not
 * have. */
int pdump_renumber_tree(struct pdump_builder *b, const struct pdump_dump *dump,
                        struct pdump_renumber *p);

/* Maps processes and threads, which are always new. */
int pdump_renumber_threads(struct pdump_builder *b,
                           const struct pdump_dump *dump,
                           struct pdump_renumber *p);

/* Adds the tables of details, with their nodes and threads mapped.  A table
 * whose fields differ from the builder's is left out with a warning. */
int pdump_renumber_details(struct pdump_builder *b,
                           const struct pdump_dump *dump,
                           const struct pdump_renumber *p);

void pdump_renumber_free(struct pdump_renumber *p);

#endif
