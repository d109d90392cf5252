/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what an empty region costs, with a recorder of its own. */
#include "record/calibrate.h"
#include "base/metric_name.h"
#include "record/recorder_hot.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 8, PAIRS = 32, MEMORY = 1024 * 1024 };

static void region_visit(struct pdump_recorder *r, const char *name)
{
    pdump_recorder_begin(r, name);
    pdump_recorder_end(r, name);
}

/* Keep the least value: the other rounds were disturbed. */
static void keep_least(int64_t *least, int64_t value, int round)
{
    if (round == 0 || value < *least)
        *least = value;
}

/* Measure what PAIRS empty visits, and one more read of the counters, add to
 * each metric of the enclosing region. */
static void try_around(struct pdump_recorder *r, const char *name,
                       int64_t *least)
{
    for (int i = 0; i < ROUNDS; i++) {
        int64_t before[PDUMP_METRICS_MAX] = { 0 };
        int64_t after[PDUMP_METRICS_MAX] = { 0 };
        int64_t now;

        pdump_hot_read(r, before, true);
        before[0] = pdump_clock_now();
        for (int j = 0; j < PAIRS; j++)
            region_visit(r, name);
        now = pdump_clock_now();
        pdump_hot_read(r, after, false);
        after[0] = now;
        for (uint32_t m = 0; m < r->n_metrics; m++)
            keep_least(&least[m], after[m] - before[m], i);
    }
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static int64_t value_median(int64_t *values)
{
    qsort(values, PAIRS, sizeof(*values), by_value);
    return values[PAIRS / 2];
}

/* Measure what an empty visit adds to its own metrics.  Uses the median: the
 * minimum is too low to correct sums, because most visits have more; and one
 * interrupt would distort the mean. */
static void try_inside(struct pdump_recorder *r, const char *name,
                       int64_t *least)
{
    int64_t values[PDUMP_METRICS_MAX][PAIRS];
    const struct pdump_node *node;

    region_visit(r, name); /* makes its node, the newest */
    node = pdump_tree_at(&r->tree, r->tree.root);
    node = pdump_tree_at(&r->tree, node->child);
    for (int i = 0; i < ROUNDS; i++) {
        for (int j = 0; j < PAIRS; j++) {
            for (uint32_t m = 0; m < r->n_metrics; m++)
                values[m][j] = -node->stat[m].sum;
            region_visit(r, name);
            for (uint32_t m = 0; m < r->n_metrics; m++)
                values[m][j] += node->stat[m].sum;
        }
        for (uint32_t m = 0; m < r->n_metrics; m++)
            keep_least(&least[m], value_median(values[m]), i);
    }
}

static int64_t per_visit(int64_t sum)
{
    return sum > 0 ? sum / PAIRS : 0;
}

static struct pdump_cost cost_of(int64_t counted, int64_t timed, int64_t inside,
                                 bool is_time)
{
    int64_t more = is_time ? 0 : inside; /* the additional read */
    struct pdump_cost cost = { per_visit(counted - more),
                               per_visit(timed - more),
                               inside > 0 ? inside : 0 };

    if (is_time && inside > cost.counted)
        cost.inside = cost.counted;
    return cost;
}

static void costs_compare(struct pdump_recorder *r,
                          struct pdump_recording *shared,
                          struct pdump_cost *cost)
{
    const struct pdump_metric *metric = shared->sources->metric;
    int64_t inside[PDUMP_METRICS_MAX], every = shared->counters_every;
    int64_t counted[PDUMP_METRICS_MAX], timed[PDUMP_METRICS_MAX];

    /* What a visit with counters adds to itself does not depend on how many
     * visits have counters. */
    shared->counters_every = 1;
    try_inside(r, "inside", inside);
    shared->counters_every = every;
    try_around(r, "counted", counted);
    r->way = 0;
    try_around(r, "timed", timed);
    for (uint32_t m = 0; m < r->n_metrics; m++)
        if (metric[m].kind == PDUMP_COUNTER &&
            !pdump_metric_may_decrease(metric[m].name) &&
            !(r->record->missing >> m & 1))
            cost[m] = cost_of(counted[m], timed[m], inside[m], m == 0);
}

void pdump_calibrate(const struct pdump_sources *sources,
                     int64_t counters_every, struct pdump_cost *cost)
{
    struct pdump_recording recording = { .sources = sources,
                                         .depth_max = 2,
                                         .counters_every = counters_every };
    struct pdump_regions regions;
    struct pdump_recorder r;

    memset(cost, 0, (size_t)sources->n_metrics * sizeof(*cost));
    if (pdump_store_open(&recording.store, MEMORY, sizeof(struct pdump_head)) <
        0)
        return;
    recording.head = (void *)pdump_store_base(recording.store);
    recording.regions = &regions;
    if (pdump_regions_open(&regions, recording.store, &recording.head->regions,
                           16) >= 0) {
        if (pdump_recorder_open(&r, &recording) >= 0) {
            costs_compare(&r, &recording, cost);
            pdump_recorder_close(&r);
        }
        pdump_regions_close(&regions);
    }
    pdump_store_close(recording.store);
}
