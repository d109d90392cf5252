/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PDUMP_THROTTLE: stops recording short regions that are visited very often.
 *
 * While it is on, no visit takes the hot path: each is checked at its end.  A
 * region that is throttled is treated as if a filter excluded it, and its
 * visits are counted.
 */
#ifndef PDUMP_THROTTLE_H
#define PDUMP_THROTTLE_H

#include "store/store.h"
#include "store/store_layout.h"

#include <pthread.h>
#include <stdbool.h>

struct pdump_throttle {
    struct pdump_store *store;
    const char *text; /* as the user wrote it */
    int64_t visits;   /* 0: off */
    int64_t ticks;
    pthread_mutex_t lock;
};

/* `text` is the value of PDUMP_THROTTLE, borrowed as long as the session; a bad
 * one costs a warning.  `scale` is the length of a tick in ns. */
void pdump_throttle_open(struct pdump_throttle *t, struct pdump_store *store,
                         const char *text, double scale);
void pdump_throttle_close(struct pdump_throttle *t);

/* Count a visit of the region that took `ticks`, and throttle the region if its
 * visits are too many and too short. */
void pdump_throttle_judge(struct pdump_throttle *t, uint32_t region,
                          int64_t ticks);

static inline struct pdump_throttle_record *pdump_throttle_of(
    char *base, const struct pdump_region_record *region)
{
    return pdump_store_at(
        base, atomic_load_explicit(&region->throttle, memory_order_acquire));
}

/* Returns true if the region is throttled. */
static inline bool pdump_throttle_is_out(
    char *base, const struct pdump_region_record *region)
{
    return region->throttle &&
           atomic_load_explicit(&pdump_throttle_of(base, region)->is_out,
                                memory_order_relaxed);
}

/* Returns true if this visit is not to be recorded because the region is
 * throttled, and counts it. */
static inline bool pdump_throttle_takes(
    char *base, const struct pdump_region_record *region)
{
    if (!pdump_throttle_is_out(base, region))
        return false;
    atomic_fetch_add_explicit(&pdump_throttle_of(base, region)->lost, 1,
                              memory_order_relaxed);
    return true;
}

#endif
