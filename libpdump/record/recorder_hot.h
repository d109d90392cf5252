/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hot path: begin and end of plain regions, inline in the public functions.
 *
 * All other cases (a name not seen here before, parameters, samples, wrong
 * names) are in recorder.c and recorder_end.c.  Metrics are read last in begin
 * and first in end, so that libpdump's own work is not measured.
 */
#ifndef PDUMP_RECORDER_HOT_H
#define PDUMP_RECORDER_HOT_H

#include "record/recorder.h"

#include <string.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Flags in frame->flags, so that one test finds all special cases. */
enum {
    PDUMP_FRAME_BOTTOM = 1 << 16, /* below all others: nothing is open */
    PDUMP_FRAME_SAMPLED = 1 << 17,
    PDUMP_FRAME_JUDGED = 1 << 18,    /* by PDUMP_THROTTLE */
    PDUMP_FRAME_SHARED = 1 << 19,    /* PDUMP_COUNTERS_EVERY: a counted visit */
    PDUMP_FRAME_UNCOUNTED = 1 << 20, /* no counters are read in this visit */
    PDUMP_FRAME_ELSEWHERE = 1 << 21, /* its node is not below its caller's */
    /* Frames that the end of a region does not end. */
    PDUMP_FRAME_OTHERS = PDUMP_FRAME_PROFILE | PDUMP_FRAME_STEP |
                         PDUMP_FRAME_REWIND | PDUMP_FRAME_PROGRAM,
};

/* The region to end: given by name, by ref, or the innermost. */
struct pdump_ending {
    const char *name;
    size_t len;
    uint32_t region;
};

/* The slow paths, in recorder.c and recorder_end.c. */
int pdump_recorder_begin_slow(struct pdump_recorder *r, const char *name,
                              size_t len);
int pdump_recorder_enter_slow(struct pdump_recorder *r, uint32_t region);
int pdump_recorder_end_slow(struct pdump_recorder *r,
                            struct pdump_ending ending, int64_t now);
void pdump_recorder_finish(struct pdump_recorder *r, struct pdump_frame *frame,
                           const int64_t *end, bool is_good);
uint32_t pdump_recorder_deeper(struct pdump_recorder *r);

/* Returns the flags for frames of this node, which say what the end of a visit
 * has to do. */
uint32_t pdump_recorder_frame_flags(const struct pdump_recorder *r,
                                    uint32_t node);

/* Returns true if the node has only the flags of every visit of its kind, 0 or
 * r->call_flags.  Then the hot path can end its visits, and only then may the
 * lookup cache point to the node. */
bool pdump_recorder_is_plain(const struct pdump_recorder *r, uint32_t node);

/* Read the counters, if any frame above `last` reads them in its visit. */
bool pdump_recorder_read_for(struct pdump_recorder *r,
                             const struct pdump_frame *last, int64_t *values);

/* Returns true if the region is excluded or throttled.  Counts the visit if it
 * is throttled. */
bool pdump_recorder_is_left_out(const struct pdump_recorder *r,
                                uint32_t region);

/* Returns the way (PDUMP_WAY_) in which a frame with these flags is begun. */
static inline unsigned pdump_hot_way(const struct pdump_recorder *r,
                                     uint32_t flags)
{
    return flags & PDUMP_FRAME_UNCOUNTED ? r->way & ~(unsigned)PDUMP_WAY_COUNTED
                                         : r->way;
}

/* Functions with a parameter `way` have variants: time only, with counters,
 * with events.  The caller chooses one, and the compiler generates the code of
 * each. */
#define PDUMP_HOT static inline __attribute__((always_inline))

static inline struct pdump_frame *pdump_hot_frame(
    const struct pdump_recorder *r, uint32_t ref)
{
    return pdump_store_at(r->base, ref);
}

static inline struct pdump_node *pdump_hot_node(const struct pdump_recorder *r,
                                                uint32_t ref)
{
    return pdump_store_at(r->base, ref);
}

static inline const struct pdump_region_record *pdump_hot_region(
    const struct pdump_recorder *r, uint32_t node)
{
    return pdump_store_at(r->base, pdump_hot_node(r, node)->region);
}

/* Begin a region that is not recorded: only its end is expected. */
static inline void pdump_hot_skip(struct pdump_recorder *r)
{
    r->top->skipped++;
}

/* End such a region.  Returns false if none is open. */
static inline bool pdump_hot_unskip(struct pdump_recorder *r)
{
    if (!r->top->skipped)
        return false;
    r->top->skipped--;
    return true;
}

/* Read all counters, but not the clock.  A gauge has no start value: the value
 * of a visit is the level at its end. */
PDUMP_HOT bool pdump_hot_read(struct pdump_recorder *r, int64_t *values,
                              bool is_start)
{
    const struct pdump_sources *s = r->shared->sources;
    bool is_good = true;

    for (int i = 0; i < r->n_sources; i++)
        if (likely(r->state[i])) {
            const struct pdump_source *from = s->source[i];
            int (*read)(void *, int64_t *) =
                is_start || !from->read_end ? from->read : from->read_end;

            is_good &= read(r->state[i], values + s->first[i]) >= 0;
        }
    if (is_start && unlikely(s->gauges))
        for (uint32_t i = 1; i < r->n_metrics; i++)
            if (s->gauges >> i & 1)
                values[i] = 0;
    return is_good;
}

