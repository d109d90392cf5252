/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread of a snapshot: its nodes become rows. */
#include "snapshot_thread.h"
#include "recorder_hot.h"
#include "snapshot_adjust.h"

#include <stdlib.h>
#include <string.h>

/* A node on its way to become a row. */
struct item {
    uint32_t ref;
    int parent;                     /* item */
    int node;                       /* the builder's */
    const struct open_region *open; /* if it is */
    uint64_t visits;
    bool is_read;  /* its open visit has its counters, too */
    bool is_twin;  /* another item has its node and its figures */
    bool is_empty; /* it was moved to another parent before its end */
};

struct open_region {
    uint32_t node;
    const struct pdump_frame *frame;
    int64_t start; /* tick */
};

struct walk {
    struct pdump_snapshot *s;
    struct pdump_thread_record *thread;
    bool is_self;
    int index;          /* of the thread in the builder */
    struct item *items; /* parents before children */
    int n, room;
    struct pdump_stat *stats; /* per item: metrics, then user metrics */
    uint32_t n_stats;         /* per item */
    struct open_region *open; /* sorted by node */
    int n_open;
    bool is_estimated; /* counters were read in some visits only */
};

static const struct pdump_stat nothing = { .min = INT64_MAX, .max = INT64_MIN };

/*
 * Copy figures that their thread may be changing.  While `sequence` is odd the
 * span at undo_ref is in flux, and `undo` has it as it was.  Reads race with
 * the writer on purpose; the sequence tells whether they were good.
 */
__attribute__((no_sanitize("thread"))) static void copy_figures(
    const void *walk, uint32_t ref, uint32_t words, int64_t *out)
{
    const struct walk *w = walk;
    struct pdump_thread_record *t = w->thread;
    uint64_t before, after;

    do {
        const volatile int64_t *from = pdump_store_at(w->s->base, ref);
        const volatile struct pdump_thread_record *undo = t;
        uint32_t n_undo = 0, before_undo = 0;
        int n_others = 0;

        before = atomic_load_explicit(&t->sequence, memory_order_acquire);
        if (before & 1) {
            n_undo = undo->undo_words & ~PDUMP_UNDO_OTHERS;
            n_others =
                undo->undo_words & PDUMP_UNDO_OTHERS ? PDUMP_OTHERS_MAX : 0;
            before_undo = undo->undo_ref - ref;
        }
        if (n_undo > PDUMP_UNDO_MAX) /* in a store that was cut */
            n_undo = 0;
        for (uint32_t i = 0; i < words; i++)
            out[i] = i - before_undo < n_undo ? undo->undo[i - before_undo]
                                              : from[i];
        for (int i = 0; i < n_others; i++) {
            uint32_t at = (uint32_t)undo->undo_others[i].at + before_undo;

            if (undo->undo_others[i].at >= 0 && at < words)
                out[at] = undo->undo_others[i].value;
        }
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&t->sequence, memory_order_relaxed);
    } while (before != after);
}

static int by_node(const void *a, const void *b)
{
    const struct open_region *x = a, *y = b;

    return (x->node > y->node) - (x->node < y->node);
}

/* The regions that are open now.  Frames are reused, never freed: a chain that
 * changes under our eyes is at worst a mixture of two moments. */
__attribute__((no_sanitize("thread"))) static int find_open(struct walk *w)
{
    uint32_t top = atomic_load_explicit(&w->thread->top, memory_order_acquire);
    const struct pdump_frame *frame;
    int n = 0;

    for (uint32_t ref = top; ref; ref = frame->up, n++) {
        if (!pdump_snapshot_step(w->s))
            return PDUMP_EFORMAT;
        frame = pdump_store_at(w->s->base, ref);
    }
    w->open = calloc((size_t)n + 1, sizeof(*w->open));
    if (!w->open)
        return pdump_no_memory();
    for (uint32_t ref = top; ref && w->n_open < n; ref = frame->up) {
        frame = pdump_store_at(w->s->base, ref);
        if (frame->flags & PDUMP_FRAME_SKIPPED || !frame->up)
            continue;
        w->open[w->n_open].node = frame->node;
        w->open[w->n_open].start = *(const volatile int64_t *)frame->start;
        w->open[w->n_open++].frame = frame;
    }
    qsort(w->open, (size_t)w->n_open, sizeof(*w->open), by_node);
    return PDUMP_OK;
}

