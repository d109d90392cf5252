/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends of regions outside of the hot path: parameters, samples, wrong names ...
 */
#include "record/frame_reorder.h"
#include "record/recorder_hot.h"
#include "record/samples.h"
#include "record/timeline.h"

#include <stdio.h>
#include <string.h>

/* The program may end no region below a frame with one of these flags. */
enum {
    NO_REGION = PDUMP_FRAME_BOTTOM | PDUMP_FRAME_FUNCTION | PDUMP_FRAME_PROGRAM,
};

bool pdump_recorder_read_for(struct pdump_recorder *r,
                             const struct pdump_frame *last, int64_t *values)
{
    for (const struct pdump_frame *frame = r->top; frame != last;
         frame = pdump_hot_frame(r, frame->up))
        if (!(frame->flags & PDUMP_FRAME_UNCOUNTED))
            return pdump_hot_read(r, values, false);
    return true;
}

/* As pdump_hot_finish(), if counters are not read in every visit. */
static void frame_finish_shared(struct pdump_recorder *r,
                                struct pdump_frame *frame, const int64_t *end)
{
    struct pdump_node *node = pdump_hot_node(r, frame->node);

    pdump_hot_change(r, pdump_node_counted(frame->node),
                     1 + pdump_node_words(r->n_metrics));
    node->counted++;
    pdump_hot_finish_in(r, frame, node, end, r->n_metrics);
}

static void frame_finish(struct pdump_recorder *r, struct pdump_frame *frame,
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
        frame_finish_shared(r, frame, end);
    else
        pdump_hot_finish(r, frame, end, r->n_metrics);
}

/* As pdump_hot_finish(), for every kind of frame. */
void pdump_recorder_finish(struct pdump_recorder *r, struct pdump_frame *frame,
                           const int64_t *end, bool is_good)
{
    const struct pdump_node *node = pdump_hot_node(r, frame->node);

    if (frame->flags & PDUMP_FRAME_SKIPPED) {
        r->top = pdump_hot_frame(r, frame->up);
        atomic_store_explicit(&r->record->top, frame->up, memory_order_release);
        return;
    }
    if (r->way & PDUMP_WAY_TRACED && is_good)
        pdump_hot_trace_leave(r, frame, end);
    else if (r->way & PDUMP_WAY_TRACED)
        pdump_hot_trace(r, PDUMP_EVENT_LEAVE, frame->node, end[0]);
    frame_finish(r, frame, end, is_good);
    /* The frame was reordered, or its node is the overflow node. */
    if (unlikely(node->parent != r->top->node))
        pdump_timeline_at(r);
}

struct pdump_frame *pdump_recorder_frame(const struct pdump_recorder *r)
{
    struct pdump_frame *frame = r->top;

    while (frame->flags & PDUMP_FRAME_PARAMETER)
        frame = pdump_hot_frame(r, frame->up);
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

    pdump_frame_reorder_region(r);
    frame = pdump_recorder_frame(r);
    if (r->top->skipped || (frame->flags & flags) != flags)
        return pdump_fail(PDUMP_ESTATE, "a region is open inside");
    pdump_recorder_pop_to(r, pdump_hot_frame(r, frame->up));
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

/* Returns the call that ends an open frame which is not a plain region. */
static const char *other_end(uint32_t flags)
{
    if (flags & PDUMP_FRAME_PROFILE)
        return "pdump_end_profile()";
    if (flags & PDUMP_FRAME_STEP)
        return "pdump_end_step()";
    return "pdump_rewind_end()";
}

static bool is_open(const struct pdump_recorder *r, struct pdump_ending ending)
{
    const struct pdump_frame *frame = r->top;

    while (!(frame->flags & PDUMP_FRAME_BOTTOM)) {
        if (is_meant(r, frame, ending))
            return true;
        frame = pdump_hot_frame(r, frame->up);
    }
    return false;
}

/* Every name is a cause of its own, so that each one is in the dump's warnings.
 * Causes are short, so long names differ by a hash. */
static int not_open(const struct pdump_recorder *r,
                    const struct pdump_frame *frame, const char *name,
                    size_t all)
{
    int len = all < 200 ? (int)all : 200;
    bool is_known = pdump_regions_find(r->shared->regions, name, all,
                                       PDUMP_GROUP_USER) != 0;
    uint32_t hash = 2166136261;
    char cause[48], inner[128] = "none";

    for (size_t i = 0; i < all; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619;
    snprintf(cause, sizeof(cause), "not open %08x %.*s", hash, len, name);
    if (!(frame->flags & NO_REGION))
        snprintf(inner, sizeof(inner), "'%.100s'",
                 pdump_hot_region(r, frame->node)->name);
    return pdump_recorder_misuse(
        cause, "region '%.*s' %s here; %s is open", len, name,
        is_known ? "is not open" : "was never begun", inner);
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

    if (name && !is_open(r, ending))
        return not_open(r, frame, name, all);
    if (!name)
        name = "(any)", len = 5;
    if (frame->flags & NO_REGION)
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
    uint32_t group = frame->flags & ~(uint32_t)PDUMP_FRAME_UNCOUNTED
                         ? 0
                         : pdump_hot_region(r, frame->node)->group;

    return group == PDUMP_GROUP_IO || group == PDUMP_GROUP_MPI;
}

void pdump_recorder_end_calls(struct pdump_recorder *r)
{
    const struct pdump_frame *at = r->top;

    while (!r->top->skipped && is_call(r, at))
        at = pdump_hot_frame(r, at->up);
    if (at != r->top)
        pdump_recorder_pop_to(r, at);
}

/* A call that was left by longjmp() is still open, and its end never comes: it
 * ends with the region that it is in. */
static struct pdump_frame *past_calls(struct pdump_recorder *r,
                                      struct pdump_frame *frame,
                                      struct pdump_ending ending)
{
    struct pdump_frame *at = frame;

    while (is_call(r, at) && !is_meant(r, at, ending))
        at = pdump_hot_frame(r, at->up);
    if (at == frame || at->flags || !is_meant(r, at, ending))
        return frame;
    pdump_recorder_pop_to(r, at);
    return at;
}

/* Ends everything but plain regions: parameters, samples, wrong names ... */
static __attribute__((noinline)) int end_other(struct pdump_recorder *r,
                                               struct pdump_ending ending,
                                               int64_t now)
{
    struct pdump_frame *frame, *last;
    int64_t end[PDUMP_METRICS_MAX] = { 0 };
    bool is_good;

    pdump_frame_reorder_region(r);
    frame = past_calls(r, pdump_recorder_frame(r), ending);
    if (frame->flags &
            (PDUMP_FRAME_BOTTOM | PDUMP_FRAME_OTHERS | PDUMP_FRAME_FUNCTION) ||
        !is_meant(r, frame, ending))
        return wrong_end(r, frame, ending);
    last = pdump_hot_frame(r, frame->up);
    is_good = pdump_recorder_read_for(r, last, end);
    end[0] = now;
    while (r->top != last)
        pdump_recorder_finish(r, r->top, end, is_good);
    return PDUMP_OK;
}

/* Regions that are not recorded come first, because filters should save time.
 */
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
