/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A dump aggregated for reading: one item per line of a report.
 *
 * The tree has an item per node, summed over threads and processes; with
 * `by_thread` a heading per thread and that thread's items below it.  The flat
 * view has an item per region, function or file, wherever it was called: a
 * visit inside another visit of the same item is not counted twice in its sum.
 *
 * If the dump has statistics over ranks, they are what the items show (but not
 * `by_thread`): the rows are there for some ranks only, or for none.
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

/* What an item of the flat view is. */
enum pdump_view_flat {
    PDUMP_VIEW_REGIONS,
    PDUMP_VIEW_FUNCTIONS, /* a place in the source; a name where none is known
                           */
    PDUMP_VIEW_FILES,
};

/* All zero but `key` -1 is the whole tree, by time. */
struct pdump_view_options {
    bool is_flat;
    enum pdump_view_flat flat_by;
    bool by_thread;
    int depth;          /* levels to show; 0: all */
    double min_percent; /* items below are left out, with what is in them */
    int top;            /* so many that come first in the order, and what is
                         * around them; 0: all */
    bool is_hot;        /* of a tree, only the hot path */
    /* By region of the dump: these, what is in them and around them.  NULL:
     * all. */
    const bool *regions;
    enum pdump_view_order order;
    int key; /* metric or derived metric to sort by; -1: time */
};

struct pdump_view_item {
    int parent; /* item, or -1 */
    int region; /* of the dump, or the first of several; -1: the heading of a
                 * thread */
    int node;   /* of the dump; -1: a heading, or the view is flat */
    int thread; /* of the dump; -1: all of them together */
    int depth;
    bool is_last; /* of those shown under its parent */
    bool is_cut;  /* something below it is not shown */
    int64_t visits;
    int64_t n_open; /* visits that had not ended */
};

/* One item and metric.  Each may be PDUMP_MISSING. */
struct pdump_view_value {
    int64_t sum;   /* with the regions inside */
    int64_t self;  /* without them; gauges have none */
    int64_t min;   /* smallest visit */
    int64_t max;   /* largest visit */
    int64_t most;  /* sum of the thread that has most */
    int n_threads; /* that have one; 0 if only statistics over ranks are known
                    */
};

struct pdump_view {
    const struct pdump_dump *dump; /* borrowed, must live as long */
    bool is_flat;
    enum pdump_view_flat flat_by;
    struct pdump_view_item *items;
    int n_items;
    struct pdump_view_value *values; /* [item * dump->n_metrics + metric] */
    int64_t *totals;                 /* per metric, over outermost regions */
    struct pdump_derived *derived;
    int n_derived;
    double *figures; /* [item * n_derived + derived], perhaps NAN */
    int key;         /* metric that percentages are of, or -1 */
    int *shown;      /* items in the order of the page */
    int n_shown;
    int *row_item;     /* by row of the dump: the item that it is part of */
    bool *is_repeated; /* by row: inside a visit of the same item */
    int *node_item;    /* by node of the dump, -1: none; NULL `by_thread` */
};

/* Given: pdump_view_free(). */
PDUMP_SHARED int pdump_view_new(const struct pdump_dump *dump,
                                const struct pdump_view_options *options,
                                struct pdump_view **out);
PDUMP_SHARED void pdump_view_free(struct pdump_view *view);

/* What a reader calls a metric: "TOT_INS" for "PAPI_TOT_INS", "PAGE-FAULTS" for
 * "perf::PAGE-FAULTS".  Part of `name`. */
PDUMP_SHARED const char *pdump_view_short_name(const char *name);

/* The metric `name` of the dump, or the derived metric if it has no such metric
 * (its number in the view).  If no other fits, short names and any case of
 * letters do.  PDUMP_ENOENT if there is neither. */
PDUMP_SHARED int pdump_view_find(const struct pdump_dump *dump,
                                 const char *name, bool *is_derived);

/* Sort by `name`: "self", "visits", "name" or what pdump_view_find() finds. */
PDUMP_SHARED int pdump_view_sort_by(const struct pdump_dump *dump,
                                    const char *name,
                                    struct pdump_view_options *options);

/* Borrowed, valid as long as the view. */
PDUMP_SHARED const struct pdump_view_value *pdump_view_value(
    const struct pdump_view *view, int item, int metric);

/* The item's share of the total of the key metric, NAN if it has none;
 * pdump_view_self_percent() without the regions inside. */
PDUMP_SHARED double pdump_view_percent(const struct pdump_view *view, int item);
PDUMP_SHARED double pdump_view_self_percent(const struct pdump_view *view,
                                            int item);

/* What an item is called: its region, function with its place, or file, or
 * which thread it is the heading of.  Either `buf` or static (view_name.c). */
PDUMP_SHARED const char *pdump_view_name(const struct pdump_view *view,
                                         int item, char *buf, size_t len);

/* By region of the dump: the first region of the same item in a flat view.
 * Given: free(). */
int pdump_view_keys(const struct pdump_dump *dump, enum pdump_view_flat by,
                    int **out);

/* The items from an outermost one inwards, each the largest of its siblings,
 * while it has at least half of the one around it: out[n_items].  Returns their
 * number, 0 if the view is flat or has no key metric (view_keep.c). */
PDUMP_SHARED int pdump_view_hot_path(const struct pdump_view *view, int *out);

/* Which items `top`, `is_hot` and `regions` leave: out[n_items].  `order` has
 * all items, those that come first in front (view_keep.c). */
int pdump_view_keep(const struct pdump_view *view,
                    const struct pdump_view_options *options, const int *order,
                    bool *out);

/* Is this node inside another visit of the same item? (view_stats.c) */
bool pdump_view_is_repeated(const struct pdump_view *view, int node);

/* Put the dump's statistics over ranks in the place of figures from rows, where
 * there are any (view_stats.c). */
int pdump_view_use_stats(struct pdump_view *view);

/* Fill `shown` and what depends on it (view_order.c). */
int pdump_view_arrange(struct pdump_view *view,
                       const struct pdump_view_options *options);

#endif
