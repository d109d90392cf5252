/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the stacks in a store to nodes. */
#include "snapshot/snapshot_stacks.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct frames {
    struct pdump_snapshot_frame *list; /* by ref; parents come first */
    int n;
};

static int by_ref(const void *a, const void *b)
{
    const struct pdump_snapshot_frame *x = a, *y = b;

    return (x->ref > y->ref) - (x->ref < y->ref);
}

/* Copies the figures of a frame, as they were before or after an update. */
__attribute__((no_sanitize("thread"))) static void figures_copy(
    struct pdump_snapshot *s, struct pdump_stack_record *rec, uint32_t ref,
    struct pdump_snapshot_frame *out)
{
    const volatile struct pdump_stack_node *node = pdump_store_at(s->base, ref);
    const volatile struct pdump_stack_record *undo = rec;
    uint64_t before, after;

    do {
        before = atomic_load_explicit(&rec->sequence, memory_order_acquire);
        out->count = node->count;
        out->ns = node->ns;
        if (before & 1 && undo->undo_ref == ref) {
            out->count = (uint64_t)undo->undo[0];
            out->ns = undo->undo[1];
        }
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&rec->sequence, memory_order_relaxed);
    } while (before != after);
}

/* Names a frame.  The path of the module is as pdump_symbols_place() would
 * write it. */
static int name_frame(struct pdump_snapshot *s,
                      const struct pdump_stack_node *node,
                      struct pdump_snapshot_frame *out)
{
    const struct pdump_module_record *rec =
        pdump_store_at(s->base, node->module);
    char path[PATH_MAX];

    if (node->kind == PDUMP_STACK_UNFINISHED)
        return pdump_snapshot_stack_function(s, PDUMP_STACKS_UNFINISHED, out);
    if (node->kind == PDUMP_STACK_SCRIPT)
        return pdump_snapshot_stack_script(
            s, pdump_store_at(s->base, node->module), node->address, out);
    if (!node->module || !*rec->path)
        return pdump_snapshot_stack_function(s, PDUMP_STACKS_NO_FILE, out);
    if (!realpath(rec->path, path))
        snprintf(path, sizeof(path), "%s", rec->path);
    return pdump_snapshot_stack_name(
        s,
        &(struct pdump_symbol_address){
            .module = path,
            .id = rec->id,
            .n_id = rec->n_id < sizeof(rec->id) ? rec->n_id : sizeof(rec->id),
            .offset = node->address },
        out);
}

/* Counts the frames of a thread; returns -1 if the list has no end. */
static int64_t frames_count(struct pdump_snapshot *s, uint32_t first)
{
    const struct pdump_stack_chunk *chunk;
    int64_t n = 0;

    for (uint32_t ref = first; ref; ref = chunk->next) {
        if (!pdump_snapshot_step(s))
            return -1;
        chunk = pdump_store_at(s->base, ref);
        n += atomic_load_explicit(&chunk->n, memory_order_acquire);
    }
    return n;
}

/* Adds the frames of a chunk.  Other threads may add more meanwhile. */
static void chunk_read(struct pdump_snapshot *s, struct pdump_stack_record *rec,
                       uint32_t at, int64_t max, struct frames *out)
{
    const struct pdump_stack_chunk *chunk = pdump_store_at(s->base, at);
    uint32_t n = atomic_load_explicit(&chunk->n, memory_order_acquire);
    uint32_t each = sizeof(chunk->nodes[0]) / 8;
    uint32_t ref = at + (uint32_t)offsetof(struct pdump_stack_chunk, nodes) / 8;

    for (uint32_t i = 0; i < n && i < chunk->room && out->n < max; i++) {
        struct pdump_snapshot_frame *f = &out->list[out->n++];

        f->ref = ref + i * each;
        figures_copy(s, rec, f->ref, f);
    }
}

/* Reads all frames of a thread. */
static int frames_read(struct pdump_snapshot *s, struct pdump_stack_record *rec,
                       struct frames *out)
{
    uint32_t first = atomic_load_explicit(&rec->chunks, memory_order_acquire);
    int64_t n = frames_count(s, first);
    const struct pdump_stack_chunk *chunk;

    if (n < 0 || (uint64_t)n > s->size / sizeof(struct pdump_stack_node))
        return pdump_fail(PDUMP_EFORMAT,
                          "the store is damaged: a list of stacks is wrong");
    out->list = calloc((size_t)n + 1, sizeof(*out->list));
    if (!out->list)
        return pdump_no_memory();
    for (uint32_t ref = first; ref; ref = chunk->next) {
        chunk = pdump_store_at(s->base, ref);
        chunk_read(s, rec, ref, n, out);
    }
    qsort(out->list, (size_t)out->n, sizeof(*out->list), by_ref);
    return PDUMP_OK;
}

/* Names all frames and finds their parents. */
static int frames_link(struct pdump_snapshot *s, struct frames *frames)
{
    for (int i = 0; i < frames->n; i++) {
        struct pdump_snapshot_frame *f = &frames->list[i];
        const struct pdump_stack_node *node = pdump_store_at(s->base, f->ref);
        struct pdump_snapshot_frame key = { .ref = node->parent };
        const struct pdump_snapshot_frame *parent =
            node->parent && node->parent < f->ref
                ? bsearch(&key, frames->list, (size_t)i, sizeof(key), by_ref)
                : NULL;
        int err;

        f->parent = parent ? (int)(parent - frames->list) : -1;
        f->node = node->node;
        err = name_frame(s, node, f);
        if (err < 0)
            return err;
    }
    return PDUMP_OK;
}

/* Returns the builder's node that has the stacks of a node of the store: that
 * node, or the nearest around it that has one. */
