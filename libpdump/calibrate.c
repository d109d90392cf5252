/* SPDX-License-Identifier: BSD-3-Clause */
/* What a region costs by itself: a recorder of its own tries it out. */
#include "calibrate.h"
#include "recorder.h"

#include <string.h>

enum { ROUNDS = 8, PAIRS = 32, MEMORY = 1024 * 1024 };

/* Measures what PAIRS empty visits, and one more read of the counters, add to
 * each metric.  The smallest value of all rounds is used, because the others
 * were disturbed. */
static void try_out(struct pdump_recorder *r, const char *name, int64_t *least)
{
    for (int i = 0; i < ROUNDS; i++) {
        int64_t before[PDUMP_METRICS_MAX] = { 0 };
        int64_t after[PDUMP_METRICS_MAX] = { 0 };
        int64_t now;

        pdump_recorder_read(r, before);
        before[0] = pdump_clock_now();
        for (int j = 0; j < PAIRS; j++) {
            pdump_recorder_begin(r, name);
            pdump_recorder_end(r, name);
        }
        now = pdump_clock_now();
        pdump_recorder_read(r, after);
        after[0] = now;
        for (uint32_t m = 0; m < r->n_metrics; m++)
            if (i == 0 || after[m] - before[m] < least[m])
                least[m] = after[m] - before[m];
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
                               per_visit(timed - more), inside };

    if (is_time && inside > cost.counted)
        cost.inside = cost.counted;
    return cost;
}

static void compare(struct pdump_recorder *r, struct pdump_cost *cost)
{
    const struct pdump_metric *metric = r->shared->sources->metric;
    int64_t counted[PDUMP_METRICS_MAX], timed[PDUMP_METRICS_MAX];
    const struct pdump_node *node;

    try_out(r, "counted", counted);
    node = pdump_tree_at(&r->tree, r->tree.root);
    node = pdump_tree_at(&r->tree, node->child);
    r->way = 0;
    try_out(r, "timed", timed);
    for (uint32_t m = 0; m < r->n_metrics; m++)
        if (metric[m].kind == PDUMP_COUNTER &&
            !pdump_source_may_sink(metric[m].name) && node->stat[m].min >= 0 &&
            node->stat[m].min <= node->stat[m].max)
            cost[m] = cost_of(counted[m], timed[m], node->stat[m].min, m == 0);
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
            compare(&r, cost);
            pdump_recorder_close(&r);
        }
        pdump_regions_close(&regions);
    }
    pdump_store_close(recording.store);
}
