/* SPDX-License-Identifier: BSD-3-Clause */
/* Corrects the measured figures of a thread. */
#include "base/error.h"
#include "base/round.h"
#include "snapshot/snapshot_private.h"

#include <stdlib.h>

static struct pdump_stat *stat_of(const struct pdump_snapshot_nodes *items,
                                  int i, uint32_t m)
{
    return pdump_snapshot_nodes_stats(items, i) + m;
}

int pdump_snapshot_fit(const struct pdump_snapshot_nodes *items, uint32_t m)
{
    double *inside = calloc((size_t)items->n, sizeof(*inside));

    if (!inside)
        return pdump_no_memory();
    for (int i = 1; i < items->n; i++)
        inside[items->list[i].parent] += (double)stat_of(items, i, m)->sum;
    for (int i = 1; i < items->n; i++) {
        int parent = items->list[i].parent;
        double room = (double)stat_of(items, parent, m)->sum, ratio;
        struct pdump_stat *stat = stat_of(items, i, m);

        if (parent == 0 || !(inside[parent] > room) || room < 0)
            continue;
        ratio = room / inside[parent];
        stat->sum = (int64_t)((double)stat->sum * ratio);
        stat->sumsq *= ratio;
    }
    free(inside);
    return PDUMP_OK;
}

/* Subtracts `cost`, spread evenly over the visits; the sum does not fall below
 * `least`, the sum of the items inside. */
static void stat_lessen(struct pdump_stat *stat, uint64_t visits, double cost,
                        int64_t least)
{
    double before = (double)stat->sum, each, n;

    if (stat->sum <= least || !(cost > 0))
        return;
    stat->sum =
        cost < before - (double)least ? stat->sum - pdump_round(cost) : least;
    if (visits == 0 || stat->min > stat->max)
        return;
    n = (double)visits;
    each = (before - (double)stat->sum) / n;
    stat->min = (double)stat->min > each ? stat->min - pdump_round(each) : 0;
    stat->max = (double)stat->max > each ? stat->max - pdump_round(each) : 0;
    if (stat->max < stat->min)
        stat->max = stat->min;
    stat->sumsq += n * each * each - 2 * each * before;
    if (stat->sumsq < (double)stat->sum * (double)stat->sum / n)
        stat->sumsq = (double)stat->sum * (double)stat->sum / n;
}

/* Visits that were measured, including one that is still open. */
static double n_visits(const struct pdump_snapshot_nodes *items, int i,
                       uint32_t m)
{
    return (double)items->list[i].visits + (items->list[i].read >> m & 1);
}

/* Returns true if no counters were read in its visits. */
static bool is_timed(const struct pdump_snapshot_nodes *items, int i)
{
    return items->n_stats > 1 && !pdump_snapshot_nodes_is_known(items, i, 1);
}

int pdump_snapshot_subtract(const struct pdump_snapshot_nodes *items,
                            uint32_t m, struct pdump_cost cost)
{
    double *inside = calloc((size_t)items->n, sizeof(*inside));
    int64_t *least = calloc((size_t)items->n, sizeof(*least));
    int err = inside && least ? PDUMP_OK : pdump_no_memory();

    /* From the leaves up: `inside` is the cost of the visits inside an item,
     * `least` is the sum that remains for them. */
    for (int i = items->n - 1; err >= 0 && i > 0; i--) {
        struct pdump_stat *stat = stat_of(items, i, m);
        bool is_known = m == 0 || pdump_snapshot_nodes_is_known(items, i, m);
        struct pdump_cost visit =
            m == 0 && items->list[i].own.counted ? items->list[i].own : cost;
        int64_t each = is_timed(items, i) ? visit.timed : visit.counted;
        double own = n_visits(items, i, m);
        int parent = items->list[i].parent;

        if (is_known)
            stat_lessen(stat, items->list[i].visits,
                        inside[i] + own * (double)visit.inside, least[i]);
        inside[parent] += inside[i] + own * (double)each;
        least[parent] =
            pdump_snapshot_plus(least[parent], is_known ? stat->sum : least[i]);
    }
    free(inside);
    free(least);
    return err;
}

struct pdump_snapshot_cut pdump_snapshot_bound(
    const struct pdump_snapshot_nodes *items, uint32_t m, double ratio)
{
    struct pdump_snapshot_cut cut = { 0, 0 };

    for (int i = 1; i < items->n; i++) {
        double most = ratio * (double)stat_of(items, i, 0)->sum;
        struct pdump_stat *stat = stat_of(items, i, m);
        int64_t before = stat->sum;

        if (most >= 0)
            stat_lessen(stat, items->list[i].visits, (double)before - most, 0);
        cut.rows += stat->sum != before;
        cut.sum += (double)before - (double)stat->sum;
    }
    return cut;
}
