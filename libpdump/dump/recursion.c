/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds recursion in a tree of nodes. */
#include "dump/recursion.h"
#include "dump/tree_walk.h"

#include <stdlib.h>

/* `open` counts the nodes of each kind between the root and the current
 * node. */
int pdump_recursion_mark(const struct pdump_dump *dump, const int *kind,
                         int n_kinds, bool *is_inner)
{
    int *open = calloc((size_t)n_kinds + 1, sizeof(*open));
    struct pdump_tree_walk walk = { 0 };
    int node,
        err = open ? pdump_tree_walk_nodes(&walk, dump) : pdump_no_memory();
    bool is_leaving;

    while (err >= 0 && (node = pdump_tree_walk_step(&walk, &is_leaving)) >= 0) {
        if (kind[node] >= 0 && is_leaving)
            open[kind[node]]--;
        else if (!is_leaving)
            is_inner[node] = kind[node] >= 0 && open[kind[node]]++ > 0;
    }
    pdump_tree_walk_free(&walk);
    free(open);
    return err;
}
