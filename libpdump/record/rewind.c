/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rewind regions: they may be discarded with everything recorded in them.
 *
 * Until the region ends, everything is recorded under a node of its own that
 * dumps leave out.  At the end the subtree is emptied, or its figures are moved
 * to the ordinary nodes.
 */
#include "record/rewind.h"
#include "record/detail_row.h"
#include "record/frame_reorder.h"
#include "record/recorder_hot.h"
#include "record/samples.h"
#include "record/user_metric.h"

#include <string.h>

static bool is_excluded(const struct pdump_recorder *r, uint32_t region)
{
    const struct pdump_region_record *rec = pdump_store_at(r->base, region);

    return rec->is_excluded;
}

/* A rewind region that the filter excludes is entered as well: its content may
 * have to be discarded, or moved to the enclosing region. */
int pdump_rewind_enter(struct pdump_recorder *r, uint32_t region)
{
    uint32_t node =
        pdump_tree_child(&r->tree, r->top->node, region, PDUMP_NODE_REWIND);
    uint32_t events = (uint32_t)r->trace.n;

    if (!pdump_recorder_push(r, node, PDUMP_FRAME_REWIND))
        return pdump_recorder_too_deep(r);
    r->top->events = events;
    if (is_excluded(r, region))
        r->top->flags &= ~(uint32_t)PDUMP_FRAME_SAMPLED;
    return PDUMP_OK;
}

/* Move the figures of one node; `to` 0 discards them. */
static void figures_move(struct pdump_recorder *r, uint32_t from, uint32_t to)
{
    struct pdump_node *node = pdump_store_at(r->base, from);
    uint32_t words = 1 + pdump_node_words(r->n_metrics);
    struct pdump_stat stat[PDUMP_METRICS_MAX];
    uint64_t visits = node->visits, counted = node->counted;

    memcpy(stat, node->stat, r->n_metrics * sizeof(*stat));
    pdump_recorder_change(r, pdump_node_counted(from), words);
    node->visits = node->counted = 0;
    for (uint32_t i = 0; i < r->n_metrics; i++)
        node->stat[i] =
            (struct pdump_stat){ .min = INT64_MAX, .max = INT64_MIN };
    pdump_recorder_changed(r);
    pdump_user_metric_move(r, from, to);
    pdump_detail_move(r, from, to);
    if (!to || !visits)
        return;

    node = pdump_store_at(r->base, to);
    pdump_recorder_change(r, pdump_node_counted(to), words);
    node->visits += visits;
    node->counted += counted;
    for (uint32_t i = 0; i < r->n_metrics; i++) {
        struct pdump_stat *sum = &node->stat[i];

        sum->sum += stat[i].sum;
        sum->sumsq += stat[i].sumsq;
        if (stat[i].min < sum->min)
            sum->min = stat[i].min;
        if (stat[i].max > sum->max)
            sum->max = stat[i].max;
    }
    pdump_recorder_changed(r);
}

static struct pdump_node *node_at(const struct pdump_recorder *r, uint32_t ref)
{
    return pdump_store_at(r->base, ref);
}

/* Move the figures of the subtree of `top` to `to` (0: discard them); those of
 * `top` itself only if `is_top_moved`.  Walks both trees in parallel, without
 * recursion, because they may be as deep as the program's regions. */
static void figures_move_tree(struct pdump_recorder *r, uint32_t top,
                              uint32_t to, bool is_top_moved)
{
    uint32_t from = top;

    figures_move(r, from, is_top_moved ? to : 0);
    for (;;) {
        uint32_t next = node_at(r, from)->child;

        if (!next) {
            while (from != top && !node_at(r, from)->sibling) {
                from = node_at(r, from)->parent;
                to = to ? node_at(r, to)->parent : 0;
            }
            if (from == top)
                return;
            next = node_at(r, from)->sibling;
            to = to ? node_at(r, to)->parent : 0;
        }
        from = next;
        if (to)
            to = pdump_tree_child(&r->tree, to, node_at(r, from)->region,
                                  node_at(r, from)->flags);
        figures_move(r, from, to);
    }
}

/* Returns true if the rewind region `name` (NULL: any) is the innermost. */
static bool is_innermost(const struct pdump_recorder *r,
                         const struct pdump_frame *frame, const char *name)
{
    const struct pdump_region_record *region =
        pdump_store_at(r->base, node_at(r, frame->node)->region);

    return frame->flags & PDUMP_FRAME_REWIND && !r->top->skipped &&
           (!name || frame->flags & PDUMP_FRAME_SKIPPED ||
            region->group == PDUMP_GROUP_OVERFLOW ||
            strcmp(name, region->name) == 0);
}

int pdump_rewind_leave(struct pdump_recorder *r, const char *name, bool discard)
{
    const struct pdump_frame *frame;
    bool is_recorded, is_hidden;
    uint32_t top, to = 0, events;
    int64_t start;

    pdump_frame_reorder_region(r);
    frame = pdump_recorder_frame(r);
    is_recorded = !(frame->flags & PDUMP_FRAME_SKIPPED);
    top = frame->node;
    start = frame->start[0];
    events = frame->events;
    if (!is_innermost(r, frame, name))
        return pdump_recorder_misuse("rewind end",
                                     "end of rewind region '%.200s', which is "
                                     "not the innermost open region",
                                     name ? name : "(any)");
    pdump_recorder_pop(r, PDUMP_FRAME_REWIND);
    if (!is_recorded || top == r->tree.overflow)
        return PDUMP_OK;
    is_hidden = is_excluded(r, node_at(r, top)->region);
    if (discard) {
        pdump_samples_cut(r, start);
        pdump_timeline_void(r, (uint32_t)r->trace.n - events);
    } else if (is_hidden) {
        to = node_at(r, top)->parent;
    } else {
        to = pdump_tree_child(&r->tree, node_at(r, top)->parent,
                              node_at(r, top)->region, 0);
    }
    figures_move_tree(r, top, to, !is_hidden);
    return PDUMP_OK;
}
