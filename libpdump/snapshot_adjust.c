/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures of a thread that are not left as they were measured. */
#include "snapshot_adjust.h"
#include "error.h"

#include <math.h>
#include <stdlib.h>

static struct pdump_stat *stat_of(const struct pdump_snapshot_items *items,
                                  int i, uint32_t m)
{
    return pdump_snapshot_items_stats(items, i) + m;
}

int pdump_snapshot_fit(const struct pdump_snapshot_items *items, uint32_t m)
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

/* Every visit is shorter by the same, about; `least` is what is inside. */
static void shorten(struct pdump_stat *time, uint64_t visits, double cost,
                    int64_t least)
{
    double before = (double)time->sum, each, n;

    if (time->sum <= least)
        return;
    time->sum =
        cost < before - (double)least ? time->sum - llround(cost) : least;
    if (visits == 0 || time->min > time->max)
        return;
    n = (double)visits;
    each = (before - (double)time->sum) / n;
    time->min = (double)time->min > each ? time->min - llround(each) : 0;
    time->max = (double)time->max > each ? time->max - llround(each) : 0;
    if (time->max < time->min)
        time->max = time->min;
    time->sumsq = fmax(time->sumsq - 2 * each * before + n * each * each,
                       (double)time->sum * (double)time->sum / n);
}

int pdump_snapshot_subtract(const struct pdump_snapshot_items *items,
                            int64_t pair, int64_t inside)
{
    double *visits = calloc((size_t)items->n, sizeof(*visits));
    int64_t *least = calloc((size_t)items->n, sizeof(*least));
    int err = visits && least ? PDUMP_OK : pdump_no_memory();

    /* From the leaves up: visits inside, and their time after this. */
    for (int i = items->n - 1; err >= 0 && i > 0; i--) {
        struct pdump_stat *time = stat_of(items, i, 0);
        double own = (double)items->list[i].visits;
        int parent = items->list[i].parent;

        shorten(time, items->list[i].visits,
                visits[i] * (double)pair + own * (double)inside, least[i]);
        visits[parent] += visits[i] + own;
        least[parent] =
            (int64_t)((uint64_t)least[parent] + (uint64_t)time->sum);
    }
    free(visits);
    free(least);
    return err;
}
