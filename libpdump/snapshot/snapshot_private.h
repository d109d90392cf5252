/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of snapshot/: the state of the conversion from a store to
 * a dump. */
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
    uint64_t steps; /* records left; ends the endless lists of damaged stores */
    uint32_t regions_max; /* the highest id that a region can have */
    const struct pdump_head *head;
    struct pdump_recorder *self; /* of the calling thread, or NULL */
    int64_t self_values[PDUMP_METRICS_MAX];
    bool is_read;                        /* self_values are valid */
    const struct pdump_sources *sources; /* of a live session, or NULL */
    int64_t now;                         /* ticks */
    int process;
    int first_thread;   /* index in the builder, or -1 */
    uint32_t n_helpers; /* libpdump's own threads so far; they get no number */
    uint32_t n_metrics;
    int metric[PDUMP_METRICS_MAX]; /* index in the builder */
    double scale[PDUMP_METRICS_MAX];
    bool has_functions;  /* some regions were named by symbols.h */
    const char *unnamed; /* in the store: the first place without a name */
    int64_t n_unnamed;
    uint32_t n_regions;
    int *region;       /* by id: 1 + the index in the builder, or 0 */
    uint32_t counters; /* newest user metric when the snapshot began */
    uint32_t n_counters;
    int *counter; /* by id: index in the builder; equal names share one */
    int64_t *sample_values;               /* one per metric of the builder */
    struct pdump_snapshot_events *events; /* NULL: no events */
    const char *path; /* in the folder of the event file; NULL: no events */
    bool is_live;     /* threads keep writing to the store */
    uint64_t size;    /* upper limit of the store's size */
    uint64_t too_deep, overflow, read_errors, lost_samples, lost_details,
        reentered;
    struct pdump_stacks *stacks; /* NULL: the store has none */
    int64_t n_stacks, n_stacks_unfinished, n_stacks_lost, stacks_ns;
    uint64_t script_work; /* of snapshot_script.c */
    int n_threads;        /* in the builder, of this process */
    uint64_t cut_rows;    /* rows whose CPU time was cut to the elapsed time */
    double cut_ns;
};

static inline const struct pdump_metric *pdump_snapshot_metric(
    const struct pdump_snapshot *s, uint32_t m)
{
    return (const struct pdump_metric *)pdump_store_at(s->base,
                                                       s->head->metrics) +
           m;
}

/* Counts one more record.  Returns false, with an error, if the store cannot
 * have that many. */
bool pdump_snapshot_step(struct pdump_snapshot *s);

/* Returns the builder's index of a region. */
int pdump_snapshot_region(struct pdump_snapshot *s, uint32_t ref);

/* Returns the cost of a visit of a region in ticks, and how much of that is in
 * its own time; 0 if the region costs as much as others. */
int64_t pdump_snapshot_visit_cost(const struct pdump_snapshot *s,
                                  uint32_t region, int64_t *inside);

/* Adds a thread: its rows, samples and events. */
int pdump_snapshot_thread(struct pdump_snapshot *s,
                          struct pdump_thread_record *thread);

/* Looks up the name of the function at a place that is in the store
 * (symbols.h).  A place without a name is noted. */
struct pdump_symbol;
void pdump_snapshot_name(struct pdump_snapshot *s, const char *place, char *buf,
                         size_t len, struct pdump_symbol *out);

/* Adds a warning that functions have no names, with advice. */
int pdump_snapshot_unnamed(struct pdump_snapshot *s);

/* Adds a warning for each region that was throttled. */
int pdump_snapshot_throttled(struct pdump_snapshot *s);

/* Maps a node of a thread to its index in the builder. */
struct pdump_snapshot_place {
    uint32_t ref;
    int node;
};

/* Where the stacks of a thread go. */
struct pdump_snapshot_stacks {
    int index;     /* of the thread in the builder */
    int64_t first; /* its first row there */
    const struct pdump_snapshot_place *places; /* sorted by ref */
    int n_places;
};

/* snapshot_stacks.c.  Call the first function after the rows of each thread,
 * whose record is at the ref; the others after all threads: for the stacks of
 * threads that have recorded nothing else, and for the metadata. */
int pdump_snapshot_stacks_thread(struct pdump_snapshot *s, uint32_t thread,
                                 const struct pdump_snapshot_stacks *where);
