/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of a snapshot share: a store on its way to a dump. */
#ifndef PDUMP_SNAPSHOT_PRIVATE_H
#define PDUMP_SNAPSHOT_PRIVATE_H

#include "base/round.h"
#include "dump/builder.h"
#include "record/recorder.h"
#include "store/store_event_file.h"

#include <sys/types.h>

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

/* snapshot_open_frames.c: the regions that a thread has open while it is read.
 */

struct pdump_snapshot_open_frame {
    uint32_t node;
    const struct pdump_frame *frame;
    int64_t start; /* tick */
};

struct pdump_snapshot_opens {
    struct pdump_snapshot_open_frame *list; /* sorted by node */
    int n;
};

/* Find them; to be freed in any case. */
int pdump_snapshot_open_frames_find(struct pdump_snapshot *s,
                                    struct pdump_thread_record *thread,
                                    struct pdump_snapshot_opens *out);
void pdump_snapshot_open_frames_free(struct pdump_snapshot_opens *opens);

/* Copy the metrics at the begin of the open visit to values[n_metrics].  False
 * if counters were not read then, or if the thread has gone on to another visit
 * since. */
bool pdump_snapshot_open_frames_begin(
    const struct pdump_snapshot *s,
    const struct pdump_snapshot_open_frame *open, int64_t *values);

/*
 * Read the current metrics of the thread into values[n_metrics], for its open
 * regions, after these were found.  A metric that only the thread itself could
 * read, or that can no longer be read, is PDUMP_UNREAD; the time is not read
 * here.
 */
void pdump_snapshot_open_frames_read(const struct pdump_snapshot *s,
                                     const struct pdump_thread_record *thread,
                                     int64_t *values);

/* The one whose node is at that ref, or NULL.  Borrowed. */
const struct pdump_snapshot_open_frame *pdump_snapshot_open_frames_at(
    const struct pdump_snapshot_opens *opens, uint32_t node);

/* snapshot_nodes.c: nodes of a thread on their way to rows. */

struct pdump_snapshot_node_row {
    uint32_t ref;
    int parent;                                   /* item */
    int node;                                     /* the builder's */
    const struct pdump_snapshot_open_frame *open; /* if it is */
    uint64_t visits;
    uint32_t read; /* bit i: metric i of its open visit was read */
    bool is_twin;  /* another item has its node and its figures */
    bool is_empty; /* it was moved to another parent before its end */
};

/* Item 0 is the root, which has no figures, and parents come before their
 * children. */
struct pdump_snapshot_nodes {
    struct pdump_snapshot_node_row *list;
    int n, room;
    struct pdump_stat *stats; /* per item: metrics, then user metrics */
    uint32_t n_stats;         /* per item */
    bool is_estimated;        /* counters were read in some visits only */
};

/* One more, without figures.  Its list and stats are the caller's to free. */
int pdump_snapshot_nodes_push(struct pdump_snapshot_nodes *items, uint32_t ref,
                              int parent);

static inline struct pdump_stat *pdump_snapshot_nodes_stats(
    const struct pdump_snapshot_nodes *items, int i)
{
    return items->stats + (size_t)i * items->n_stats;
}

/* Returns true if metric m of the item is known.  If not, the row has no value,
 * because 0 would look like one. */
static inline bool pdump_snapshot_nodes_is_known(
    const struct pdump_snapshot_nodes *items, int i, uint32_t m)
{
    const struct pdump_stat *stat = pdump_snapshot_nodes_stats(items, i) + m;

    return stat->min <= stat->max || items->list[i].read >> m & 1;
}

/* Add the figures of one to another's. */
void pdump_snapshot_nodes_unite(struct pdump_stat *all,
                                const struct pdump_stat *one);

/* When all items have their figures as they were measured: see to it that they
 * agree with each other, and find the empty ones and the twins. */
int pdump_snapshot_nodes_settle(struct pdump_snapshot *s,
                                struct pdump_snapshot_nodes *items);

/* snapshot_adjust.c: figures that do not stay as they were measured. */

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

/* snapshot_copy.c: figures that their thread may be changing. */

/* Words of a node's figures, with the number of counted visits: the most that
 * change at a time. */
enum { PDUMP_UNDO_MAX = 2 + PDUMP_METRICS_MAX * sizeof(struct pdump_stat) / 8 };
_Static_assert((int)PDUMP_UNDO_MAX >= (int)PDUMP_DETAIL_WORDS_MAX,
               "details are less");

/* Copy `words` of them from `ref`, as they were before or after a change.  They
 * belong to `thread`, a record of the store at `base`. */
void pdump_snapshot_copy(char *base, struct pdump_thread_record *thread,
                         uint32_t ref, uint32_t words, int64_t *out);

/* snapshot_events.c: pieces of the events of threads. */

struct pdump_snapshot_piece {
    struct pdump_event_piece head;
    off_t at;             /* in the file; or */
    unsigned char *bytes; /* a copy */
};

struct pdump_snapshot_events {
    struct pdump_snapshot_piece *pieces; /* by thread, then in order */
    int n_pieces;
    int file; /* descriptor, or -1 */
    int64_t n_events;
    int64_t n_lost;    /* for lack of room */
    int64_t n_dropped; /* from a ring */
    int64_t n_damaged; /* threads */
    bool is_unread;    /* the file, or the rest of it */
    bool is_moving;    /* to the file meanwhile */
};

/* The pieces of a thread, by its number. */
struct pdump_snapshot_piece *pdump_snapshot_pieces(
    const struct pdump_snapshot_events *e, uint32_t thread, int *n);

/* The bytes of a piece, or NULL; until they are unloaded. */
const unsigned char *pdump_snapshot_piece_load(
    struct pdump_snapshot_events *e, struct pdump_snapshot_piece *piece);
void pdump_snapshot_piece_unload(struct pdump_snapshot_piece *piece);

/* Events that the thread knows to be lost. */
uint64_t pdump_snapshot_losses(
    const volatile struct pdump_thread_record *thread);

/* snapshot_metadata.c: what is told of the process as a whole. */

/* The process itself, metadata and warnings.  The snapshot's scale is there. */
int pdump_snapshot_metadata(struct pdump_snapshot *s);

/* After all threads: CPU time that was cut, see pdump_snapshot_bound(). */
int pdump_snapshot_metadata_cut(struct pdump_snapshot *s);

/* After all threads: what they could not record as they should, a warning each.
 */
int pdump_snapshot_metadata_lost(struct pdump_snapshot *s);

#endif
