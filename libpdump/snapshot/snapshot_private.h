/* SPDX-License-Identifier: BSD-3-Clause */
/* A snapshot while it is being taken: what its parts share. */
#ifndef PDUMP_SNAPSHOT_PRIVATE_H
#define PDUMP_SNAPSHOT_PRIVATE_H

#include "dump/builder.h"
#include "record/recorder.h"
#include "base/round.h"

struct pdump_snapshot {
    struct pdump_builder *builder;
    char *base;
    uint64_t steps;       /* left: a damaged store may have lists without end */
    uint32_t regions_max; /* the highest id that a region can have */
    const struct pdump_head *head;
    struct pdump_recorder *self; /* the calling thread's, or NULL */
    int64_t self_values[PDUMP_METRICS_MAX];
    bool is_read;                        /* self_values are good */
    const struct pdump_sources *sources; /* of a live session, or NULL */
    int64_t now;                         /* ticks */
    int process;
    int first_thread;   /* in the builder, or -1 */
    uint32_t n_helpers; /* threads of ours until now: they have no number */
    uint32_t n_metrics;
    int metric[PDUMP_METRICS_MAX]; /* in the builder */
    double scale[PDUMP_METRICS_MAX];
    bool has_functions;  /* regions that were found by symbols.h */
    const char *unnamed; /* the first place without a name, in the store */
    int64_t n_unnamed;
    uint32_t n_regions;
    int *region;       /* by id: 1 + the builder's, or 0 */
    uint32_t counters; /* newest user metric, as of the start */
    uint32_t n_counters;
    int *counter;           /* by id: in the builder; equal names share one */
    int64_t *sample_values; /* one per metric of the builder */
    struct pdump_snapshot_events *events; /* NULL: there are none */
    const char *path; /* beside its file of events; NULL: without events */
    bool is_live;     /* threads go on meanwhile */
    uint64_t size;    /* of the store, at most */
    uint64_t too_deep, overflow, read_errors, lost_samples, lost_details,
        reentered;
    uint64_t cut_rows; /* CPU time that was cut to the elapsed time */
    double cut_ns;
};

static inline const struct pdump_metric *pdump_snapshot_metric(
    const struct pdump_snapshot *s, uint32_t m)
{
    return (const struct pdump_metric *)pdump_store_at(s->base,
                                                       s->head->metrics) +
           m;
}

/* One record more.  False, with an error, if there are more than there can be.
 */
bool pdump_snapshot_step(struct pdump_snapshot *s);

/* The builder's index of a region. */
int pdump_snapshot_region(struct pdump_snapshot *s, uint32_t ref);

/* Add a thread: its rows and its samples. */
int pdump_snapshot_thread(struct pdump_snapshot *s,
                          struct pdump_thread_record *thread);

/* Look up the name of the function at a place in the store (symbols.h).  A
 * place without a name is noted. */
struct pdump_symbol;
void pdump_snapshot_name(struct pdump_snapshot *s, const char *place, char *buf,
                         size_t len, struct pdump_symbol *out);

/* Add a warning that functions have no names, with advice. */
int pdump_snapshot_unnamed(struct pdump_snapshot *s);

/* Name the regions that were throttled: a warning each. */
int pdump_snapshot_throttled(struct pdump_snapshot *s);

/* Where a node of a thread is in the builder. */
struct pdump_snapshot_place {
    uint32_t ref;
    int node;
};

/* Add the samples of a thread, number `index` in the builder.  `places` are
 * sorted by ref. */
int pdump_snapshot_samples(struct pdump_snapshot *s,
                           struct pdump_thread_record *thread, int index,
                           const struct pdump_snapshot_place *places,
                           int n_places);

/* The builder's node for the one at `ref`, which is no thread's root. */
int pdump_snapshot_node(struct pdump_snapshot *s,
                        const struct pdump_snapshot_place *places, int n_places,
                        uint32_t ref);

/* Find the events of all threads, in the store and in its file; later, free
 * what was found, and tell how many they were. */
int pdump_snapshot_find_events(struct pdump_snapshot *s);
int pdump_snapshot_end_events(struct pdump_snapshot *s, int err);

/* Are there any of this thread?  Add them, as pdump_snapshot_samples(). */
bool pdump_snapshot_has_events(const struct pdump_snapshot *s,
                               const struct pdump_thread_record *thread);
int pdump_snapshot_add_events(struct pdump_snapshot *s,
                              struct pdump_thread_record *thread, int index,
                              const struct pdump_snapshot_place *places,
                              int n_places);

/* Add the details that the thread, number `index` in the builder, has of the
 * node at `ref`, number `node` in the builder (-1: the thread as a whole). */
int pdump_snapshot_details(struct pdump_snapshot *s,
                           struct pdump_thread_record *thread, int index,
                           uint32_t ref, int node);

/* A damaged store may have any numbers: they wrap. */
static inline int64_t pdump_snapshot_plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t pdump_snapshot_minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* A value in the metric's unit. */
static inline int64_t pdump_snapshot_scaled(double scale, int64_t value)
{
    return scale == 1.0 ? value : pdump_round((double)value * scale);
}

#endif
