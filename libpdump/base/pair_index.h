/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table from a pair of integers to a position in an array.  Inline,
 * because keys are small and lookups are frequent. */
#ifndef PDUMP_PAIR_INDEX_H
#define PDUMP_PAIR_INDEX_H

#include "base/error.h"

#include <stdint.h>
#include <stdlib.h>

struct pdump_pair_index_slot {
    int64_t a;
    int64_t b;
    int64_t position; /* plus one; 0: free */
};

/* Starts as zeroes, ends with pdump_pair_index_free(). */
struct pdump_pair_index {
    struct pdump_pair_index_slot *slots;
    size_t n_slots; /* a power of two */
    size_t n;
};

static inline struct pdump_pair_index_slot *pdump_pair_index_slot(
    const struct pdump_pair_index *index, int64_t a, int64_t b)
{
    uint64_t h = (uint64_t)a * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)b;
    size_t mask = index->n_slots - 1;

    h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    for (size_t i = (h ^ h >> 33) & mask;; i = (i + 1) & mask) {
        struct pdump_pair_index_slot *slot = &index->slots[i];

        if (!slot->position || (slot->a == a && slot->b == b))
            return slot;
    }
}

/* Returns the position stored under (a, b), or -1. */
static inline int64_t pdump_pair_index_find(
    const struct pdump_pair_index *index, int64_t a, int64_t b)
{
    return index->n ? pdump_pair_index_slot(index, a, b)->position - 1 : -1;
}

/* Store `position` under (a, b), replacing any other. 0 or PDUMP_ENOMEM. */
static inline int pdump_pair_index_put(struct pdump_pair_index *index,
                                       int64_t a, int64_t b, int64_t position)
{
    struct pdump_pair_index_slot *slot;

    if (2 * index->n >= index->n_slots) {
        struct pdump_pair_index old = *index;
        size_t n = old.n_slots ? 2 * old.n_slots : 64;

        slot = calloc(n, sizeof(*slot));
        if (!slot)
            return pdump_no_memory();
        index->slots = slot;
        index->n_slots = n;
        for (size_t i = 0; i < old.n_slots; i++)
            if (old.slots[i].position)
                *pdump_pair_index_slot(index, old.slots[i].a, old.slots[i].b) =
                    old.slots[i];
        free(old.slots);
    }
    slot = pdump_pair_index_slot(index, a, b);
    index->n += !slot->position;
    *slot = (struct pdump_pair_index_slot){ a, b, position + 1 };
    return PDUMP_OK;
}

static inline void pdump_pair_index_free(struct pdump_pair_index *index)
{
    free(index->slots);
    *index = (struct pdump_pair_index){ 0 };
}

#endif
