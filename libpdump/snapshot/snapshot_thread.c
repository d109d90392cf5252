/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the nodes of one thread to rows. */
#include "base/metric_name.h"
#include "record/recorder_hot.h"
#include "snapshot/snapshot_private.h"

#include <stdlib.h>
#include <string.h>

struct walk {
    struct pdump_snapshot *s;
    struct pdump_thread_record *thread;
    int64_t values[PDUMP_METRICS_MAX]; /* current metrics, or PDUMP_UNREAD */
    int index;                         /* of the thread in the builder */
    int64_t first;                     /* its first row there */
    struct pdump_snapshot_opens opens;
    struct pdump_snapshot_nodes items;
};

static const struct pdump_stat nothing = { .min = INT64_MAX, .max = INT64_MIN };

/* Returns true if the node gets a row.  The overflow node always exists, so it
 * needs a visit.  A rewind node is not decided yet. */
static bool is_shown(const struct walk *w, uint32_t ref)
{
    const struct pdump_node *node = pdump_store_at(w->s->base, ref);
    const struct pdump_region_record *region =
        pdump_store_at(w->s->base, node->region);

    if (node->flags & PDUMP_NODE_REWIND)
        return false;
    /* In a truncated store, records beyond the end are zeroes. */
    if (!node->region || !region->id)
        return false;
    return region->group != PDUMP_GROUP_OVERFLOW || node->visits ||
           pdump_snapshot_open_frames_at(&w->opens, ref);
}

/* Collects all nodes, level by level. */
static int nodes_collect(struct walk *w)
{
    int err = pdump_snapshot_nodes_push(&w->items, w->thread->root, -1);

    for (int i = 0; i < w->items.n && err >= 0; i++) {
        const struct pdump_node *node =
            pdump_store_at(w->s->base, w->items.list[i].ref);
        uint32_t child =
            atomic_load_explicit(&node->child, memory_order_acquire);
        int first = w->items.n;

        while (child && err >= 0) {
            if (!pdump_snapshot_step(w->s))
                return PDUMP_EFORMAT;
            if (is_shown(w, child))
                err = pdump_snapshot_nodes_push(&w->items, child, i);
            node = pdump_store_at(w->s->base, child);
            child = node->sibling;
        }
        /* The list has the newest child first: reverse it. */
        for (int a = first, b = w->items.n - 1; a < b; a++, b--) {
            struct pdump_snapshot_node_row swap = w->items.list[a];

            w->items.list[a] = w->items.list[b];
            w->items.list[b] = swap;
        }
    }
    return err;
}

/* Two threads may add the same name at the same time: the first id is used. */
static uint32_t first_of(const struct pdump_snapshot *s, uint32_t id)
{
    uint32_t first = 0;

    while (s->counter[first] != s->counter[id])
        first++;
    return first;
}

static void copy_extras(struct walk *w, const struct pdump_node *node,
                        struct pdump_stat *out)
{
    const struct pdump_user_metric *extra;

    for (uint32_t ref =
             atomic_load_explicit(&node->extra, memory_order_acquire);
         ref && pdump_snapshot_step(w->s); ref = extra->next) {
        const struct pdump_counter_record *counter;
        int64_t figures[sizeof(struct pdump_stat) / 8];
        struct pdump_stat stat;
        uint32_t at =
            ref + (uint32_t)offsetof(struct pdump_user_metric, stat) / 8;

        extra = pdump_store_at(w->s->base, ref);
        counter = pdump_store_at(w->s->base, extra->counter);
        if (counter->id >= w->s->n_counters)
            continue; /* added since the snapshot began */
        pdump_snapshot_copy(w->s->base, w->thread, at, sizeof(stat) / 8,
                            figures);
        memcpy(&stat, figures, sizeof(stat));
        pdump_snapshot_nodes_unite(&out[first_of(w->s, counter->id)], &stat);
    }
}

/* If counters were read in only some visits, scales their sums to all
 * visits. */
static void scale_up(struct walk *w, uint64_t visits, uint64_t counted,
                     struct pdump_stat *stat)
{
    double ratio = (double)visits / (double)counted;

