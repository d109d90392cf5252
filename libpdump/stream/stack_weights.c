/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides the time of regions between them and the stacks below. */
#include "stream/stack_weights.h"
#include "dump/stacks.h"

#include <stdlib.h>
#include <string.h>

/* The rows of a piece, or the nodes of a tree; parents come first. */
struct places {
    const struct pdump_dump *dump;
    bool are_rows;
    int64_t n;
    const int64_t *stacks; /* their time, with that of the places inside */
    const int64_t *stacks_self;
    int64_t *self;   /* in: without stacks; out: the result */
    int64_t *excess; /* out: of their stacks over their own time */
};

static int64_t parent_of(const struct places *p, int64_t i)
{
    return p->are_rows ? p->dump->rows[i].parent : p->dump->nodes[i].parent;
}

static bool is_frame(const struct places *p, int64_t i)
{
    return pdump_stacks_has_node(p->dump,
                                 p->are_rows ? p->dump->rows[i].node : (int)i);
}

static int64_t *new_zeroes(int64_t n)
{
    return calloc((size_t)n + 1, sizeof(int64_t));
}

/* `below` has, for each region, the time of the frames in it. */
static void divide(const struct places *p, const int64_t *below)
{
    for (int64_t i = 0; i < p->n; i++) {
        int64_t own = pdump_node_totals_positive(p->self[i]);

        if (below[i] == 0)
            continue;
        p->excess[i] = below[i] > own ? below[i] - own : 0;
        if (p->self[i] != PDUMP_MISSING)
            p->self[i] = below[i] > own ? 0 : own - below[i];
    }
}

static int weigh_nodes(struct places *p)
{
    int64_t *below = new_zeroes(p->n);

    p->excess = new_zeroes(p->n);
    if (!below || !p->excess) {
        free(below);
        return pdump_no_memory();
    }
    for (int64_t i = 0; i < p->n; i++) {
        int64_t parent = parent_of(p, i);

        if (!is_frame(p, i))
            continue;
        p->self[i] = pdump_node_totals_positive(p->stacks_self[i]);
        if (parent >= 0 && !is_frame(p, parent))
            below[parent] = pdump_node_totals_positive(pdump_node_totals_plus(
                below[parent], pdump_node_totals_positive(p->stacks[i])));
    }
    divide(p, below);
    free(below);
    return PDUMP_OK;
}

int pdump_stack_weights_rows(const struct pdump_dump *piece, int time,
                             int64_t **out)
{
    int stacks = pdump_dump_find_metric(piece, PDUMP_STACKS_TIME);
    struct places p = { .dump = piece, .are_rows = true, .n = piece->n_rows };
    int err = PDUMP_OK;

    p.self = new_zeroes(p.n);
    if (!p.self)
        return pdump_no_memory();
    if (p.n > 0)
        memcpy(p.self, piece->columns[time].exclusive,
               (size_t)p.n * sizeof(*p.self));
    if (stacks >= 0) {
        p.stacks = piece->columns[stacks].sum;
        p.stacks_self = piece->columns[stacks].exclusive;
        err = weigh_nodes(&p);
        free(p.excess);
    }
    if (err < 0)
        free(p.self);
    else
        *out = p.self;
    return err;
}

/* Adds to the sums of regions what their stacks have more than they. */
static void add_excess(const struct places *p, int64_t *sum)
{
    for (int64_t i = p->n - 1; i >= 0; i--) {
        int64_t parent = parent_of(p, i);

        if (is_frame(p, i))
            sum[i] = p->stacks[i];
        else if (p->excess[i] > 0)
            sum[i] = pdump_node_totals_plus(sum[i], p->excess[i]);
        if (parent >= 0)
            p->excess[parent] =
                pdump_node_totals_plus(p->excess[parent], p->excess[i]);
    }
}

int pdump_stack_weights_totals(const struct pdump_dump *tables, int time,
                               struct pdump_node_totals *t)
{
    size_t n = (size_t)t->n_nodes;
    int stacks = pdump_dump_find_metric(tables, PDUMP_STACKS_TIME);
    int count = pdump_dump_find_metric(tables, PDUMP_STACKS_COUNT);
    struct places p = { .dump = tables, .n = t->n_nodes };
    int err;

    if (stacks < 0)
        return PDUMP_OK;
    p.stacks = t->sum + (size_t)stacks * n;
    p.stacks_self = t->self + (size_t)stacks * n;
    p.self = t->self + (size_t)time * n;
    err = weigh_nodes(&p);
    if (err >= 0)
        add_excess(&p, t->sum + (size_t)time * n);
    for (size_t i = 0; err >= 0 && count >= 0 && i < n; i++)
        if (is_frame(&p, (int64_t)i))
            t->visits[i] =
                pdump_node_totals_positive(t->sum[(size_t)count * n + i]);
    free(p.excess);
    return err;
}