static const struct open_region *find_region(const struct walk *w,
                                             uint32_t node)
{
    struct open_region key = { .node = node };

    return bsearch(&key, w->open, (size_t)w->n_open, sizeof(key), by_node);
}

static int push(struct walk *w, uint32_t ref, int parent)
{
    if (w->n == w->room) {
        int room = w->room ? w->room * 2 : 64;
        struct item *items = realloc(w->items, (size_t)room * sizeof(*items));

        if (!items)
            return pdump_no_memory();
        w->items = items;
        w->room = room;
    }
    w->items[w->n++] = (struct item){ .ref = ref, .parent = parent };
    return PDUMP_OK;
}

/* Is the node worth a row?  The overflow node always exists; a rewind node's
 * fate is undecided. */
static bool is_shown(const struct walk *w, uint32_t ref)
{
    const struct pdump_node *node = pdump_store_at(w->s->base, ref);
    const struct pdump_region_record *region =
        pdump_store_at(w->s->base, node->region);

    if (node->flags & PDUMP_NODE_REWIND)
        return false;
    /* In a store that was cut, records behind the cut are zeroes. */
    if (!node->region || !region->id)
        return false;
    return region->group != PDUMP_GROUP_OVERFLOW || node->visits ||
           find_region(w, ref);
}

/* All nodes, level by level; of the root only its children. */
static int collect(struct walk *w)
{
    int err = push(w, w->thread->root, -1);

    for (int i = 0; i < w->n && err >= 0; i++) {
        const struct pdump_node *node =
            pdump_store_at(w->s->base, w->items[i].ref);
        uint32_t child =
            atomic_load_explicit(&node->child, memory_order_acquire);
        int first = w->n;

        while (child && err >= 0) {
            if (!pdump_snapshot_step(w->s))
                return PDUMP_EFORMAT;
            if (is_shown(w, child))
                err = push(w, child, i);
            node = pdump_store_at(w->s->base, child);
            child = node->sibling;
        }
        /* The newest child is first in the list: turn them round. */
        for (int a = first, b = w->n - 1; a < b; a++, b--) {
            struct item swap = w->items[a];

            w->items[a] = w->items[b];
            w->items[b] = swap;
        }
    }
    return err;
}

static struct pdump_stat *stats_of(const struct walk *w, int item)
{
    return w->stats + (size_t)item * w->n_stats;
}

/* Two threads may have made one name at the same time: the first id counts. */
static uint32_t first_of(const struct pdump_snapshot *s, uint32_t id)
{
    uint32_t first = 0;

    while (s->counter[first] != s->counter[id])
        first++;
    return first;
}

static void unite(struct pdump_stat *all, const struct pdump_stat *one)
{
    all->sum = pdump_snapshot_plus(all->sum, one->sum);
    all->sumsq += one->sumsq;
    if (one->min < all->min)
        all->min = one->min;
    if (one->max > all->max)
        all->max = one->max;
}

static void copy_extras(struct walk *w, const struct pdump_node *node,
                        struct pdump_stat *out)
{
    const struct pdump_extra *extra;

    for (uint32_t ref =
             atomic_load_explicit(&node->extra, memory_order_acquire);
         ref && pdump_snapshot_step(w->s); ref = extra->next) {
        const struct pdump_counter_record *counter;
        int64_t figures[sizeof(struct pdump_stat) / 8];
        struct pdump_stat stat;
        uint32_t at = ref + (uint32_t)offsetof(struct pdump_extra, stat) / 8;

        extra = pdump_store_at(w->s->base, ref);
        counter = pdump_store_at(w->s->base, extra->counter);
        if (counter->id >= w->s->n_counters)
            continue; /* made since the snapshot began */
        copy_figures(w, at, sizeof(stat) / 8, figures);
        memcpy(&stat, figures, sizeof(stat));
        unite(&out[first_of(w->s, counter->id)], &stat);
    }
}

/* Where counters were read in some visits only, those stand for all. */
static void scale_up(struct walk *w, uint64_t visits, uint64_t counted,
                     struct pdump_stat *stat)
{
    double ratio = (double)visits / (double)counted;