/* Write the event of a begin or an end.  An end has no fields besides its time
 * and kind. */
PDUMP_HOT void pdump_hot_trace(struct pdump_recorder *r,
                               enum pdump_event_kind kind, uint32_t node,
                               int64_t now)
{
    struct pdump_trace *t = &r->trace;
    unsigned char *at = t->at;
    int64_t since = now - t->last;

    if (unlikely(at >= t->end)) {
        pdump_timeline_add(r, &(struct pdump_event){
                                  .time = now, .kind = kind, .node = node });
        return;
    }
    t->last += since > 0 ? since : 0;
    at = pdump_event_begin(at, kind, since);
    if (kind == PDUMP_EVENT_ENTER)
        at = pdump_event_number(at, (uint64_t)node + 1);
    t->at = at;
    t->n++;
    atomic_store_explicit(&t->chunk->n, (uint32_t)(at - t->chunk->bytes),
                          memory_order_release);
}

PDUMP_HOT void pdump_hot_trace_enter(struct pdump_recorder *r,
                                     const struct pdump_frame *frame)
{
    pdump_hot_trace(r, PDUMP_EVENT_ENTER, frame->node, frame->start[0]);
    if (unlikely(r->trace.has_counters))
        pdump_timeline_counters(r, frame, frame->start, true);
}

PDUMP_HOT void pdump_hot_trace_leave(struct pdump_recorder *r,
                                     const struct pdump_frame *frame,
                                     const int64_t *end)
{
    if (unlikely(r->trace.has_counters))
        pdump_timeline_counters(r, frame, end, false);
    pdump_hot_trace(r, PDUMP_EVENT_LEAVE, frame->node, end[0]);
}

PDUMP_HOT void pdump_hot_push(struct pdump_recorder *r, uint32_t node,
                              uint32_t flags, unsigned way)
{
    uint32_t ref = r->top->down;
    struct pdump_frame *frame;

    if (unlikely(!ref)) {
        ref = pdump_recorder_deeper(r);
        if (!ref) {
            pdump_hot_skip(r);
            return;
        }
    }
    frame = pdump_hot_frame(r, ref);
    frame->node = node;
    frame->flags = flags;
    frame->skipped = 0;
    r->top = frame;
    if (way & PDUMP_WAY_COUNTED &&
        unlikely(!pdump_hot_read(r, frame->start, true)))
        frame->flags |= PDUMP_FRAME_UNREAD;
    frame->start[0] = pdump_clock_now();
    if (way & PDUMP_WAY_TRACED)
        pdump_hot_trace_enter(r, frame);
    /* Last, because a reader expects the frame to be complete. */
    atomic_store_explicit(&r->record->top, ref, memory_order_release);
}

PDUMP_HOT int pdump_hot_begin(struct pdump_recorder *r, const char *name,
                              unsigned way)
{
    uint32_t parent = r->top->node;
    uint32_t ref = *pdump_tree_guess(&r->tree, parent, name);
    const struct pdump_node *node = pdump_hot_node(r, ref);

    if (unlikely(!ref || node->parent != parent ||
                 strcmp(pdump_hot_region(r, ref)->name, name)))
        return pdump_recorder_begin_slow(r, name, strlen(name));
    pdump_hot_push(r, ref, 0, way);
    return PDUMP_OK;
}

PDUMP_HOT int pdump_hot_begin_n(struct pdump_recorder *r, const char *name,
                                size_t len, unsigned way)
{
    uint32_t parent = r->top->node;
    uint32_t ref = *pdump_tree_guess(&r->tree, parent, name);
    const struct pdump_node *node = pdump_hot_node(r, ref);

    if (unlikely(!ref || node->parent != parent ||
                 pdump_hot_region(r, ref)->length != len ||
                 memcmp(pdump_hot_region(r, ref)->name, name, len)))
        return pdump_recorder_begin_slow(r, name, len);
    pdump_hot_push(r, ref, 0, way);
    return PDUMP_OK;
}

PDUMP_HOT int pdump_hot_enter(struct pdump_recorder *r, uint32_t region,
                              uint32_t flags, unsigned way)
{
    uint32_t parent = r->top->node;
    /* Refs do not collide with addresses of names, because refs are small. */
    const void *key = (const void *)(uintptr_t)region;
    uint32_t ref = *pdump_tree_guess(&r->tree, parent, key);
    const struct pdump_node *node = pdump_hot_node(r, ref);

    if (unlikely(!ref || node->parent != parent || node->region != region))
        return pdump_recorder_enter_slow(r, region);
    pdump_hot_push(r, ref, flags, way);
    return PDUMP_OK;
}

/* Returns the node for the most common visits: the node exists, only time is
 * measured, and there is room for the frame.  Returns 0 otherwise.  A caller
 * that pushes the node makes no other call, so it saves no registers on its
 * stack.  `way` is the thread's own. */
