/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures of a thread that are not left as they were measured. */
#ifndef PDUMP_SNAPSHOT_ADJUST_H
#define PDUMP_SNAPSHOT_ADJUST_H

#include "snapshot/snapshot_nodes.h"

/* PDUMP_COUNTERS_EVERY: the sums of metric `m` are estimates, and those inside
 * of an item may be more than it has.  Who is further out was counted for
 * longer and is right: what is inside is made smaller. */
int pdump_snapshot_fit(const struct pdump_snapshot_nodes *items, uint32_t m);

/* Subtract from metric `m` of every item the cost of the visits inside it, and
 * what its own visits add to themselves.  No figure falls below 0, and no sum
 * below the sum of the items inside. */
int pdump_snapshot_subtract(const struct pdump_snapshot_nodes *items,
                            uint32_t m, struct pdump_cost cost);

/* What was cut: how many items, and how much in all. */
struct pdump_snapshot_cut {
    uint64_t rows;
    double sum; /* in units of the metric's source */
};

/* Metric `m` is CPU time, with `ratio` units per tick.  Cut it to the elapsed
 * time: a thread cannot use more, so the excess comes from reading the counter,
 * which took longer than it did when it was calibrated. */
struct pdump_snapshot_cut pdump_snapshot_bound(
    const struct pdump_snapshot_nodes *items, uint32_t m, double ratio);

#endif
