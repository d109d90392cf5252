/* SPDX-License-Identifier: BSD-3-Clause */
/* The regions of a session: each name is stored once, and found without a lock.
 */
#ifndef PDUMP_REGION_H
#define PDUMP_REGION_H

#include "config/filter.h"
#include "store/store.h"
#include "store/store_layout.h"

#include <pthread.h>

enum {
    PDUMP_NAME_MAX = 65535,
    PDUMP_ID_CHUNK = 65536, /* ids; memory that is not used yet costs nothing */
    PDUMP_ID_CHUNKS = 256,  /* 16 M names */
};

struct pdump_name_table; /* a hash table; replaced, never moved */

struct pdump_regions {
    struct pdump_store *store;
    char *base;
    _Atomic uint32_t *list; /* in the head of the store */
    _Atomic(struct pdump_name_table *) table;
    _Atomic(uint32_t *) chunks[PDUMP_ID_CHUNKS]; /* refs, by id */
    _Atomic uint32_t n;
    const struct pdump_filter *filter; /* for new regions; or NULL */
    uint32_t max;
    uint32_t overflow;        /* ref of the region for all names beyond max */
    _Atomic uint64_t refused; /* names that were put there */
    pthread_mutex_t lock;
};

int pdump_regions_open(struct pdump_regions *regions, struct pdump_store *store,
                       _Atomic uint32_t *list, uint32_t max);
void pdump_regions_close(struct pdump_regions *regions);

/* Returns the ref of a known region, or 0.  Takes no lock. */
uint32_t pdump_regions_find(const struct pdump_regions *regions,
                            const char *name, size_t len,
                            enum pdump_group group);

/* Find the ref of a region, made if new (file NULL: unknown); the overflow
 * region if there is no room.  PDUMP_EINVAL for a bad name. */
int pdump_regions_add(struct pdump_regions *regions, const char *name,
                      size_t len, enum pdump_group group, const char *file,
                      int line, uint32_t *out);

/* Returns the ref of the region with the number `id`, or 0. */
static inline uint32_t pdump_regions_at(const struct pdump_regions *regions,
                                        unsigned id)
{
    if (id - 1 >= atomic_load_explicit(&regions->n, memory_order_acquire))
        return 0;
    return atomic_load_explicit(&regions->chunks[id / PDUMP_ID_CHUNK],
                                memory_order_relaxed)[id % PDUMP_ID_CHUNK];
}

#endif