int pdump_snapshot_stacks_others(struct pdump_snapshot *s);
int pdump_snapshot_stacks_metadata(struct pdump_snapshot *s);

/* Adds the samples of a thread.  `index` is the thread's number in the builder.
 * `places` are sorted by ref. */
int pdump_snapshot_samples(struct pdump_snapshot *s,
                           struct pdump_thread_record *thread, int index,
                           const struct pdump_snapshot_place *places,
                           int n_places);

/* Returns the builder's index of the node at `ref`, which is not the root of a
 * thread. */
int pdump_snapshot_node(struct pdump_snapshot *s,
                        const struct pdump_snapshot_place *places, int n_places,
                        uint32_t ref);

/* The first function finds the events of all threads, in the store and in its
 * file.  The second adds their numbers to the metadata and frees them. */
int pdump_snapshot_find_events(struct pdump_snapshot *s);
int pdump_snapshot_end_events(struct pdump_snapshot *s, int err);

/* Returns true if the thread has events or has lost some.  The second function
 * adds them; its arguments are those of pdump_snapshot_samples(). */
bool pdump_snapshot_has_events(const struct pdump_snapshot *s,
                               const struct pdump_thread_record *thread);
int pdump_snapshot_add_events(struct pdump_snapshot *s,
                              struct pdump_thread_record *thread, int index,
                              const struct pdump_snapshot_place *places,
                              int n_places);

/* Adds the details that the thread has for the node at `ref`.  `index` and
 * `node` are the numbers of thread and node in the builder; `node` -1 means the
 * thread as a whole. */
int pdump_snapshot_details(struct pdump_snapshot *s,
                           struct pdump_thread_record *thread, int index,
                           uint32_t ref, int node);

/* Numbers in a damaged store may overflow: they wrap. */
static inline int64_t pdump_snapshot_plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t pdump_snapshot_minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* Converts a value to the metric's unit. */
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

/* Finds them.  The caller frees them, also after an error. */
int pdump_snapshot_open_frames_find(struct pdump_snapshot *s,
                                    struct pdump_thread_record *thread,
                                    struct pdump_snapshot_opens *out);
void pdump_snapshot_open_frames_free(struct pdump_snapshot_opens *opens);

/* Copies the metrics at the begin of the open visit to values[n_metrics].
 * Returns false if counters were not read then, or if the thread has begun
 * another visit since. */
bool pdump_snapshot_open_frames_begin(
    const struct pdump_snapshot *s,
    const struct pdump_snapshot_open_frame *open, int64_t *values);

/*
 * Reads the current metrics of the thread into values[n_metrics], for its open
 * regions.  Call it after these were found.  A metric that only the thread
 * itself could read, or that can no longer be read, is PDUMP_UNREAD; the time
 * is not read here.
 */
void pdump_snapshot_open_frames_read(const struct pdump_snapshot *s,
                                     const struct pdump_thread_record *thread,
                                     int64_t *values);

/* Returns the open frame of the node at that ref, or NULL.  Borrowed. */
const struct pdump_snapshot_open_frame *pdump_snapshot_open_frames_at(
    const struct pdump_snapshot_opens *opens, uint32_t node);

/* snapshot_nodes.c: the nodes of a thread while they are converted to rows. */

struct pdump_snapshot_node_row {
    uint32_t ref;
    int parent;                                   /* index of the item */
    int node;                                     /* index in the builder */
    const struct pdump_snapshot_open_frame *open; /* or NULL */
    uint64_t visits;
    struct pdump_cost own; /* in ticks, or 0: as all visits */
    uint32_t read;         /* bit i: metric i of its open visit was read */
    bool is_twin;  /* its node and figures are counted in another item */
    bool is_empty; /* its visit was moved to another parent before it ended */
};

/* Item 0 is the root, which has no figures, and parents come before their
 * children. */
struct pdump_snapshot_nodes {
    struct pdump_snapshot_node_row *list;
    int n, room;
    struct pdump_stat *stats; /* per item: metrics, then user metrics */
    uint32_t n_stats;         /* per item */
    bool is_estimated;        /* counters were read in only some visits */
};

/* Adds an item without figures.  The caller frees the list and the stats. */
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

