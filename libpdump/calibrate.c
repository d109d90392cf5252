/* SPDX-License-Identifier: BSD-3-Clause */
/* What a region costs by itself: a recorder of its own tries it out. */
#include "calibrate.h"
#include "recorder.h"

enum { ROUNDS = 8, PAIRS = 32, MEMORY = 1024 * 1024 };

/* The quickest round counts: the others were disturbed. */
static struct pdump_cost try_out(struct pdump_recorder *r)
{
    int64_t best = INT64_MAX;
    const struct pdump_node *node;

    for (int i = 0; i < ROUNDS; i++) {
        int64_t start = pdump_clock_now(), ticks;

        for (int j = 0; j < PAIRS; j++) {
            pdump_recorder_begin(r, "calibration");
            pdump_recorder_end(r, "calibration");
        }
        ticks = (pdump_clock_now() - start) / PAIRS;
        if (ticks < best)
            best = ticks;
    }
    node = pdump_tree_at(&r->tree, r->tree.root);
    node = pdump_tree_at(&r->tree, node->child);
    return (struct pdump_cost){ best, node->stat[0].min < best
                                          ? node->stat[0].min
                                          : best };
}

struct pdump_cost pdump_calibrate(const struct pdump_sources *sources,
                                  int64_t counters_every)
{
    struct pdump_recording recording = { .sources = sources,
                                         .depth_max = 2,
                                         .counters_every = counters_every };
    struct pdump_regions regions;
    struct pdump_recorder r;
    struct pdump_cost cost = { 0, 0 };

    if (pdump_store_open(&recording.store, MEMORY, sizeof(struct pdump_head)) <
        0)
        return cost;
    recording.head = (void *)pdump_store_base(recording.store);
    recording.regions = &regions;
    if (pdump_regions_open(&regions, recording.store, &recording.head->regions,
                           16) >= 0) {
        if (pdump_recorder_open(&r, &recording) >= 0) {
            cost = try_out(&r);
            pdump_recorder_close(&r);
        }
        pdump_regions_close(&regions);
    }
    pdump_store_close(recording.store);
    return cost;
}