static int node_for(struct pdump_snapshot *s,
                    const struct pdump_snapshot_stacks *where, uint32_t ref)
{
    while (ref && pdump_snapshot_step(s)) {
        const struct pdump_node *node = pdump_store_at(s->base, ref);

        for (int low = 0, high = where->n_places; low < high;) {
            int middle = low + (high - low) / 2;

            if (where->places[middle].ref == ref)
                return where->places[middle].node;
            if (where->places[middle].ref < ref)
                low = middle + 1;
            else
                high = middle;
        }
        ref = node->parent;
    }
    return -1;
}

/* Adds the stacks that end in frame `i`. */
static int stack_add(struct pdump_snapshot *s,
                     const struct pdump_snapshot_stacks *where,
                     const struct frames *frames, int i,
                     struct pdump_stacks_frame *path)
{
    const struct pdump_snapshot_frame *leaf = &frames->list[i];
    int n = 0, outer = i;

    for (int at = i; at >= 0; at = frames->list[at].parent) {
        n += frames->list[at].n_parts;
        outer = at;
    }
    for (int at = i, k = n; at >= 0; at = frames->list[at].parent) {
        const struct pdump_snapshot_frame *f = &frames->list[at];

        k -= f->n_parts;
        memcpy(path + k, f->parts, (size_t)f->n_parts * sizeof(*path));
    }
    s->n_stacks += (int64_t)leaf->count;
    s->stacks_ns = pdump_snapshot_plus(s->stacks_ns, leaf->ns);
    if (((const struct pdump_stack_node *)pdump_store_at(
             s->base, frames->list[outer].ref))
            ->kind == PDUMP_STACK_UNFINISHED)
        s->n_stacks_unfinished += (int64_t)leaf->count;
    return pdump_stacks_add(s->stacks, where->index,
                            node_for(s, where, frames->list[outer].node), path,
                            n, (int64_t)leaf->count, leaf->ns);
}

static int record_add(struct pdump_snapshot *s,
                      const struct pdump_snapshot_stacks *where,
                      struct pdump_stack_record *rec)
{
    struct pdump_stacks_frame *path = NULL;
    struct frames frames = { .n = 0 };
    size_t n_parts = 0;
    int err = frames_read(s, rec, &frames);

    if (err >= 0)
        err = frames_link(s, &frames);
    if (err >= 0) {
        for (int i = 0; i < frames.n; i++)
            n_parts += (size_t)frames.list[i].n_parts;
        path = calloc(n_parts + 1, sizeof(*path));
        err = path ? PDUMP_OK : pdump_no_memory();
    }
    for (int i = 0; i < frames.n && err >= 0; i++)
        if (frames.list[i].count)
            err = stack_add(s, where, &frames, i, path);
    s->n_stacks_lost += (int64_t)rec->lost;
    s->stacks_ns = pdump_snapshot_plus(s->stacks_ns, rec->lost_ns);
    for (int i = 0; i < frames.n; i++) {
        free(frames.list[i].parts);
        free(frames.list[i].place);
    }
    free(frames.list);
    free(path);
    return err;
}

/* Returns the record at *ref, and makes *ref the next one; NULL at the end. */
static struct pdump_stack_record *record_next(struct pdump_snapshot *s,
                                              uint32_t *ref, int *err)
{
    struct pdump_stack_record *rec;

    if (!*ref || *err < 0)
        return NULL;
    if (!pdump_snapshot_step(s)) {
        *err = PDUMP_EFORMAT;
        return NULL;
    }
    rec = pdump_store_at(s->base, *ref);
    *ref = rec->next;
    return rec;
}

int pdump_snapshot_stacks_thread(struct pdump_snapshot *s, uint32_t thread,
                                 const struct pdump_snapshot_stacks *where)
{
    uint32_t next = s->head->stacks;
    struct pdump_stack_record *rec;
    int err = PDUMP_OK;

    while ((rec = record_next(s, &next, &err)) != NULL)
        if (rec->thread == thread)
            err = record_add(s, where, rec);
    return err < 0 ? err
                   : pdump_stacks_put(s->stacks, where->index, where->first);
}

int pdump_snapshot_stacks_others(struct pdump_snapshot *s)
{
    struct pdump_snapshot_stacks where = { .n_places = 0 };
    uint32_t next = s->head->stacks;
    struct pdump_stack_record *rec;
    int err = PDUMP_OK;

    while ((rec = record_next(s, &next, &err)) != NULL) {
        if (rec->thread || !rec->chunks)
            continue;
        where.index = pdump_builder_thread(
            s->builder, &(struct pdump_dump_thread){ .process = s->process,
                                                     .number = s->n_threads++,
                                                     .tid = rec->tid });
        where.first = pdump_builder_tables(s->builder)->n_rows;
        err = where.index < 0 ? where.index : record_add(s, &where, rec);
        if (err >= 0)
            err = pdump_stacks_put(s->stacks, where.index, where.first);
    }
    return err;
}

int pdump_snapshot_stacks_metadata(struct pdump_snapshot *s)
{
    const struct {
        const char *key;
        int64_t value;
    } facts[] = { { "stacks", s->n_stacks },
                  { "stacks_unfinished", s->n_stacks_unfinished },
                  { "stacks_lost", s->n_stacks_lost },
                  { "stacks_cpu_time_ns", s->stacks_ns } };
    int err = PDUMP_OK;

    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]) && err >= 0; i++) {
        char text[24];

        snprintf(text, sizeof(text), "%lld", (long long)facts[i].value);
        err = pdump_builder_metadata(s->builder, facts[i].key, text);
    }
    return err;
}
