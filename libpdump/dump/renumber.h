/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers that the things of one dump have in a union of several. */
#ifndef PDUMP_RENUMBER_H
#define PDUMP_RENUMBER_H

#include "dump/builder.h"

/* By the number in the dump.  Starts as zeroes, ends with
 * pdump_renumber_free(), also after an error. */
struct pdump_renumber {
    int *metrics;
    int *regions;
    int *nodes;
    int *processes;
    int *threads;
};

/* Metrics, regions and nodes: those that the builder has not are added. */
int pdump_renumber_tree(struct pdump_builder *b, const struct pdump_dump *dump,
                        struct pdump_renumber *p);

/* Processes and threads, which are always new. */
int pdump_renumber_threads(struct pdump_builder *b,
                           const struct pdump_dump *dump,
                           struct pdump_renumber *p);

/* The tables of details, whose nodes and threads are placed.  One that has
 * other fields than the builder's costs a warning. */
int pdump_renumber_details(struct pdump_builder *b,
                           const struct pdump_dump *dump,
                           const struct pdump_renumber *p);

void pdump_renumber_free(struct pdump_renumber *p);

#endif
