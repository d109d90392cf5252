/* SPDX-License-Identifier: BSD-3-Clause */
/* The nodes of one thread: found by name or region under a parent. */
#ifndef PDUMP_TREE_H
#define PDUMP_TREE_H

#include "record/region.h"

#include <stdbool.h>

/* For one thread only.  The nodes are in the store, the tables to find them are
 * not. */
struct pdump_tree {
    char *base;
    uint32_t *by_name; /* a cache, by the address of the name and the parent */
    uint32_t *by_region; /* hash table, by parent and region */
    uint32_t mask;       /* of both */
    int shift;           /* 64 minus the bits of mask */
    uint32_t n_nodes;
    uint32_t n_metrics;
    uint32_t root;
    uint32_t overflow; /* node for regions without memory */
    struct pdump_arena *arena;
    struct pdump_regions *regions;
};

/* Open a tree with a root node and, below it, the overflow node. */
int pdump_tree_open(struct pdump_tree *tree, struct pdump_arena *arena,
                    struct pdump_regions *regions, uint32_t n_metrics);
void pdump_tree_close(struct pdump_tree *tree);

/* Returns the child of `parent` for a region, made if new; the overflow node if
 * out of memory.  Nodes with different `flags` are different. */
uint32_t pdump_tree_child(struct pdump_tree *tree, uint32_t parent,
                          uint32_t region, uint32_t flags);

static inline struct pdump_node *pdump_tree_at(const struct pdump_tree *tree,
                                               uint32_t ref)
{
    return pdump_store_at(tree->base, ref);
}

static inline const struct pdump_region_record *pdump_tree_region(
    const struct pdump_tree *tree, const struct pdump_node *node)
{
    return pdump_store_at(tree->base, node->region);
}

/* Returns the cache slot of the node for a name at this address under this
 * parent. */
static inline uint32_t *pdump_tree_guess(const struct pdump_tree *tree,
                                         uint32_t parent, const void *name)
{
    uint64_t key = (uint64_t)(uintptr_t)name + ((uint64_t)parent << 32);

    return &tree->by_name[key * UINT64_C(0x9e3779b97f4a7c15) >> tree->shift];
}

#endif
