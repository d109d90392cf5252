/* SPDX-License-Identifier: BSD-3-Clause */
/* Records the regions of one thread: all but the hot path. */
#include "recorder.h"
#include "log.h"
#include "raise.h"
#include "recorder_hot.h"
#include "samples.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int pdump_recorder_misuse(const char *cause, const char *fmt, ...)
{
    char text[400];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    pdump_warn(cause, "%s", text);
    return pdump_fail(PDUMP_ESTATE, "%s", text);
}

static struct pdump_frame *frame_at(const struct pdump_recorder *r,
                                    uint32_t ref)
{
    return pdump_hot_frame(r, ref);
}

bool pdump_recorder_read(struct pdump_recorder *r, int64_t *values)
{
    values[0] = pdump_clock_now();
    return pdump_hot_read(r, values, false);
}

bool pdump_recorder_read_for(struct pdump_recorder *r,
                             const struct pdump_frame *last, int64_t *values)
{
    for (const struct pdump_frame *frame = r->top; frame != last;
         frame = frame_at(r, frame->up))
        if (!(frame->flags & PDUMP_FRAME_UNCOUNTED))
            return pdump_hot_read(r, values, false);
    return true;
}

/* A frame for one level more, or 0 where the limit is reached. */
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
    frame = frame_at(r, ref);
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

/* Which of a node's visits are counted, where not all are: the first, ... */
static uint32_t share(const struct pdump_recorder *r, uint32_t node)
{
    int64_t every = r->shared->counters_every;

    if (every <= 1)
        return 0;
    return pdump_hot_node(r, node)->visits % (uint64_t)every
               ? PDUMP_FRAME_UNCOUNTED
               : PDUMP_FRAME_SHARED;
}

uint32_t pdump_recorder_cares(const struct pdump_recorder *r, uint32_t node)
{
    return (r->shared->wants_samples ? PDUMP_FRAME_SAMPLED : 0) |
           (r->shared->throttle ? PDUMP_FRAME_JUDGED : 0) | share(r, node);
}

/* As pdump_recorder_cares(), for a frame that has flags already. */
static uint32_t cares_for(const struct pdump_recorder *r, uint32_t node,
                          uint32_t flags)
{
    if (!flags)
        return pdump_recorder_cares(r, node);
    if (flags == PDUMP_FRAME_REWIND && r->shared->wants_samples)
        flags |= PDUMP_FRAME_SAMPLED;
    if (r->shared->counters_every <= 1)
        return flags;
    /* A parameter is counted as its region is, anything else always. */
    return flags | (flags & PDUMP_FRAME_PARAMETER &&
                            r->top->flags & PDUMP_FRAME_UNCOUNTED
                        ? PDUMP_FRAME_UNCOUNTED
                        : PDUMP_FRAME_SHARED);
}

bool pdump_recorder_push(struct pdump_recorder *r, uint32_t node,
                         uint32_t flags)
{
    if (!r->top->down && !pdump_recorder_deeper(r)) {
        if (!flags)
            pdump_hot_skip(r);
        return false;
    }
    flags = cares_for(r, node, flags);
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
    r->top = frame_at(r, ref);
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

/* Excluded by the filter, or throttled: as if it were not there, but for its
 * end.  What is begun in it is a child of the region that it is in. */
bool pdump_recorder_leaves_out(const struct pdump_recorder *r, uint32_t region)
{
    const struct pdump_region_record *rec = pdump_store_at(r->base, region);

    return rec->is_excluded || pdump_throttle_takes(r->base, rec);
}

/* Where to remember that; a guess, as in tree.h. */
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
           pdump_recorder_leaves_out(r, region);
}

/* The name is new here, or at another address than last time. */
int pdump_recorder_begin_slow(struct pdump_recorder *r, const char *name,
                              size_t len)
{
    uint32_t parent = r->top->node, region, node;
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
    is_out = pdump_recorder_leaves_out(r, region);
    if (is_out)
        *excluded_guess(r, name) = region;
    if (is_out || /* or too deep: leave no node behind */
        (!r->top->down && !pdump_recorder_deeper(r))) {
        pdump_hot_skip(r);
        return PDUMP_OK;
    }
    node = pdump_recorder_child(r, parent, region);
    /* Without a guess every begin comes here, where all is seen to. */
    if (!pdump_recorder_cares(r, node))
        *pdump_tree_guess(&r->tree, parent, name) = node;
    pdump_recorder_push(r, node, 0);
    return PDUMP_OK;
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
    uint32_t parent = r->top->node, node;

    if (pdump_recorder_leaves_out(r, region) ||
        (!r->top->down && !pdump_recorder_deeper(r))) {
        pdump_hot_skip(r);
        return PDUMP_OK;
    }
    node = pdump_recorder_child(r, parent, region);
    if (!pdump_recorder_cares(r, node))
        *pdump_tree_guess(&r->tree, parent, (void *)(uintptr_t)region) = node;
    pdump_recorder_push(r, node, 0);
    return PDUMP_OK;
}

