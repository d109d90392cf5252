/* SPDX-License-Identifier: BSD-3-Clause */
/* An index of the rows of a thread's details: a hash table of refs. */
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
    uint32_t spare;   /* list of rows without a node (detail_row.c) */
    uint32_t n_given; /* rows allocated by detail_row.c */
};

void pdump_detail_index_free(struct pdump_detail_index *map);

/* Add the record at `ref` of the store at `base`; -1 if out of memory. */
int pdump_detail_index_put(struct pdump_detail_index *map, char *base,
                           uint32_t ref);

/* Replace the record at `ref` by the one at `by`, which has the same key. */
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

/* Returns the ref of a row, or 0. */
uint32_t pdump_detail_index_find(const struct pdump_detail_index *map,
                                 char *base, uint32_t node, uint32_t table,
                                 uint64_t key);

/* Look for a row in its first slot only, where most rows are.  Returns false if
 * it is not there.  (An empty slot contains ref 0, the head of the store, which
 * does not match any row.) */
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