PDUMP_HOT uint32_t pdump_hot_seen(const struct pdump_recorder *r,
                                  uint32_t region, unsigned way)
{
    uint32_t parent = r->top->node;
    uint32_t ref =
        *pdump_tree_guess(&r->tree, parent, (const void *)(uintptr_t)region);
    const struct pdump_node *node = pdump_hot_node(r, ref);

    return likely(ref && node->parent == parent && node->region == region &&
                  r->top->down && !way && pdump_clock_is_cycles)
               ? ref
               : 0;
}

/* Called before figures change: saves them in the undo slot. */
static inline void pdump_hot_change_with(struct pdump_recorder *r, uint32_t ref,
                                         uint32_t words, uint32_t flags)
{
    struct pdump_thread_record *rec = r->record;
    uint64_t sequence =
        atomic_load_explicit(&rec->sequence, memory_order_relaxed);

    rec->undo_ref = ref;
    rec->undo_words = words | flags;
    memcpy(rec->undo, pdump_store_at(r->base, ref), words * sizeof(int64_t));
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&rec->sequence, sequence + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
}

static inline void pdump_hot_change(struct pdump_recorder *r, uint32_t ref,
                                    uint32_t words)
{
    pdump_hot_change_with(r, ref, words, 0);
}

static inline void pdump_hot_changed(struct pdump_recorder *r)
{
    struct pdump_thread_record *rec = r->record;
    uint64_t sequence =
        atomic_load_explicit(&rec->sequence, memory_order_relaxed);

    atomic_store_explicit(&rec->sequence, sequence + 1, memory_order_release);
}

static inline void pdump_hot_add(struct pdump_stat *stat, int64_t value)
{
    stat->sum += value;
    if (value < stat->min)
        stat->min = value;
    if (value > stat->max)
        stat->max = value;
    stat->sumsq += (double)value * (double)value;
}

/* pdump_hot_finish(), after the figures have been saved. */
static inline void pdump_hot_finish_in(struct pdump_recorder *r,
                                       struct pdump_frame *frame,
                                       struct pdump_node *node,
                                       const int64_t *end, uint32_t n)
{
    node->visits++;
    r->record->last = end[0];
    for (uint32_t i = 0; i < n; i++)
        pdump_hot_add(&node->stat[i], end[i] - frame->start[i]);
    atomic_store_explicit(&r->record->top, frame->up, memory_order_relaxed);
    pdump_hot_changed(r);
    r->top = pdump_hot_frame(r, frame->up);
}

/* Add a visit to the frame's node and remove the frame.  `end` contains the
 * metrics at the end of the visit, of which the first n are valid. */
static inline void pdump_hot_finish(struct pdump_recorder *r,
                                    struct pdump_frame *frame,
                                    const int64_t *end, uint32_t n)
{
    struct pdump_node *node = pdump_hot_node(r, frame->node);

    pdump_hot_change(r, pdump_node_figures(frame->node), pdump_node_words(n));
    pdump_hot_finish_in(r, frame, node, end, n);
}

PDUMP_HOT int pdump_hot_end_plain(struct pdump_recorder *r,
                                  struct pdump_frame *frame, int64_t now,
                                  unsigned way)
{
    int64_t end[PDUMP_METRICS_MAX];
    bool is_good;

    if (!way) {
        pdump_hot_finish(r, frame, &now, 1);
        return PDUMP_OK;
    }
    if (unlikely(frame->flags & PDUMP_FRAME_UNCOUNTED)) {
        pdump_recorder_finish(r, frame, &now, true);
        return PDUMP_OK;
    }
    if (unlikely(r->record->missing)) /* missing metrics count nothing */
        memcpy(end, frame->start, r->n_metrics * sizeof(end[0]));
    is_good = pdump_hot_read(r, end, false);
    end[0] = now;
    if (likely(is_good) && way & PDUMP_WAY_TRACED)
        pdump_hot_trace_leave(r, frame, end);
    if (likely(is_good))
        pdump_hot_finish(r, frame, end, r->n_metrics);
    else
        pdump_recorder_finish(r, frame, end, false);
    return PDUMP_OK;
}

PDUMP_HOT int pdump_hot_end(struct pdump_recorder *r, const char *name,
                            unsigned way)
{
    int64_t now = pdump_clock_now();
    struct pdump_frame *frame = r->top;

    if (unlikely(
            frame->flags | frame->skipped ||
            (name && strcmp(pdump_hot_region(r, frame->node)->name, name))))
        return pdump_recorder_end_slow(
            r, (struct pdump_ending){ name, name ? strlen(name) : 0, 0 }, now);
    return pdump_hot_end_plain(r, frame, now, way);
}

PDUMP_HOT int pdump_hot_leave(struct pdump_recorder *r, uint32_t region,
                              unsigned way)
{
    int64_t now = pdump_clock_now();
    struct pdump_frame *frame = r->top;

    if (unlikely(frame->flags | frame->skipped ||
                 pdump_hot_node(r, frame->node)->region != region))
        return pdump_recorder_end_slow(
            r, (struct pdump_ending){ .region = region }, now);
    return pdump_hot_end_plain(r, frame, now, way);
}

#endif
