/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The regions of a tree in the order in which a program would enter and leave
 * them: from the outside to the inside, and back.  Needs no stack, so a deep
 * recursion is no deep recursion here.
 */
#ifndef PDUMP_TREE_WALK_H
#define PDUMP_TREE_WALK_H

#include "dump/dump.h"

/* Starts as zeroes, ends with pdump_tree_walk_free(); may walk many trees. */
struct pdump_tree_walk {
    int *parent; /* of each place, or -1 */
    int *child;  /* the first one, or -1 */
    int *next;   /* of the same parent, or -1 */
    int n;
    int room;
    int at; /* where the last step led to; -1: before the first */
    int first;
    bool is_leaving;
};

/* The nodes of a dump; places are nodes. */
int pdump_tree_walk_nodes(struct pdump_tree_walk *w,
                          const struct pdump_dump *dump);

/* The rows of a thread: those from row `first` on, the number of which is
 * returned; places are counted from there. */
int64_t pdump_tree_walk_rows(struct pdump_tree_walk *w,
                             const struct pdump_dump *dump, int64_t first);

/* The next place, entered or left; -1 at the end. */
int pdump_tree_walk_step(struct pdump_tree_walk *w, bool *is_leaving);

void pdump_tree_walk_free(struct pdump_tree_walk *w);

#endif