    w->is_estimated |= counted < visits;
    for (uint32_t m = 1; m < w->s->n_metrics; m++) {
        stat[m].sum = pdump_snapshot_scaled(ratio, stat[m].sum);
        stat[m].sumsq *= ratio;
    }
}

static bool is_gauge(const struct walk *w, uint32_t m)
{
    const struct pdump_metric *metric =
        pdump_store_at(w->s->base, w->s->head->metrics);

    return metric[m].kind == PDUMP_GAUGE;
}

/* The counters of an open visit so far.  A level counts as if the visit ended
 * now: the highest is what reports show of it. */
static void add_open(struct walk *w, const struct open_region *open,
                     struct pdump_stat *stat)
{
    for (uint32_t m = 1; m < w->s->n_metrics; m++) {
        int64_t value = w->s->self_values[m] - open->frame->start[m];

        stat[m].sum += value;
        if (is_gauge(w, m) && value < stat[m].min)
            stat[m].min = value;
        if (is_gauge(w, m) && value > stat[m].max)
            stat[m].max = value;
    }
}

/* Figures of an item, with what an open region had so far. */
static int copy_item(struct walk *w, int i)
{
    struct pdump_snapshot *s = w->s;
    struct item *item = &w->items[i];
    const struct pdump_node *node = pdump_store_at(s->base, item->ref);
    struct pdump_stat *stat = stats_of(w, i);
    int64_t figures[PDUMP_UNDO_MAX];

    copy_figures(w, pdump_node_counted(item->ref),
                 1 + pdump_node_words(s->n_metrics), figures);
    item->visits = (uint64_t)figures[1];
    memcpy(stat, figures + 2, s->n_metrics * sizeof(*stat));
    if (figures[0])
        scale_up(w, item->visits, (uint64_t)figures[0], stat);
    for (uint32_t c = 0; c < s->n_counters; c++)
        stat[s->n_metrics + c] = nothing;
    copy_extras(w, node, stat + s->n_metrics);

    item->open = find_region(w, item->ref);
    if (item->open && s->now > item->open->start)
        stat[0].sum = pdump_snapshot_plus(
            stat[0].sum, pdump_snapshot_minus(s->now, item->open->start));
    if (item->open && w->is_self && s->is_read &&
        !(item->open->frame->flags &
          (PDUMP_FRAME_UNREAD | PDUMP_FRAME_UNCOUNTED))) {
        item->is_read = true;
        add_open(w, item->open, stat);
    }

    item->node = -1;
    if (i > 0) {
        int region = pdump_snapshot_region(s, node->region);

        if (region < 0)
            return region;
        item->node =
            pdump_builder_node(s->builder, w->items[item->parent].node, region);
    }
    return i > 0 && item->node < 0 ? item->node : PDUMP_OK;
}

/* Is the sum of a metric known to be what it is, even below those inside?
 * Levels do not add up: those inside say nothing of the one around. */
static bool is_exact(const struct walk *w, int i, uint32_t m)
{
    const struct pdump_metric *metric =
        pdump_store_at(w->s->base, w->s->head->metrics);

    return !w->items[i].open || is_gauge(w, m) ||
           (w->items[i].is_read && pdump_source_may_sink(metric[m].name));
}

/* From the leaves up: user metrics include those inside; an open region has at
 * least what the regions in it have. */
static int roll_up(struct walk *w)
{
    uint32_t n = w->s->n_metrics;
    int64_t *inside = calloc((size_t)w->n * n, sizeof(*inside));

    if (!inside)
        return pdump_no_memory();
    for (int i = w->n - 1; i > 0; i--) {
        struct pdump_stat *stat = stats_of(w, i);
        int parent = w->items[i].parent;
        struct pdump_stat *above = stats_of(w, parent);

        for (uint32_t m = 0; m < n; m++) {
            int64_t *in = &inside[(size_t)i * n + m];

            if (stat[m].sum < *in && !is_exact(w, i, m))
                stat[m].sum = *in;
            inside[(size_t)parent * n + m] = pdump_snapshot_plus(
                inside[(size_t)parent * n + m], stat[m].sum);
        }
        for (uint32_t m = n; m < w->n_stats; m++)
            unite(&above[m], &stat[m]);
    }
    free(inside);
    return PDUMP_OK;
}

