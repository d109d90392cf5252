/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the rows of a thread's details are: a hash table of refs. */
#ifndef PDUMP_DETAIL_INDEX_H
#define PDUMP_DETAIL_INDEX_H

#include "base/error.h"
#include "store/store.h"
#include "store/store_layout.h"

#include <stdbool.h>

/* Starts as zeroes.  One thread only. */
struct pdump_detail_index {
    uint32_t *slots;
    uint32_t mask;
    uint32_t n;
    uint32_t spare;   /* list of rows of no node (detail_row.c) */
    uint32_t n_given; /* rows that were made there */
};

void pdump_detail_index_free(struct pdump_detail_index *map);

/* Add a record at `ref` of the store that is at `base`; -1 without memory. */
int pdump_detail_index_put(struct pdump_detail_index *map, char *base,
                           uint32_t ref);

/* The record at `by`, which is like the one at `ref`, takes its place. */
void pdump_detail_index_replace(struct pdump_detail_index *map, char *base,
                                uint32_t ref, uint32_t by);

static inline uint32_t pdump_detail_hash(uint32_t node, uint32_t table,
                                         uint64_t key)
{
    uint64_t h =
        (key ^ (uint64_t)node << 32 ^ table) * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)(h >> 32);
}

static inline bool pdump_detail_is(const struct pdump_detail_record *rec,
                                   uint32_t node, uint32_t table, uint64_t key)
{
    return !((rec->key ^ key) | (rec->node ^ node) | (rec->table ^ table));
}

/* The ref of a row, or 0. */
uint32_t pdump_detail_index_find(const struct pdump_detail_index *map,
                                 char *base, uint32_t node, uint32_t table,
                                 uint64_t key);

/* Is it where it is looked for first?  Most rows are.  (An empty slot is ref 0:
 * the head of the store, which is no such row.) */
static inline bool pdump_detail_index_guess(
    const struct pdump_detail_index *map, char *base, uint32_t node,
    uint32_t table, uint64_t key, uint32_t *ref)
{
    if (__builtin_expect(!map->slots, 0))
        return false;
    *ref = map->slots[pdump_detail_hash(node, table, key) & map->mask];
    return pdump_detail_is(pdump_store_at(base, *ref), node, table, key);
}

#endif
