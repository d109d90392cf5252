/* SPDX-License-Identifier: BSD-3-Clause */
/* User metrics: a short list per node, and the list of their names. */
#include "record/user_metric.h"

#include <string.h>

enum { WORDS = sizeof(struct pdump_stat) / 8 };

static const struct pdump_stat empty = { .min = INT64_MAX, .max = INT64_MIN };

/* Returns the ref of the record of a metric's name, made if new, or 0.  Two
 * threads may make the same name at the same time: then the snapshot finds it
 * twice and combines the two. */
static uint32_t counter_of(struct pdump_recorder *r, const char *name)
{
    _Atomic uint32_t *list = &r->shared->head->counters;
    struct pdump_counter_record *rec;
    uint32_t first = atomic_load(list), ref;

    for (ref = first; ref; ref = rec->next) {
        rec = pdump_store_at(r->base, ref);
        if (strcmp(rec->name, name) == 0)
            return ref;
    }
    ref = pdump_arena_alloc(&r->arena, sizeof(*rec) + strlen(name) + 1);
    if (!ref)
        return 0;
    rec = pdump_store_at(r->base, ref);
    strcpy(rec->name, name);
    do {
        const struct pdump_counter_record *before =
            pdump_store_at(r->base, first);

        rec->next = first;
        rec->id = first ? before->id + 1 : 0;
    } while (!atomic_compare_exchange_weak(list, &first, ref));
    return ref;
}

/* Returns the figures of a metric in a node, made if new, or NULL. */
static struct pdump_user_metric *extra_of(struct pdump_recorder *r,
                                          uint32_t node_ref, uint32_t counter,
                                          uint32_t *out)
{
    struct pdump_node *node = pdump_store_at(r->base, node_ref);
    struct pdump_user_metric *extra;
    uint32_t ref;

    for (ref = node->extra; ref; ref = extra->next) {
        extra = pdump_store_at(r->base, ref);
        if (extra->counter == counter)
            goto out;
    }
    ref = pdump_arena_alloc(&r->arena, sizeof(*extra));
    if (!ref)
        return NULL;
    extra = pdump_store_at(r->base, ref);
    extra->counter = counter;
    extra->stat = empty;
    extra->next = node->extra;
    atomic_store_explicit(&node->extra, ref, memory_order_release);
out:
    *out = ref + (uint32_t)offsetof(struct pdump_user_metric, stat) / 8;
    return extra;
}

static int user_metric_add(struct pdump_recorder *r, uint32_t node,
                           uint32_t counter, const struct pdump_stat *more)
{
    uint32_t ref;
    struct pdump_user_metric *extra = extra_of(r, node, counter, &ref);

    if (!extra)
        return pdump_no_memory();
    pdump_recorder_change(r, ref, WORDS);
    extra->stat.sum += more->sum;
    extra->stat.sumsq += more->sumsq;
    if (more->min < extra->stat.min)
        extra->stat.min = more->min;
    if (more->max > extra->stat.max)
        extra->stat.max = more->max;
    pdump_recorder_changed(r);
    return PDUMP_OK;
}

int pdump_user_metric_add(struct pdump_recorder *r, uint32_t node,
                          const char *name, int64_t value)
{
    struct pdump_stat one = { .sum = value,
                              .min = value,
                              .max = value,
                              .sumsq = (double)value * (double)value };
    uint32_t counter = counter_of(r, name);

    if (!counter)
        return pdump_no_memory();
    return user_metric_add(r, node, counter, &one);
}

int pdump_user_metric_move(struct pdump_recorder *r, uint32_t from, uint32_t to)
{
    struct pdump_node *node = pdump_store_at(r->base, from);
    struct pdump_user_metric *extra;
    int err = PDUMP_OK;

    for (uint32_t ref = node->extra; ref; ref = extra->next) {
        struct pdump_stat stat;

        extra = pdump_store_at(r->base, ref);
        stat = extra->stat;
        pdump_recorder_change(
            r, ref + (uint32_t)offsetof(struct pdump_user_metric, stat) / 8,
            WORDS);
        extra->stat = empty;
        pdump_recorder_changed(r);
        if (to && stat.min <= stat.max &&
            user_metric_add(r, to, extra->counter, &stat) < 0)
            err = pdump_no_memory();
    }
    return err;
}
