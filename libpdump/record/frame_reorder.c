/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames that do not end in the reverse order of their begins. */
#include "record/frame_reorder.h"
#include "record/recorder_hot.h"

/* The size of a frame without its links. */
static size_t content_size(const struct pdump_recorder *r)
{
    return offsetof(struct pdump_frame, start) -
           offsetof(struct pdump_frame, node) +
           r->n_metrics * sizeof(r->top->start[0]);
}

/* Returns the node of the same region under another parent. */
static uint32_t node_under(struct pdump_recorder *r,
                           const struct pdump_frame *frame, uint32_t parent)
{
    const struct pdump_node *node = pdump_hot_node(r, frame->node);

    if (frame->flags & PDUMP_FRAME_SKIPPED)
        return parent;
    if (frame->node == r->tree.overflow)
        return frame->node;
    return pdump_tree_child(&r->tree, parent, node->region, node->flags);
}

/* The limit of frames moved together: a region and its parameters.  Parameters
 * beyond it do not end with the region, but go on with the enclosing one. */
enum { TOGETHER_MAX = 8 };

/* The content of a frame. */
struct saved {
    char
        bytes[sizeof(struct pdump_frame) + PDUMP_METRICS_MAX * sizeof(int64_t)];
};

/* Move n frames, from `frame` on, to the top.  The contents of the frames are
 * exchanged; the frames themselves stay in place. */
static void frames_raise(struct pdump_recorder *r, struct pdump_frame *frame,
                         int n)
{
    struct saved saved[TOGETHER_MAX];
    struct pdump_frame *from = frame;
    size_t size = content_size(r);

    for (int i = 0; i < n; i++) {
        memcpy(saved[i].bytes, &from->node, size);
        if (i < n - 1)
            from = pdump_hot_frame(r, from->down);
    }
    while (from != r->top) {
        from = pdump_hot_frame(r, from->down);
        memcpy(&frame->node, &from->node, size);
        frame->node = node_under(r, frame, pdump_hot_frame(r, frame->up)->node);
        frame = pdump_hot_frame(r, frame->down);
    }
    for (int i = 0; i < n; i++) {
        memcpy(&frame->node, saved[i].bytes, size);
        if (i < n - 1)
            frame = pdump_hot_frame(r, frame->down);
    }
    pdump_timeline_at(r);
}

void pdump_frame_reorder(struct pdump_recorder *r, struct pdump_frame *frame)
{
    if (frame != r->top)
        frames_raise(r, frame, 1);
}

void pdump_frame_reorder_region(struct pdump_recorder *r)
{
    struct pdump_frame *frame = r->top;
    bool has_function = false;
    int n = 1; /* the region, and the parameters that end with it */

    while (frame->flags & (PDUMP_FRAME_FUNCTION | PDUMP_FRAME_PARAMETER)) {
        n = frame->flags & PDUMP_FRAME_PARAMETER ? n + 1 : 1;
        has_function |= (frame->flags & PDUMP_FRAME_FUNCTION) != 0;
        frame = pdump_hot_frame(r, frame->up);
    }
    if (has_function && !(frame->flags & PDUMP_FRAME_BOTTOM))
        frames_raise(r, frame, n < TOGETHER_MAX ? n : TOGETHER_MAX);
}