/* What is not left as it was measured. */
static int adjust(struct walk *w)
{
    int *parent = calloc((size_t)w->n, sizeof(*parent));
    uint64_t *visits = calloc((size_t)w->n, sizeof(*visits));
    struct pdump_snapshot_items items = { .n = w->n,
                                          .parent = parent,
                                          .visits = visits,
                                          .stats = w->stats,
                                          .n_stats = w->n_stats };
    const struct pdump_metric *metric =
        pdump_store_at(w->s->base, w->s->head->metrics);
    int err = parent && visits ? PDUMP_OK : pdump_no_memory();

    for (int i = 0; i < w->n && err >= 0; i++) {
        parent[i] = w->items[i].parent;
        visits[i] = w->items[i].visits;
    }
    for (uint32_t m = 1; w->is_estimated && m < w->s->n_metrics; m++)
        if (err >= 0 && metric[m].kind == PDUMP_COUNTER &&
            !pdump_source_may_sink(metric[m].name))
            err = pdump_snapshot_fit(&items, m);
    if (err >= 0 && w->s->head->is_subtracted)
        err = pdump_snapshot_subtract(&items, w->s->head->overhead_ticks,
                                      w->s->head->overhead_inside);
    free(parent);
    free(visits);
    return err;
}

static enum pdump_group group_of(const struct walk *w, int i)
{
    const struct pdump_node *node = pdump_store_at(w->s->base, w->items[i].ref);
    const struct pdump_region_record *region =
        pdump_store_at(w->s->base, node->region);

    return region->group;
}

/* A region that is begun in one function and ended in another was never
 * finished where it began (raise.h): no row for that. */
static void find_empty(struct walk *w)
{
    for (int i = 1; i < w->n; i++)
        w->items[i].is_empty =
            !w->items[i].visits && !w->items[i].open &&
            (group_of(w, i) == PDUMP_GROUP_FUNCTION ||
             (w->items[i].parent > 0 &&
              group_of(w, w->items[i].parent) == PDUMP_GROUP_FUNCTION));
    for (int i = w->n - 1; i > 0; i--)
        if (!w->items[i].is_empty)
            w->items[w->items[i].parent].is_empty = false;
}

static int by_builder_node(const void *a, const void *b)
{
    const struct item *x = *(struct item *const *)a;
    const struct item *y = *(struct item *const *)b;

    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x > y) - (x < y);
}

/* Two regions of the store may be one in the dump, as clones of a function
 * are: then their nodes are one, too. */
static int unite_twins(struct walk *w)
{
    struct item **sorted = calloc((size_t)w->n, sizeof(struct item *));
    int first = 0;

    if (!sorted)
        return pdump_no_memory();
    for (int i = 0; i < w->n; i++)
        sorted[i] = &w->items[i];
    qsort(sorted, (size_t)w->n, sizeof(struct item *), by_builder_node);
    for (int i = 1; i < w->n; i++) {
        struct item *item = sorted[i], *one = sorted[first];

        if (item->node != one->node) {
            first = i;
            continue;
        }
        item->is_twin = true;
        one->is_empty &= item->is_empty;
        one->visits += item->visits;
        if (!one->open)
            one->open = item->open;
        for (uint32_t m = 0; m < w->n_stats; m++)
            unite(stats_of(w, (int)(one - w->items)) + m,
                  stats_of(w, (int)(item - w->items)) + m);
    }
    free(sorted);
    return PDUMP_OK;
}

static int put_value(struct walk *w, int64_t row, int metric, double scale,
                     const struct pdump_stat *stat)
{
    bool is_known = stat->min <= stat->max;

    return pdump_builder_value(
        w->s->builder, row, metric, pdump_snapshot_scaled(scale, stat->sum),
        is_known ? pdump_snapshot_scaled(scale, stat->min) : PDUMP_MISSING,
        is_known ? pdump_snapshot_scaled(scale, stat->max) : PDUMP_MISSING,
        stat->sumsq * scale * scale);
}