/* Adds the figures of one item to those of another. */
void pdump_snapshot_nodes_unite(struct pdump_stat *all,
                                const struct pdump_stat *one);

/* Call this when all items have their measured figures: makes them consistent
 * with each other, and finds the empty items and the twins. */
int pdump_snapshot_nodes_settle(struct pdump_snapshot *s,
                                struct pdump_snapshot_nodes *items);

/* snapshot_adjust.c: corrections of measured figures. */

/* With PDUMP_COUNTERS_EVERY, the sums of metric `m` are estimates, and the
 * items inside an item may add up to more than it has.  The outer estimate is
 * better, as it covers a longer time, so the inner ones are reduced. */
int pdump_snapshot_fit(const struct pdump_snapshot_nodes *items, uint32_t m);

/* Subtracts from metric `m` of every item the cost of the visits inside it, and
 * the cost that its own visits add to themselves.  No figure falls below 0, and
 * no sum below the sum of the items inside. */
int pdump_snapshot_subtract(const struct pdump_snapshot_nodes *items,
                            uint32_t m, struct pdump_cost cost);

/* What was cut: the number of items, and the total amount. */
struct pdump_snapshot_cut {
    uint64_t rows;
    double sum; /* in units of the metric's source */
};

/* Metric `m` is CPU time, with `ratio` units per tick.  Cuts it to the elapsed
 * time: a thread cannot use more, so the excess comes from reading the counter,
 * which took longer than it did during calibration. */
struct pdump_snapshot_cut pdump_snapshot_bound(
    const struct pdump_snapshot_nodes *items, uint32_t m, double ratio);

/* snapshot_copy.c: copies of figures that their thread may be changing. */

/* Words of a node's figures, including the number of counted visits: the most
 * words that change in one update. */
enum { PDUMP_UNDO_MAX = 2 + PDUMP_METRICS_MAX * sizeof(struct pdump_stat) / 8 };
_Static_assert((int)PDUMP_UNDO_MAX >= (int)PDUMP_DETAIL_WORDS_MAX,
               "details are less");

/* Copies `words` words from `ref`, as they were before or after an update.
 * They belong to `thread`, a record of the store at `base`. */
void pdump_snapshot_copy(char *base, struct pdump_thread_record *thread,
                         uint32_t ref, uint32_t words, int64_t *out);

/* snapshot_events.c: the events of threads, in pieces. */

struct pdump_snapshot_piece {
    struct pdump_event_piece head;
    off_t at;             /* offset in the file, or */
    unsigned char *bytes; /* a copy of the bytes */
};

struct pdump_snapshot_events {
    struct pdump_snapshot_piece *pieces; /* by thread, then by sequence */
    int n_pieces;
    int file; /* descriptor, or -1 */
    int64_t n_events;
    int64_t n_lost;    /* because there was no room */
    int64_t n_dropped; /* by a ring */
    int64_t n_damaged; /* number of threads */
    bool is_unread;    /* the file, or the rest of it, could not be read */
    bool is_moving;    /* a thread moves pieces to the file meanwhile */
};

/* Returns the first piece of a thread, and their number in *n. */
struct pdump_snapshot_piece *pdump_snapshot_pieces(
    const struct pdump_snapshot_events *e, uint32_t thread, int *n);

/* Returns the bytes of a piece, or NULL.  They are valid until the unload. */
const unsigned char *pdump_snapshot_piece_load(
    struct pdump_snapshot_events *e, struct pdump_snapshot_piece *piece);
void pdump_snapshot_piece_unload(struct pdump_snapshot_piece *piece);

/* Returns the number of events that the thread has counted as lost. */
uint64_t pdump_snapshot_losses(
    const volatile struct pdump_thread_record *thread);

/* snapshot_metadata.c: metadata and warnings of the process as a whole. */

/* Adds the process, its metadata and warnings.  Call it after `scale` is
 * set. */
int pdump_snapshot_metadata(struct pdump_snapshot *s);

/* After all threads: adds a warning about CPU time that was cut, see
 * pdump_snapshot_bound(). */
int pdump_snapshot_metadata_cut(struct pdump_snapshot *s);

/* After all threads: adds a warning for each kind of record that they could not
 * make. */
int pdump_snapshot_metadata_lost(struct pdump_snapshot *s);

#endif