    w->items.is_estimated |= counted < visits;
    for (uint32_t m = 1; m < w->s->n_metrics; m++) {
        stat[m].sum = pdump_snapshot_scaled(ratio, stat[m].sum);
        stat[m].sumsq *= ratio;
    }
}

/* Adds the counters of an open visit so far, if they can be read.  A level
 * counts as if the visit ended now, because reports show its maximum. */
static void add_open(const struct walk *w, struct pdump_snapshot_node_row *item,
                     struct pdump_stat *stat)
{
    int64_t begin[PDUMP_METRICS_MAX];

    if (!pdump_snapshot_open_frames_begin(w->s, item->open, begin))
        return;
    for (uint32_t m = 1; m < w->s->n_metrics; m++) {
        const struct pdump_metric *metric = pdump_snapshot_metric(w->s, m);
        bool is_gauge = metric->kind == PDUMP_GAUGE;
        int64_t value = pdump_snapshot_minus(w->values[m], begin[m]);

        if (w->values[m] == PDUMP_UNREAD)
            continue;
        /* The clock of another thread may be a little behind. */
        if (value < 0 && !is_gauge && !pdump_metric_may_decrease(metric->name))
            continue;
        item->read |= UINT32_C(1) << m;
        stat[m].sum = pdump_snapshot_plus(stat[m].sum, value);
        if (is_gauge && value < stat[m].min)
            stat[m].min = value;
        if (is_gauge && value > stat[m].max)
            stat[m].max = value;
    }
}

/* Copies the figures of an item, and adds those of an open visit so far. */
static int copy_item(struct walk *w, int i)
{
    struct pdump_snapshot *s = w->s;
    struct pdump_snapshot_node_row *item = &w->items.list[i];
    const struct pdump_node *node = pdump_store_at(s->base, item->ref);
    struct pdump_stat *stat = pdump_snapshot_nodes_stats(&w->items, i);
    int64_t figures[PDUMP_UNDO_MAX];

    pdump_snapshot_copy(w->s->base, w->thread, pdump_node_counted(item->ref),
                        1 + pdump_node_words(s->n_metrics), figures);
    item->visits = (uint64_t)figures[1];
    memcpy(stat, figures + 2, s->n_metrics * sizeof(*stat));
    if (figures[0])
        scale_up(w, item->visits, (uint64_t)figures[0], stat);
    for (uint32_t c = 0; c < s->n_counters; c++)
        stat[s->n_metrics + c] = nothing;
    copy_extras(w, node, stat + s->n_metrics);

    item->open = pdump_snapshot_open_frames_at(&w->opens, item->ref);
    if (item->open && s->now > item->open->start)
        stat[0].sum = pdump_snapshot_plus(
            stat[0].sum, pdump_snapshot_minus(s->now, item->open->start));
    if (item->open)
        add_open(w, item, stat);

    item->node = -1;
    if (i > 0) {
        int region = pdump_snapshot_region(s, node->region);

        if (region < 0)
            return region;
        item->node = pdump_builder_node(
            s->builder, w->items.list[item->parent].node, region);
    }
    return i > 0 && item->node < 0 ? item->node : PDUMP_OK;
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
    const struct pdump_snapshot_node_row *item = &w->items.list[i];
    const struct pdump_stat *stat = pdump_snapshot_nodes_stats(&w->items, i);
    int64_t row = pdump_builder_row(s->builder, w->index, item->node,
                                    (int64_t)item->visits, item->open);
    int err = row < 0 ? (int)row : PDUMP_OK;

    for (uint32_t m = 0; m < s->n_metrics && err >= 0; m++)
        if (m == 0 || (!(w->thread->missing >> m & 1) &&
                       pdump_snapshot_nodes_is_known(&w->items, i, m)))
            err = put_value(w, row, s->metric[m], s->scale[m], &stat[m]);
    for (uint32_t c = 0; c < s->n_counters && err >= 0; c++)
        if (stat[s->n_metrics + c].min <= stat[s->n_metrics + c].max)
            err =
                put_value(w, row, s->counter[c], 1.0, &stat[s->n_metrics + c]);
    return err;
}

