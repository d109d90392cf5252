/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the regions that a thread has open. */
#include "record/recorder_hot.h"
#include "snapshot/snapshot_private.h"

#include <stdlib.h>

static int by_node(const void *a, const void *b)
{
    const struct pdump_snapshot_open_frame *x = a, *y = b;

    return (x->node > y->node) - (x->node < y->node);
}

/* Frames are reused, never freed: if the chain changes while it is read, the
 * result is at worst a mixture of two moments. */
__attribute__((no_sanitize("thread"))) int pdump_snapshot_open_frames_find(
    struct pdump_snapshot *s, struct pdump_thread_record *thread,
    struct pdump_snapshot_opens *out)
{
    uint32_t top = atomic_load_explicit(&thread->top, memory_order_acquire);
    const struct pdump_frame *frame;
    int n = 0;

    for (uint32_t ref = top; ref; ref = frame->up, n++) {
        if (!pdump_snapshot_step(s))
            return PDUMP_EFORMAT;
        frame = pdump_store_at(s->base, ref);
    }
    out->list = calloc((size_t)n + 1, sizeof(*out->list));
    if (!out->list)
        return pdump_no_memory();
    for (uint32_t ref = top; ref && out->n < n; ref = frame->up) {
        frame = pdump_store_at(s->base, ref);
        if (frame->flags & PDUMP_FRAME_SKIPPED || !frame->up)
            continue;
        out->list[out->n].node = frame->node;
        out->list[out->n].start = *(const volatile int64_t *)frame->start;
        out->list[out->n++].frame = frame;
    }
    qsort(out->list, (size_t)out->n, sizeof(*out->list), by_node);
    return PDUMP_OK;
}

/* The thread may continue meanwhile: then the visit that was found has another
 * begin, or has ended. */
__attribute__((no_sanitize("thread"))) bool pdump_snapshot_open_frames_begin(
    const struct pdump_snapshot *s,
    const struct pdump_snapshot_open_frame *open, int64_t *values)
{
    const volatile struct pdump_frame *frame = open->frame;
    uint32_t flags = frame->flags;

    for (uint32_t m = 0; m < s->n_metrics; m++)
        values[m] = frame->start[m];
    return !(flags & (PDUMP_FRAME_UNREAD | PDUMP_FRAME_UNCOUNTED)) &&
           frame->start[0] == open->start;
}

static bool is_self(const struct pdump_snapshot *s,
                    const struct pdump_thread_record *thread)
{
    return s->self && s->self->record == thread;
}

/* The thread may end at any time. */
__attribute__((no_sanitize("thread"))) void pdump_snapshot_open_frames_read(
    const struct pdump_snapshot *s, const struct pdump_thread_record *thread,
    int64_t *values)
{
    for (uint32_t m = 0; m < s->n_metrics; m++)
        values[m] =
            is_self(s, thread) && s->is_read ? s->self_values[m] : PDUMP_UNREAD;
    if (is_self(s, thread) || thread->has_ended || !s->sources)
        return;
    for (int i = 0; i < s->sources->n; i++)
        if (s->sources->source[i]->read_other)
            s->sources->source[i]->read_other(thread->tid,
                                              values + s->sources->first[i]);
}

const struct pdump_snapshot_open_frame *pdump_snapshot_open_frames_at(
    const struct pdump_snapshot_opens *opens, uint32_t node)
{
    struct pdump_snapshot_open_frame key = { .node = node };

    return bsearch(&key, opens->list, (size_t)opens->n, sizeof(key), by_node);
}

void pdump_snapshot_open_frames_free(struct pdump_snapshot_opens *opens)
{
    free(opens->list);
}
