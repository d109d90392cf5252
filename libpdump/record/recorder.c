/* SPDX-License-Identifier: BSD-3-Clause */
/* Records the regions of one thread, without the hot path and the ends. */
#include "record/recorder.h"
#include "record/recorder_hot.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int pdump_recorder_misuse_by(pdump_warner *warn, const char *cause,
                             const char *fmt, ...)
{
    char text[400];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    warn(cause, "%s", text);
    return pdump_fail(PDUMP_ESTATE, "%s", text);
}

bool pdump_recorder_read(struct pdump_recorder *r, int64_t *values)
{
    values[0] = pdump_clock_now();
    return pdump_hot_read(r, values, false);
}

/* Returns a new frame, one level deeper, or 0 if the limit is reached. */
uint32_t pdump_recorder_deeper(struct pdump_recorder *r)
{
    struct pdump_frame *up = r->top, *frame;
    uint32_t ref = 0;

    if (r->depth < r->shared->depth_max)
        ref = pdump_arena_alloc(
            &r->arena, sizeof(*frame) + r->n_metrics * sizeof(frame->start[0]));
    if (!ref) {
        r->record->too_deep++;
        return 0;
    }
    r->depth++;
    frame = pdump_hot_frame(r, ref);
    frame->up = atomic_load_explicit(&r->record->top, memory_order_relaxed);
    up->down = ref;
    return ref;
}

int pdump_recorder_too_deep(const struct pdump_recorder *r)
{
    return pdump_recorder_misuse(
        "too deep", "more than %" PRId64 " nested regions (PDUMP_DEPTH_MAX)",
        r->shared->depth_max);
}

/* Returns true if the node belongs to a call or a function that has time only.
 */
static bool is_timed(const struct pdump_recorder *r, uint32_t node)
{
    uint32_t group = pdump_hot_region(r, node)->group;

    return r->call_flags &&
           (group == PDUMP_GROUP_MPI || group == PDUMP_GROUP_IO ||
            group == PDUMP_GROUP_FUNCTION);
}

/* Returns, as flags, whether this visit reads counters.  With
 * PDUMP_COUNTERS_EVERY=n the first visit of a node does, and every n-th after
 * it. */
static uint32_t counted_flags(const struct pdump_recorder *r, uint32_t node)
{
    int64_t every = r->shared->counters_every;

    if (is_timed(r, node))
        return PDUMP_FRAME_UNCOUNTED;
    if (every <= 1)
        return 0;
    return pdump_hot_node(r, node)->visits % (uint64_t)every
               ? PDUMP_FRAME_UNCOUNTED
               : PDUMP_FRAME_SHARED;
}

uint32_t pdump_recorder_frame_flags(const struct pdump_recorder *r,
                                    uint32_t node)
{
    return (r->shared->wants_samples ? PDUMP_FRAME_SAMPLED : 0) |
           (r->shared->throttle ? PDUMP_FRAME_JUDGED : 0) |
           counted_flags(r, node);
}

bool pdump_recorder_is_plain(const struct pdump_recorder *r, uint32_t node)
{
    return !r->shared->wants_samples && !r->shared->throttle &&
           (r->shared->counters_every <= 1 || is_timed(r, node));
}

/* As pdump_recorder_frame_flags(), for a frame that already has flags. */
static uint32_t flags_for(const struct pdump_recorder *r, uint32_t node,
                          uint32_t flags)
{
    if (!flags)
        return pdump_recorder_frame_flags(r, node);
    if (flags == PDUMP_FRAME_REWIND && r->shared->wants_samples)
        flags |= PDUMP_FRAME_SAMPLED;
    /* Counters of a parameter are read if those of its region are; counters of
     * other special frames always. */
    if (flags & PDUMP_FRAME_PARAMETER && r->top->flags & PDUMP_FRAME_UNCOUNTED)
        return flags | PDUMP_FRAME_UNCOUNTED;
    return flags | (r->shared->counters_every > 1 ? PDUMP_FRAME_SHARED : 0);
}

bool pdump_recorder_push(struct pdump_recorder *r, uint32_t node,
                         uint32_t flags)
{
    if (!r->top->down && !pdump_recorder_deeper(r)) {
        if (!flags)
            pdump_hot_skip(r);
        return false;
    }
    flags = flags_for(r, node, flags);
    if (node == r->tree.overflow)
        flags |= PDUMP_FRAME_ELSEWHERE;
    pdump_hot_push(r, node, flags, pdump_hot_way(r, flags));
    return true;
}

