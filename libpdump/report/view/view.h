/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A dump aggregated for reading: one item per line of a report.
 *
 * The tree has an item per node, summed over threads and processes; with
 * `by_thread` it has a heading per thread with that thread's items below.  The
 * flat view has an item per region, function or file, whatever its callers: a
 * visit inside another visit of the same item is not counted twice in its sum.
 *
 * If the dump has statistics over ranks, the items show these (but not with
 * `by_thread`), because the dump then has the rows of only some ranks, or of
 * none.
 */
#ifndef PDUMP_VIEW_H
#define PDUMP_VIEW_H

#include "dump/derived_metrics.h"
#include "dump/dump.h"

enum pdump_view_order {
    PDUMP_VIEW_BY_SUM, /* of metric `key`, largest first */
    PDUMP_VIEW_BY_SELF,
    PDUMP_VIEW_BY_VISITS,
    PDUMP_VIEW_BY_NAME,
    PDUMP_VIEW_BY_DERIVED, /* derived metric `key` of the view */
};

/* What the items of the flat view are. */
enum pdump_view_flat {
    PDUMP_VIEW_REGIONS,
    PDUMP_VIEW_FUNCTIONS, /* by place in the source, otherwise by name */
    PDUMP_VIEW_FILES,
};

/* Smaller items, in percent, are folded in a brief view. */
#define PDUMP_VIEW_FOLD_PERCENT 0.5

/* All zero but `key` -1 is the whole tree, sorted by time. */
struct pdump_view_options {
    bool is_flat;
    enum pdump_view_flat flat_by;
    bool by_thread;
    int depth;          /* levels to show; 0: all */
    double min_percent; /* smaller items are left out, with all inside */
    int top;            /* the first n, with the items around them; 0: all */
    bool is_hot;        /* of a tree, show only the hot path */
    /* Leave out what is small, what libraries do while Python imports them, and
     * the frames of programs that run Python code, such as IPython. */
    bool is_brief;
    /* By region of the dump: show these, with the items inside and around them.
     * NULL: all. */
    const bool *regions;
    enum pdump_view_order order;
    int key; /* metric or derived metric to sort by; -1: time */
};

/* Whether a brief view shows an item (view_fold.c). */
enum pdump_view_fold {
    PDUMP_VIEW_PLAIN,
    PDUMP_VIEW_RUNNER, /* not it, but the items in it, in its place */
    PDUMP_VIEW_SHELL,  /* the same, of a program that calls libraries, too */
    PDUMP_VIEW_INSIDE, /* neither it nor the items in it */
};

struct pdump_view_item {
    int parent; /* item, or -1 */
    int region; /* of the dump, or the first of several; -1: the heading of a
                   thread */
    int node;   /* of the dump; -1: a heading, or the view is flat */
    int thread; /* of the dump; -1: all threads */
    int depth;
    bool is_last; /* of the shown items with the same parent */
    bool is_cut;  /* some items below it are not shown */
    enum pdump_view_fold fold;
    int64_t visits;
    int64_t n_open; /* visits that have not ended */
};

/* The figures of one item and metric.  Each may be PDUMP_MISSING. */
struct pdump_view_value {
    int64_t sum;   /* with the regions inside */
    int64_t self;  /* without them; gauges have none */
    int64_t min;   /* smallest visit */
    int64_t max;   /* largest visit */
    int64_t most;  /* sum of the thread with the largest sum */
    int n_threads; /* with a value; 0 if only statistics are known */
};

struct pdump_view {
    const struct pdump_dump *dump; /* borrowed as long as the view is used */
    bool is_flat;
    enum pdump_view_flat flat_by;
    struct pdump_view_item *items;
    int n_items;
    struct pdump_view_value *values; /* [item * dump->n_metrics + metric] */
    int64_t *totals;                 /* per metric, over outermost regions */
    struct pdump_derived *derived;
    int n_derived;
    double *figures; /* [item * n_derived + derived], may be NAN */
    int key;         /* metric that percentages are of, or -1 */
    int *shown;      /* items in the order of the page */
    int n_shown;
    bool is_brief;
    int *row_item;     /* by row of the dump: the item that it belongs to */
    bool *is_repeated; /* by row: true inside another visit of the same item */
    int *node_item; /* by node of the dump, -1: none; NULL with `by_thread` */
};

