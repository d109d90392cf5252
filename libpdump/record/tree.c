/* SPDX-License-Identifier: BSD-3-Clause */
/* The nodes of one thread: found by name or region under a parent. */
#include "record/tree.h"
#include "system/kernel_memory.h"

#include <string.h>

enum { TABLE_BITS_MIN = 9 /* a page for both tables */ };

static uint32_t node_home(const struct pdump_tree *t, uint32_t parent,
                          uint32_t region)
{
    uint64_t key = (uint64_t)parent << 32 | region;

    return (uint32_t)(key * UINT64_C(0xd6e8feb86659fd93) >> t->shift);
}

/* Returns the slot of a node, or the free slot for it. */
static uint32_t *node_slot(const struct pdump_tree *t, uint32_t parent,
                           uint32_t region, uint32_t flags)
{
    for (uint32_t i = node_home(t, parent, region);; i = (i + 1) & t->mask) {
        uint32_t ref = t->by_region[i];
        const struct pdump_node *node;

        if (!ref)
            return &t->by_region[i];
        node = pdump_tree_at(t, ref);
        if (node->parent == parent && node->region == region &&
            node->flags == flags)
            return &t->by_region[i];
    }
}

/* The bytes of both tables, which are one block. */
static size_t tables_size(uint32_t mask)
{
    return 2 * ((size_t)mask + 1) * sizeof(uint32_t);
}

/* Make tables of 2^bits slots; the cache starts empty.  A new node may be one
 * of a signal handler. */
static bool tree_resize(struct pdump_tree *t, int bits)
{
    uint32_t mask = (UINT32_C(1) << bits) - 1, old_mask = t->mask;
    uint32_t *old_block = t->by_name, *old = t->by_region;
    uint32_t *block = pdump_kernel_memory_get(tables_size(mask));

    if (!block)
        return false;
    t->by_name = block;
    t->by_region = block + mask + 1;
    t->mask = mask;
    t->shift = 64 - bits;
    for (uint32_t i = 0; old && i <= old_mask; i++) {
        const struct pdump_node *node = pdump_tree_at(t, old[i]);

        if (old[i])
            *node_slot(t, node->parent, node->region, node->flags) = old[i];
    }
    pdump_kernel_memory_free(old_block, tables_size(old_mask));
    return true;
}

static uint32_t node_make(struct pdump_tree *t, uint32_t parent,
                          uint32_t region, uint32_t flags)
{
    struct pdump_node *node, *above;
    uint32_t ref;

    if ((t->n_nodes + 1) * 4 > t->mask * UINT64_C(3) &&
        !tree_resize(t, 64 - t->shift + 1))
        return 0;
    ref = pdump_arena_alloc(t->arena,
                            sizeof(*node) + t->n_metrics * sizeof(*node->stat));
    if (!ref)
        return 0;
    node = pdump_tree_at(t, ref);
    node->parent = parent;
    node->region = region;
    node->flags = flags;
    for (uint32_t i = 0; i < t->n_metrics; i++) {
        node->stat[i].min = INT64_MAX;
        node->stat[i].max = INT64_MIN;
    }
    *node_slot(t, parent, region, flags) = ref;
    t->n_nodes++;
    if (parent) {
        above = pdump_tree_at(t, parent);
        node->sibling = above->child;
        atomic_store_explicit(&above->child, ref, memory_order_release);
    }
    return ref;
}

uint32_t pdump_tree_child(struct pdump_tree *t, uint32_t parent,
                          uint32_t region, uint32_t flags)
{
    uint32_t ref = *node_slot(t, parent, region, flags);

    if (!ref)
        ref = node_make(t, parent, region, flags);
    return ref ? ref : t->overflow;
}

int pdump_tree_open(struct pdump_tree *t, struct pdump_arena *arena,
                    struct pdump_regions *regions, uint32_t n_metrics)
{
    memset(t, 0, sizeof(*t));
    t->base = regions->base;
    t->arena = arena;
    t->regions = regions;
    t->n_metrics = n_metrics;
    if (tree_resize(t, TABLE_BITS_MIN))
        t->root = node_make(t, 0, 0, 0);
    if (t->root)
        t->overflow = node_make(t, t->root, regions->overflow, 0);
    if (!t->overflow) {
        pdump_tree_close(t);
        return pdump_no_memory();
    }
    return PDUMP_OK;
}

void pdump_tree_close(struct pdump_tree *t)
{
    pdump_kernel_memory_free(t->by_name, tables_size(t->mask));
    memset(t, 0, sizeof(*t));
}