static int add_rows(struct walk *w)
{
    int err = pdump_snapshot_open_frames_find(w->s, w->thread, &w->opens);

    if (w->opens.n > 0)
        pdump_snapshot_open_frames_read(w->s, w->thread, w->values);
    if (err >= 0)
        err = nodes_collect(w);
    if (err < 0)
        return err;
    w->items.n_stats = w->s->n_metrics + w->s->n_counters;
    w->items.stats =
        calloc((size_t)w->items.n * w->items.n_stats, sizeof(*w->items.stats));
    if (!w->items.stats)
        return pdump_no_memory();
    for (int i = 0; i < w->items.n && err >= 0; i++)
        err = copy_item(w, i);
    if (err >= 0)
        err = pdump_snapshot_nodes_settle(w->s, &w->items);
    if (err >= 0)
        err = pdump_builder_reserve(w->s->builder, w->items.n);
    for (int i = 1; i < w->items.n && err >= 0; i++)
        if (!w->items.list[i].is_twin && !w->items.list[i].is_empty)
            err = put_row(w, i);
    for (int i = 0; i < w->items.n && err >= 0; i++)
        if (!w->items.list[i].is_empty)
            err = pdump_snapshot_details(w->s, w->thread, w->index,
                                         w->items.list[i].ref,
                                         w->items.list[i].node);
    return err;
}

static int by_ref(const void *a, const void *b)
{
    const struct pdump_snapshot_place *x = a, *y = b;

    return (x->ref > y->ref) - (x->ref < y->ref);
}

static int add_stacks(struct walk *w, const struct pdump_snapshot_place *places)
{
    struct pdump_snapshot_stacks where = { .index = w->index,
                                           .first = w->first,
                                           .places = places,
                                           .n_places = w->items.n };

    return pdump_snapshot_stacks_thread(
        w->s, (uint32_t)(((char *)w->thread - w->s->base) / 8), &where);
}

/* Adds samples, events and stacks, which name nodes of the store. */
static int add_visits(struct walk *w)
{
    bool has_events = pdump_snapshot_has_events(w->s, w->thread);
    struct pdump_snapshot_place *places;
    int err = PDUMP_OK;

    if (!w->thread->samples && !has_events && !w->s->stacks)
        return PDUMP_OK;
    places = calloc((size_t)w->items.n, sizeof(*places));
    if (!places)
        return pdump_no_memory();
    for (int i = 0; i < w->items.n; i++) {
        places[i].ref = w->items.list[i].ref;
        places[i].node = w->items.list[i].node;
    }
    qsort(places, (size_t)w->items.n, sizeof(*places), by_ref);
    if (w->thread->samples)
        err = pdump_snapshot_samples(w->s, w->thread, w->index, places,
                                     w->items.n);
    if (has_events && err >= 0)
        err = pdump_snapshot_add_events(w->s, w->thread, w->index, places,
                                        w->items.n);
    if (w->s->stacks && err >= 0)
        err = add_stacks(w, places);
    free(places);
    return err;
}

/* A thread of libpdump is not a thread of the program: its details are added to
 * those of the first thread. */
static int add_helper(struct walk *w)
{
    w->s->n_helpers++;
    w->index = w->s->first_thread;
    return w->index < 0 ? PDUMP_OK
                        : pdump_snapshot_details(w->s, w->thread, w->index,
                                                 w->thread->root, -1);
}

int pdump_snapshot_thread(struct pdump_snapshot *s,
                          struct pdump_thread_record *thread)
{
    struct pdump_dump_thread out = { .process = s->process,
                                     .number =
                                         (int)(thread->number - s->n_helpers),
                                     .tid = thread->tid };
    struct walk w = { .s = s,
                      .thread = thread,
                      .first = pdump_builder_tables(s->builder)->n_rows };
    int err;

    if (thread->is_helper)
        return add_helper(&w);
    if (thread->name)
        out.name = pdump_store_at(s->base, thread->name);
    w.index = pdump_builder_thread(s->builder, &out);
    if (s->n_threads <= out.number)
        s->n_threads = out.number + 1;
    if (s->first_thread < 0)
        s->first_thread = w.index;
    err = w.index < 0 ? w.index : add_rows(&w);
    if (err >= 0)
        err = add_visits(&w);
    free(w.items.list);
    free(w.items.stats);
    pdump_snapshot_open_frames_free(&w.opens);
    return err;
}