int pdump_recorder_enter(struct pdump_recorder *r, uint32_t region)
{
    return pdump_hot_enter(r, region, r->way);
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

/* As pdump_hot_finish(), of a visit that stands for others as well. */
static void finish_shared(struct pdump_recorder *r, struct pdump_frame *frame,
                          const int64_t *end)
{
    struct pdump_node *node = pdump_hot_node(r, frame->node);

    pdump_hot_change(r, pdump_node_counted(frame->node),
                     1 + pdump_node_words(r->n_metrics));
    node->counted++;
    pdump_hot_finish_in(r, frame, node, end, r->n_metrics);
}

static void finish(struct pdump_recorder *r, struct pdump_frame *frame,
                   const int64_t *end, bool is_good)
{
    uint32_t flags = frame->flags;

    if (flags & PDUMP_FRAME_JUDGED)
        pdump_throttle_judge(r->shared->throttle,
                             pdump_hot_node(r, frame->node)->region,
                             end[0] - frame->start[0]);
    if (flags & PDUMP_FRAME_UNCOUNTED) {
        pdump_hot_finish(r, frame, end, 1);
        return;
    }
    if (unlikely(!is_good || flags & PDUMP_FRAME_UNREAD)) {
        r->record->read_errors++;
        pdump_hot_finish(r, frame, end, 1);
        return;
    }
    if (flags & (PDUMP_FRAME_SAMPLED | PDUMP_FRAME_PROFILE | PDUMP_FRAME_STEP))
        pdump_samples_add(r, frame, end);
    if (flags & PDUMP_FRAME_SHARED)
        finish_shared(r, frame, end);
    else
        pdump_hot_finish(r, frame, end, r->n_metrics);
}

/* As pdump_hot_finish(), for whatever kind of frame. */
void pdump_recorder_finish(struct pdump_recorder *r, struct pdump_frame *frame,
                           const int64_t *end, bool is_good)
{
    const struct pdump_node *node = pdump_hot_node(r, frame->node);

    if (frame->flags & PDUMP_FRAME_SKIPPED) {
        r->top = frame_at(r, frame->up);
        atomic_store_explicit(&r->record->top, frame->up, memory_order_release);
        return;
    }
    if (r->way & PDUMP_WAY_TRACED && is_good)
        pdump_hot_trace_leave(r, frame, end);
    else if (r->way & PDUMP_WAY_TRACED)
        pdump_hot_trace(r, PDUMP_EVENT_LEAVE, frame->node, end[0]);
    finish(r, frame, end, is_good);
    /* It was raised, or is counted elsewhere for lack of room. */
    if (unlikely(node->parent != r->top->node))
        pdump_events_at(r);
}

struct pdump_frame *pdump_recorder_frame(const struct pdump_recorder *r)
{
    struct pdump_frame *frame = r->top;

    while (frame->flags & PDUMP_FRAME_PARAMETER)
        frame = frame_at(r, frame->up);
    return frame;
}

void pdump_recorder_pop_to(struct pdump_recorder *r,
                           const struct pdump_frame *last)
{
    int64_t end[PDUMP_METRICS_MAX] = { 0 };
    int64_t now = pdump_clock_now();
    bool is_good = pdump_recorder_read_for(r, last, end);

    end[0] = now;
    while (r->top != last)
        pdump_recorder_finish(r, r->top, end, is_good);
}

int pdump_recorder_pop(struct pdump_recorder *r, uint32_t flags)
{
    struct pdump_frame *frame;

    pdump_raise_region(r);
    frame = pdump_recorder_frame(r);
    if (r->top->skipped || (frame->flags & flags) != flags)
        return pdump_fail(PDUMP_ESTATE, "a region is open inside");
    pdump_recorder_pop_to(r, frame_at(r, frame->up));
    return PDUMP_OK;
}

static bool is_meant(const struct pdump_recorder *r,
                     const struct pdump_frame *frame,
                     struct pdump_ending ending)
{
    const struct pdump_region_record *region = pdump_hot_region(r, frame->node);

    if (region->group == PDUMP_GROUP_OVERFLOW)
        return true;
    if (ending.region)
        return ending.region == pdump_hot_node(r, frame->node)->region;
    return !ending.name || (region->length == ending.len &&
                            memcmp(region->name, ending.name, ending.len) == 0);
}

/* How an open frame that is no plain region is to be ended. */
static const char *other_end(uint32_t flags)
{
    if (flags & PDUMP_FRAME_PROFILE)
        return "pdump_end_profile()";
    if (flags & PDUMP_FRAME_STEP)
        return "pdump_end_step()";
    return "pdump_rewind_end()";
}

static int wrong_end(const struct pdump_recorder *r,
                     const struct pdump_frame *frame,
                     struct pdump_ending ending)
{
    const struct pdump_region_record *region =
        pdump_store_at(r->base, ending.region);
    const char *name = ending.region ? region->name : ending.name;
    size_t all = ending.region ? region->length : ending.len;
    int len = all < 200 ? (int)all : 200;

    if (!name)
        name = "(any)", len = 5;
    if (frame->flags &
        (PDUMP_FRAME_BOTTOM | PDUMP_FRAME_FUNCTION | PDUMP_FRAME_PROGRAM))
        return pdump_recorder_misuse("end without begin",
                                     "end of region '%.*s', but none is open",
                                     len, name);
    if (frame->flags & PDUMP_FRAME_OTHERS)
        return pdump_recorder_misuse(
            "wrong kind of end",
            "end of region '%.*s', but the innermost is one to end by %s", len,
            name, other_end(frame->flags));
    return pdump_recorder_misuse(
        "crossed ends", "end of region '%.*s', but '%.100s' is open in it", len,
        name, pdump_hot_region(r, frame->node)->name);
}

static bool is_call(const struct pdump_recorder *r,
                    const struct pdump_frame *frame)
{
    uint32_t group = frame->flags ? 0 : pdump_hot_region(r, frame->node)->group;

    return group == PDUMP_GROUP_IO || group == PDUMP_GROUP_MPI;
}

/* A call that was left by longjmp() is open still, and its end never comes:
 * it ends with the region that it is in. */
static struct pdump_frame *past_calls(struct pdump_recorder *r,
                                      struct pdump_frame *frame,
                                      struct pdump_ending ending)
{
    struct pdump_frame *at = frame;

    while (is_call(r, at) && !is_meant(r, at, ending))
        at = frame_at(r, at->up);
    if (at == frame || at->flags || !is_meant(r, at, ending))
        return frame;
    pdump_recorder_pop_to(r, at);
    return at;
}

/* Everything but the plain case: parameters, samples, wrong names ... */
static __attribute__((noinline)) int end_other(struct pdump_recorder *r,
                                               struct pdump_ending ending,
                                               int64_t now)
{
    struct pdump_frame *frame, *last;
    int64_t end[PDUMP_METRICS_MAX] = { 0 };
    bool is_good;

    pdump_raise_region(r);
    frame = past_calls(r, pdump_recorder_frame(r), ending);
    if (frame->flags &
            (PDUMP_FRAME_BOTTOM | PDUMP_FRAME_OTHERS | PDUMP_FRAME_FUNCTION) ||
        !is_meant(r, frame, ending))
        return wrong_end(r, frame, ending);
    last = frame_at(r, frame->up);
    is_good = pdump_recorder_read_for(r, last, end);
    end[0] = now;
    while (r->top != last)
        pdump_recorder_finish(r, r->top, end, is_good);
    return PDUMP_OK;
}

/* What is not recorded comes first: a filter is there to save time. */
int pdump_recorder_end_slow(struct pdump_recorder *r,
                            struct pdump_ending ending, int64_t now)
{
    return pdump_hot_unskip(r) ? PDUMP_OK : end_other(r, ending, now);
}

int pdump_recorder_end(struct pdump_recorder *r, const char *name)
{
    return pdump_hot_end(r, name, r->way);
}

int pdump_recorder_end_n(struct pdump_recorder *r, const char *name, size_t len)
{
    int64_t now = pdump_clock_now();
    struct pdump_frame *frame = r->top;
    struct pdump_ending ending = { .name = name, .len = len };

    if (frame->flags | frame->skipped || !is_meant(r, frame, ending))
        return pdump_recorder_end_slow(r, ending, now);
    return pdump_hot_end_plain(r, frame, now, r->way);
}

int pdump_recorder_leave(struct pdump_recorder *r, uint32_t region)
{
    return pdump_hot_leave(r, region, r->way);
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