/* Makes a view.  Given: pdump_view_free(). */
PDUMP_SHARED int pdump_view_new(const struct pdump_dump *dump,
                                const struct pdump_view_options *options,
                                struct pdump_view **out);
PDUMP_SHARED void pdump_view_free(struct pdump_view *view);

/* Returns the short name of a metric: "TOT_INS" for "PAPI_TOT_INS",
 * "PAGE-FAULTS" for "perf::PAGE-FAULTS".  Part of `name`. */
PDUMP_SHARED const char *pdump_view_short_name(const char *name);

/* Returns the index of the metric `name` of the dump, or if there is none, that
 * of the derived metric (its number in the view).  If neither fits exactly,
 * short names and any case are accepted.  PDUMP_ENOENT if there is no match. */
PDUMP_SHARED int pdump_view_find(const struct pdump_dump *dump,
                                 const char *name, bool *is_derived);

/* Sets the order to `name`: "self", "visits", "name", or anything that
 * pdump_view_find() finds. */
PDUMP_SHARED int pdump_view_sort_by(const struct pdump_dump *dump,
                                    const char *name,
                                    struct pdump_view_options *options);

/* Returns the figures of an item and metric.  Borrowed, valid as long as the
 * view. */
PDUMP_SHARED const struct pdump_view_value *pdump_view_value(
    const struct pdump_view *view, int item, int metric);

/* Returns the item's percentage of the total of the key metric, NAN if it has
 * none; pdump_view_self_percent() without the regions inside. */
PDUMP_SHARED double pdump_view_percent(const struct pdump_view *view, int item);
PDUMP_SHARED double pdump_view_self_percent(const struct pdump_view *view,
                                            int item);

/* Returns the name of an item: its region, function with its place, file, or
 * the thread of a heading.  The result is `buf` or static (view_name.c). */
PDUMP_SHARED const char *pdump_view_name(const struct pdump_view *view,
                                         int item, char *buf, size_t len);

/* Finds, for each region of the dump, the first region of the same item in a
 * flat view.  Given: free(). */
int pdump_view_keys(const struct pdump_dump *dump, enum pdump_view_flat by,
                    int **out);

/* Finds the hot path: from the largest outermost item inwards, each the largest
 * of its siblings, while it has at least half of the one around it:
 * out[n_items].  Returns their number, 0 if the view is flat or has no key
 * metric (view_keep.c). */
PDUMP_SHARED int pdump_view_hot_path(const struct pdump_view *view, int *out);

/* Marks the items that `top`, `is_hot` and `regions` select: out[n_items].
 * `order` has all items in the order of the options (view_keep.c). */
int pdump_view_keep(const struct pdump_view *view,
                    const struct pdump_view_options *options, const int *order,
                    bool *out);

/* Sets `fold` of the items, and gives items in frames of a runner the items
 * around these (view_fold.c). */
void pdump_view_fold(struct pdump_view *view);

/* Returns the number of items that are not shown, without headings
 * (view_order.c). */
int pdump_view_n_left_out(const struct pdump_view *view);

/* Returns true if this node is inside another visit of the same item
 * (view_stats.c). */
bool pdump_view_is_repeated(const struct pdump_view *view, int node);

/* Replaces figures from rows by the dump's statistics over ranks, if it has any
 * (view_stats.c). */
int pdump_view_use_stats(struct pdump_view *view);

/* Fills `shown` and everything that depends on it (view_order.c). */
int pdump_view_arrange(struct pdump_view *view,
                       const struct pdump_view_options *options);

#endif
