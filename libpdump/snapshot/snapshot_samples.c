/* SPDX-License-Identifier: BSD-3-Clause */
/* The samples of one thread of a snapshot. */
#include "record/samples.h"
#include "snapshot/snapshot_private.h"

#include <stdlib.h>
#include <string.h>

struct walk {
    struct pdump_snapshot *s;
    struct pdump_thread_record *thread;
    int index;
    const struct pdump_snapshot_place *places;
    int n_places;
    uint32_t cuts;   /* of the thread, when the snapshot began */
    int64_t *visits; /* by the builder's node: number of samples so far */
    int n_visits;
};

static int places_compare(const void *a, const void *b)
{
    const struct pdump_snapshot_place *x = a, *y = b;

    return (x->ref > y->ref) - (x->ref < y->ref);
}

/* The root of a thread is not a region and is never sampled. */
static int samples_damaged(void)
{
    return pdump_fail(PDUMP_EFORMAT, "the store is damaged: a node is wrong");
}

/* Returns the builder's node for a node below a rewind node.  That has no row,
 * so the node is found by its regions, from the top. */
static int node_by_path(struct pdump_snapshot *s, uint32_t ref)
{
    const struct pdump_node *node = pdump_store_at(s->base, ref);
    int depth = 0, index = -1;
    bool is_found = false;
    uint32_t *path;

    for (const struct pdump_node *n = node; n->parent; depth++) {
        if (!pdump_snapshot_step(s))
            return PDUMP_EFORMAT;
        n = pdump_store_at(s->base, n->parent);
    }
    if (depth == 0)
        return samples_damaged();
    path = calloc((size_t)depth, sizeof(*path));
    if (!path)
        return pdump_no_memory();
    for (int i = depth - 1; i >= 0; i--) {
        path[i] = node->region;
        node = pdump_store_at(s->base, node->parent);
    }
    for (int i = 0; i < depth; i++) {
        const struct pdump_region_record *rec =
            pdump_store_at(s->base, path[i]);
        int region;

        if (rec->is_excluded) /* a rewind region is not shown itself */
            continue;
        is_found = true;
        region = pdump_snapshot_region(s, path[i]);
        index =
            region < 0 ? region : pdump_builder_node(s->builder, index, region);
        if (index < 0)
            break;
    }
    free(path);
    return is_found ? index : samples_damaged();
}

int pdump_snapshot_node(struct pdump_snapshot *s,
                        const struct pdump_snapshot_place *places, int n_places,
                        uint32_t ref)
{
    struct pdump_snapshot_place key = { .ref = ref };
    const struct pdump_snapshot_place *place =
        bsearch(&key, places, (size_t)n_places, sizeof(key), places_compare);

    if (!place)
        return node_by_path(s, ref);
    return place->node < 0 ? samples_damaged() : place->node;
}

/* Returns the number of this visit among those of its node. */
static int64_t number_of(struct walk *w, int node)
{
    if (node >= w->n_visits) {
        int n = node * 2 + 64;
        int64_t *visits = realloc(w->visits, (size_t)n * sizeof(*visits));

        if (!visits)
            return pdump_no_memory();
        memset(visits + w->n_visits, 0,
               (size_t)(n - w->n_visits) * sizeof(*visits));
        w->visits = visits;
        w->n_visits = n;
    }
    return w->visits[node]++;
}

/* A copy of a sample.  The thread may discard the sample and reuse its memory
 * during the copy: then sample_copy() returns false, and the samples that
 * follow are not reliable either. */
struct copy {
    uint32_t node;
    int64_t number;
    int64_t start;
    int64_t values[PDUMP_METRICS_MAX];
};

__attribute__((no_sanitize("thread"))) static bool sample_copy(
    const struct walk *w, const volatile struct pdump_sample *sample,
    struct copy *out)
{
    out->node = sample->node;
    out->number = sample->number;
    out->start = sample->start;
    for (uint32_t m = 0; m < w->s->n_metrics; m++)
        out->values[m] = sample->values[m];
    atomic_thread_fence(memory_order_acquire);
    return atomic_load_explicit(&w->thread->cuts, memory_order_relaxed) ==
           w->cuts;
}

static int sample_add(struct walk *w, const struct copy *sample)
{
    struct pdump_snapshot *s = w->s;
    struct pdump_dump_sample out = { .thread = w->index };
    int64_t *values = s->sample_values;

    out.node = pdump_snapshot_node(s, w->places, w->n_places, sample->node);
    if (out.node < 0)
        return out.node;
    out.number = sample->number >= 0 ? sample->number : number_of(w, out.node);
    if (out.number < 0)
        return (int)out.number;
    out.start = pdump_snapshot_scaled(
        s->scale[0], pdump_snapshot_minus(sample->start, s->head->start.ticks));
    for (uint32_t m = 0; m < s->n_metrics; m++)
        values[s->metric[m]] =
            w->thread->missing >> m & 1
                ? PDUMP_MISSING
                : pdump_snapshot_scaled(s->scale[m], sample->values[m]);
    return pdump_builder_sample(s->builder, &out, values);
}

static int add_chunks(struct walk *w, const uint32_t *chunks, int n)
{
    int err = PDUMP_OK;

    /* The list has the newest chunk first. */
    while (n > 0 && err >= 0) {
        struct pdump_chunk *chunk = pdump_store_at(w->s->base, chunks[--n]);
        uint32_t n_samples =
            atomic_load_explicit(&chunk->n, memory_order_acquire);

        for (uint32_t i = 0; i < n_samples && err >= 0; i++) {
            struct copy sample;

            if (!pdump_snapshot_step(w->s))
                return PDUMP_EFORMAT;
            if (!sample_copy(w, pdump_sample_at(chunk, i, w->s->n_metrics),
                             &sample))
                return PDUMP_OK;
            err = sample_add(w, &sample);
        }
    }
    return err;
}

int pdump_snapshot_samples(struct pdump_snapshot *s,
                           struct pdump_thread_record *thread, int index,
                           const struct pdump_snapshot_place *places,
                           int n_places)
{
    struct walk w = { .s = s,
                      .thread = thread,
                      .index = index,
                      .places = places,
                      .n_places = n_places,
                      .cuts = atomic_load(&thread->cuts) };
    uint32_t first =
        atomic_load_explicit(&thread->samples, memory_order_acquire);
    const struct pdump_chunk *chunk;
    uint32_t *chunks;
    int n = 0, err;

    for (uint32_t ref = first; ref; ref = chunk->next, n++) {
        if (!pdump_snapshot_step(s))
            return PDUMP_EFORMAT;
        chunk = pdump_store_at(s->base, ref);
    }
    chunks = calloc((size_t)n + 1, sizeof(*chunks));
    if (!chunks)
        return pdump_no_memory();
    n = 0;
    for (uint32_t ref = first; ref; ref = chunk->next) {
        chunk = pdump_store_at(s->base, ref);
        chunks[n++] = ref;
    }
    err = add_chunks(&w, chunks, n);
    free(chunks);
    free(w.visits);
    return err;
}
