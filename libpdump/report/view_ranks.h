/* SPDX-License-Identifier: BSD-3-Clause */
/* The items of a view over the ranks of a job. */
#ifndef PDUMP_VIEW_RANKS_H
#define PDUMP_VIEW_RANKS_H

#include "dump/ranks.h"
#include "report/view.h"

struct pdump_view_ranks {
    /* Ranks that have a process in the dump; if it came with statistics, only
     * those that have rows, too. */
    struct pdump_ranks list;
    bool has_stats; /* the dump came with them */
    int n;          /* ranks that the statistics are over */
    /* Statistics: [item * (n_metrics + 1) + metric], the visits last.  n is 0
     * also where they cannot be known: a region in several places, of which the
     * dump has only statistics. */
    struct pdump_dump_rank_stat *stats;
    int metric; /* the one that `values` are of, or -1 */
    /* What each rank has: [item * list.n + i], perhaps missing. */
    int64_t *values;
};

/* Is there anything to say about ranks?  Several of them, or statistics. */
PDUMP_SHARED bool pdump_view_has_ranks(const struct pdump_view *view);

/* Given: pdump_view_ranks_free().  Not for a view by thread. */
PDUMP_SHARED int pdump_view_ranks_new(const struct pdump_view *view, int metric,
                                      struct pdump_view_ranks **out);
PDUMP_SHARED void pdump_view_ranks_free(struct pdump_view_ranks *ranks);

/* Of a metric of an item; `metric` n_metrics is the visits.  Borrowed. */
PDUMP_SHARED const struct pdump_dump_rank_stat *pdump_view_ranks_stat(
    const struct pdump_view *view, const struct pdump_view_ranks *ranks,
    int item, int metric);

/* The largest value of the ranks in part `cell` of `n_cells`, over the largest
 * of all ranks: 0 to 1, NAN if none of the part has one. */
PDUMP_SHARED double pdump_view_ranks_level(const struct pdump_view *view,
                                           const struct pdump_view_ranks *ranks,
                                           int item, int cell, int n_cells);

#endif
