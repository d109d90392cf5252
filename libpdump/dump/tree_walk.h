/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Walks a tree in the order in which a program enters and leaves its regions:
 * from the outside to the inside, and back.  Uses no recursion, so any depth is
 * safe.
 */
#ifndef PDUMP_TREE_WALK_H
#define PDUMP_TREE_WALK_H

#include "dump/dump.h"

/* Starts as zeroes, ends with pdump_tree_walk_free(); may walk many trees. */
struct pdump_tree_walk {
    int *parent; /* of each place, or -1 */
    int *child;  /* its first child, or -1 */
    int *next;   /* its next sibling, or -1 */
    int n;
    int room;
    int at; /* place of the last step; -1: before the first */
    int first;
    bool is_leaving;
};

/* Prepares a walk over the nodes of a dump; places are nodes. */
int pdump_tree_walk_nodes(struct pdump_tree_walk *w,
                          const struct pdump_dump *dump);

/* Prepares a walk over the rows of one thread, which begin at row `first`.
 * Returns their number.  Places are rows counted from `first`. */
int64_t pdump_tree_walk_rows(struct pdump_tree_walk *w,
                             const struct pdump_dump *dump, int64_t first);

/* Enters or leaves the next place and returns it; -1 at the end. */
int pdump_tree_walk_step(struct pdump_tree_walk *w, bool *is_leaving);

void pdump_tree_walk_free(struct pdump_tree_walk *w);

#endif