bool pdump_recorder_push_skipped(struct pdump_recorder *r, uint32_t flags)
{
    uint32_t ref = r->top->down, node = r->top->node;

    if (!ref)
        ref = pdump_recorder_deeper(r);
    if (!ref)
        return false;
    r->top = pdump_hot_frame(r, ref);
    r->top->node = node;
    r->top->flags = PDUMP_FRAME_SKIPPED | flags;
    r->top->skipped = 0;
    atomic_store_explicit(&r->record->top, ref, memory_order_release);
    return true;
}

uint32_t pdump_recorder_child(struct pdump_recorder *r, uint32_t parent,
                              uint32_t region)
{
    uint32_t n = r->tree.n_nodes;
    uint32_t node = pdump_tree_child(&r->tree, parent, region, 0);

    if (r->tree.n_nodes != n && r->shared->look)
        r->shared->look(r->shared);
    if (region == r->tree.regions->overflow || node == r->tree.overflow)
        r->record->overflow++;
    return node;
}

/* A region that the filter excludes, or that is throttled, is ignored except
 * for its end.  Regions begun in it become children of the enclosing region. */
bool pdump_recorder_is_left_out(const struct pdump_recorder *r, uint32_t region)
{
    const struct pdump_region_record *rec = pdump_store_at(r->base, region);

    return rec->is_excluded || pdump_throttle_takes(r->base, rec);
}

/* Returns the cache slot for such a region, by the address of its name. */
static uint32_t *excluded_guess(struct pdump_recorder *r, const char *name)
{
    uint64_t key = (uint64_t)(uintptr_t)name * UINT64_C(0x9e3779b97f4a7c15);

    return &r->excluded[key >> (64 - PDUMP_EXCLUDED_BITS)];
}

static bool is_known_out(struct pdump_recorder *r, const char *name, size_t len)
{
    uint32_t region = *excluded_guess(r, name);
    const struct pdump_region_record *rec = pdump_store_at(r->base, region);

    return region && rec->length == len && memcmp(rec->name, name, len) == 0 &&
           pdump_recorder_is_left_out(r, region);
}

/* Begins a region, and keeps its node in the cache under `key`. */
static int begin_region(struct pdump_recorder *r, uint32_t region, bool is_out,
                        const void *key)
{
    uint32_t parent = r->top->node, node;

    if (is_out || /* or too deep: do not make a node */
        (!r->top->down && !pdump_recorder_deeper(r))) {
        pdump_hot_skip(r);
        return PDUMP_OK;
    }
    node = pdump_recorder_child(r, parent, region);
    /* Without a cache entry every begin takes this slow path, which handles all
     * cases. */
    if (pdump_recorder_is_plain(r, node))
        *pdump_tree_guess(&r->tree, parent, key) = node;
    pdump_recorder_push(r, node, 0);
    return PDUMP_OK;
}

/* The name is new under this parent, or at another address than before. */
int pdump_recorder_begin_slow(struct pdump_recorder *r, const char *name,
                              size_t len)
{
    uint32_t region;
    bool is_out;
    int err;

    if (is_known_out(r, name, len)) {
        pdump_hot_skip(r);
        return PDUMP_OK;
    }
    err = pdump_regions_add(r->tree.regions, name, len, PDUMP_GROUP_USER, NULL,
                            0, &region);
    if (err < 0)
        return err;
    is_out = pdump_recorder_is_left_out(r, region);
    if (is_out)
        *excluded_guess(r, name) = region;
    return begin_region(r, region, is_out, name);
}

int pdump_recorder_begin(struct pdump_recorder *r, const char *name)
{
    return pdump_hot_begin(r, name, r->way);
}

int pdump_recorder_begin_n(struct pdump_recorder *r, const char *name,
                           size_t len)
{
    return pdump_hot_begin_n(r, name, len, r->way);
}

int pdump_recorder_enter_slow(struct pdump_recorder *r, uint32_t region)
{
    return begin_region(r, region, pdump_recorder_is_left_out(r, region),
                        (void *)(uintptr_t)region);
}

int pdump_recorder_enter(struct pdump_recorder *r, uint32_t region)
{
    return pdump_hot_enter(r, region, 0, r->way);
}

void pdump_recorder_change(struct pdump_recorder *r, uint32_t ref,
                           uint32_t words)
{
    pdump_hot_change(r, ref, words);
}

void pdump_recorder_changed(struct pdump_recorder *r)
{
    pdump_hot_changed(r);
}

bool pdump_recorder_is_in_region(const struct pdump_recorder *r)
{
    return r->top->skipped ||
           !(r->top->flags & (PDUMP_FRAME_BOTTOM | PDUMP_FRAME_PROGRAM));
}

bool pdump_recorder_is_recorded(const struct pdump_recorder *r)
{
    return !r->top->skipped &&
           !(r->top->flags & (PDUMP_FRAME_BOTTOM | PDUMP_FRAME_SKIPPED));
}