static int put_row(struct walk *w, int i)
{
    struct pdump_snapshot *s = w->s;
    const struct item *item = &w->items[i];
    const struct pdump_stat *stat = stats_of(w, i);
    int64_t row = pdump_builder_row(s->builder, w->index, item->node,
                                    (int64_t)item->visits, item->open);
    int err = row < 0 ? (int)row : PDUMP_OK;

    for (uint32_t m = 0; m < s->n_metrics && err >= 0; m++)
        if (!(w->thread->missing >> m & 1))
            err = put_value(w, row, s->metric[m], s->scale[m], &stat[m]);
    for (uint32_t c = 0; c < s->n_counters && err >= 0; c++)
        if (stat[s->n_metrics + c].min <= stat[s->n_metrics + c].max)
            err =
                put_value(w, row, s->counter[c], 1.0, &stat[s->n_metrics + c]);
    return err;
}

static int add_rows(struct walk *w)
{
    int err = find_open(w);

    if (err >= 0)
        err = collect(w);
    if (err < 0)
        return err;
    w->n_stats = w->s->n_metrics + w->s->n_counters;
    w->stats = calloc((size_t)w->n * w->n_stats, sizeof(*w->stats));
    if (!w->stats)
        return pdump_no_memory();
    for (int i = 0; i < w->n && err >= 0; i++)
        err = copy_item(w, i);
    if (err >= 0)
        err = roll_up(w);
    if (err >= 0 && (w->is_estimated || w->s->head->is_subtracted))
        err = adjust(w);
    if (err >= 0 && w->s->has_functions) {
        find_empty(w);
        err = unite_twins(w);
    }
    if (err >= 0)
        err = pdump_builder_reserve(w->s->builder, w->n);
    for (int i = 1; i < w->n && err >= 0; i++)
        if (!w->items[i].is_twin && !w->items[i].is_empty)
            err = put_row(w, i);
    for (int i = 0; i < w->n && err >= 0; i++)
        if (!w->items[i].is_empty)
            err = pdump_snapshot_details(w->s, w->items[i].ref, w->index,
                                         w->items[i].node, copy_figures, w);
    return err;
}

static int by_ref(const void *a, const void *b)
{
    const struct pdump_snapshot_place *x = a, *y = b;

    return (x->ref > y->ref) - (x->ref < y->ref);
}

/* Samples and events: they name nodes of the store. */
static int add_visits(struct walk *w)
{
    bool has_events = pdump_snapshot_has_events(w->s, w->thread);
    struct pdump_snapshot_place *places;
    int err = PDUMP_OK;

    if (!w->thread->samples && !has_events)
        return PDUMP_OK;
    places = calloc((size_t)w->n, sizeof(*places));
    if (!places)
        return pdump_no_memory();
    for (int i = 0; i < w->n; i++) {
        places[i].ref = w->items[i].ref;
        places[i].node = w->items[i].node;
    }
    qsort(places, (size_t)w->n, sizeof(*places), by_ref);
    if (w->thread->samples)
        err = pdump_snapshot_samples(w->s, w->thread, w->index, places, w->n);
    if (has_events && err >= 0)
        err =
            pdump_snapshot_add_events(w->s, w->thread, w->index, places, w->n);
    free(places);
    return err;
}

/* A thread of ours is none of the program's: what it found out is told of the
 * first one. */
static int add_helper(struct walk *w)
{
    w->s->n_helpers++;
    w->index = w->s->first_thread;
    return w->index < 0 ? PDUMP_OK
                        : pdump_snapshot_details(w->s, w->thread->root,
                                                 w->index, -1, copy_figures, w);
}

int pdump_snapshot_thread(struct pdump_snapshot *s,
                          struct pdump_thread_record *thread)
{
    struct pdump_dump_thread out = { .process = s->process,
                                     .number =
                                         (int)(thread->number - s->n_helpers),
                                     .tid = thread->tid };
    struct walk w = { .s = s, .thread = thread };
    int err;

    if (thread->is_helper)
        return add_helper(&w);
    if (thread->name)
        out.name = pdump_store_at(s->base, thread->name);
    w.is_self = s->self && s->self->record == thread;
    w.index = pdump_builder_thread(s->builder, &out);
    if (s->first_thread < 0)
        s->first_thread = w.index;
    err = w.index < 0 ? w.index : add_rows(&w);
    if (err >= 0)
        err = add_visits(&w);
    free(w.items);
    free(w.stats);
    free(w.open);
    return err;
}
