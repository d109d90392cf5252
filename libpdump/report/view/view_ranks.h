/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a view's items over the ranks of a job. */
#ifndef PDUMP_VIEW_RANKS_H
#define PDUMP_VIEW_RANKS_H

#include "dump/ranks.h"
#include "report/view/view.h"

struct pdump_view_ranks {
    /* Ranks that have a process in the dump; if the dump has statistics, only
     * those that also have rows. */
    struct pdump_ranks list;
    bool has_stats; /* the dump has statistics over ranks */
    int n;          /* number of ranks in the statistics */
    /* Statistics: [item * (n_metrics + 1) + metric], the visits last.  Their n
     * is 0 also if they cannot be known: the item has several nodes, for which
     * the dump has only statistics. */
    struct pdump_dump_rank_stat *stats;
    int metric; /* metric of `values`, or -1 */
    /* The value of each rank: [item * list.n + i], may be PDUMP_MISSING. */
    int64_t *values;
};

/* Returns true if the dump has several ranks, or statistics over ranks. */
PDUMP_SHARED bool pdump_view_has_ranks(const struct pdump_view *view);

/* Makes the figures; not for a view by thread.  Given:
 * pdump_view_ranks_free(). */
PDUMP_SHARED int pdump_view_ranks_new(const struct pdump_view *view, int metric,
                                      struct pdump_view_ranks **out);
PDUMP_SHARED void pdump_view_ranks_free(struct pdump_view_ranks *ranks);

/* Returns the statistics of an item and metric; `metric` n_metrics means the
 * visits.  Borrowed. */
PDUMP_SHARED const struct pdump_dump_rank_stat *pdump_view_ranks_stat(
    const struct pdump_view *view, const struct pdump_view_ranks *ranks,
    int item, int metric);

/* Returns the largest value of the ranks in part `cell` of `n_cells`, divided
 * by the largest of all ranks: 0 to 1, NAN if no rank of the part has a
 * value. */
PDUMP_SHARED double pdump_view_ranks_level(const struct pdump_view *view,
                                           const struct pdump_view_ranks *ranks,
                                           int item, int cell, int n_cells);

#endif
