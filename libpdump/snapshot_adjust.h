/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures of a thread that are not left as they were measured. */
#ifndef PDUMP_SNAPSHOT_ADJUST_H
#define PDUMP_SNAPSHOT_ADJUST_H

#include "snapshot_items.h"

/* PDUMP_COUNTERS_EVERY: the sums of metric `m` are estimates, and those inside
 * of an item may be more than it has.  Who is further out was counted for
 * longer and is right: what is inside is made smaller. */
int pdump_snapshot_fit(const struct pdump_snapshot_items *items, uint32_t m);

/* PDUMP_OVERHEAD=subtract: take out of the time of every item what the visits
 * in it cost, `pair` ticks each, and its own visits, `inside` ticks each.  No
 * figure falls below 0, and no sum below what is inside. */
int pdump_snapshot_subtract(const struct pdump_snapshot_items *items,
                            int64_t pair, int64_t inside);

#endif
