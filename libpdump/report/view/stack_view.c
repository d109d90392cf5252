/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of stacks by function. */
#include "report/view/stack_view.h"
#include "dump/recursion.h"
#include "dump/stacks.h"
#include "report/view/stack_lines.h"
#include "stream/node_totals.h"

#include <stdlib.h>
#include <string.h>

/* What is needed while the view is made. */
struct maker {
    struct pdump_stack_view *out;
    const struct pdump_dump *dump;
    struct pdump_stream *in;
    struct pdump_node_totals totals;
    struct pdump_stack_lines lines;
    size_t count; /* the metrics' first entry in the totals */
    size_t time;
    int *kind;      /* by node: its region, or -1 if it is no frame */
    bool *is_inner; /* by node */
    int *function;  /* by region: index of the function, or -1 */
    int64_t *self;  /* by function: of one rank */
};

static int64_t at(const int64_t *values, size_t metric, int node)
{
    return pdump_node_totals_positive(values[metric + (size_t)node]);
}

/* Wraps: files may have any numbers. */
static void add(int64_t *to, int64_t value)
{
    *to = pdump_node_totals_plus(*to, value);
}

static int allocate_functions(struct maker *m)
{
    size_t nodes = (size_t)m->dump->n_nodes + 1;
    size_t regions = (size_t)m->dump->n_regions + 1;

    m->kind = calloc(nodes, sizeof(*m->kind));
    m->is_inner = calloc(nodes, sizeof(*m->is_inner));
    m->function = calloc(regions, sizeof(*m->function));
    m->self = calloc(regions, sizeof(*m->self));
    m->out->functions = calloc(regions, sizeof(*m->out->functions));
    m->out->path = calloc(nodes, sizeof(*m->out->path));
    return m->kind && m->is_inner && m->function && m->self &&
                   m->out->functions && m->out->path
               ? PDUMP_OK
               : pdump_no_memory();
}

static void find_functions(struct maker *m)
{
    for (int i = 0; i < m->dump->n_regions; i++)
        m->function[i] = -1;
    for (int i = 0; i < m->dump->n_nodes; i++) {
        int region = m->dump->nodes[i].region;

        m->kind[i] = -1;
        if (!pdump_stacks_has_node(m->dump, i))
            continue;
        m->kind[i] = region;
        if (m->function[region] < 0) {
            m->function[region] = m->out->n++;
            m->out->functions[m->function[region]].region = region;
        }
    }
}

static void add_up(struct maker *m)
{
    const struct pdump_node_totals *t = &m->totals;

    for (int i = 0; i < t->n_nodes; i++) {
        struct pdump_stack_function *fn;

        if (m->dump->nodes[i].parent < 0) {
            add(&m->out->total, at(t->sum, m->time, i));
            add(&m->out->stacks, at(t->sum, m->count, i));
        }
        if (m->kind[i] < 0)
            continue;
        fn = &m->out->functions[m->function[m->kind[i]]];
        add(&fn->self, at(t->self, m->time, i));
        add(&fn->self_stacks, at(t->self, m->count, i));
        if (m->is_inner[i])
            continue;
        add(&fn->total, at(t->sum, m->time, i));
        add(&fn->stacks, at(t->sum, m->count, i));
    }
}

/* Compares with the self times of one rank. */
static void add_rank(struct maker *m, int rank)
{
    for (int i = 0; i < m->out->n; i++) {
        struct pdump_stack_function *fn = &m->out->functions[i];

        if (m->out->n_ranks == 0 || m->self[i] < fn->least) {
            fn->least = m->self[i];
            fn->rank_of_least = rank;
        }
        if (m->out->n_ranks == 0 || m->self[i] > fn->most) {
            fn->most = m->self[i];
            fn->rank_of_most = rank;
        }
        m->self[i] = 0;
    }
    m->out->n_ranks++;
}

static int add_ranks(struct maker *m)
{
    int time = pdump_dump_find_metric(m->dump, PDUMP_STACKS_TIME);

    if (m->in->row_ptr[m->in->n_pieces] == 0)
        return PDUMP_OK;
    for (int i = 0; i < m->in->n_pieces; i++) {
        const struct pdump_dump *piece;
        int err = m->in->piece(m->in, i, &piece);

        if (err < 0)
            return err;
        for (int64_t r = 0; r < piece->n_rows; r++) {
            int kind = m->kind[piece->rows[r].node];

            if (kind >= 0)
                add(&m->self[m->function[kind]],
                    pdump_node_totals_positive(
                        piece->columns[time].exclusive[r]));
        }
        add_rank(m, m->in->rank[i]);
    }
    return PDUMP_OK;
}

/* Follows the largest child, as long as it has half of what is around it. */
static int find_path(struct maker *m)
{
    const int64_t *sum = m->totals.sum;
    int n = m->dump->n_nodes;
    int *largest = calloc((size_t)n + 1, sizeof(*largest));
    int64_t around = 0;

    if (!largest)
        return pdump_no_memory();
    for (int i = 0; i < n; i++) {
        int *best = &largest[m->dump->nodes[i].parent + 1];

        if (*best == 0 || at(sum, m->time, i) > at(sum, m->time, *best - 1))
            *best = i + 1;
    }
    for (int next = largest[0]; next != 0; next = largest[next]) {
        int64_t total = at(sum, m->time, next - 1);

        if (total <= 0 || total < around / 2)
            break;
        m->out->path[m->out->n_path++] =
            (struct pdump_stack_step){ next - 1, m->lines.usual[next - 1],
                                       total, at(sum, m->count, next - 1) };
        around = total;
    }
    free(largest);
    return PDUMP_OK;
}

static int by_self(const void *a, const void *b)
{
    const struct pdump_stack_function *p = a, *q = b;

    if (p->self != q->self)
        return p->self > q->self ? -1 : 1;
    if (p->total != q->total)
        return p->total > q->total ? -1 : 1;
    return (p->region > q->region) - (p->region < q->region);
}

static int fill_functions(struct maker *m)
{
    int count = pdump_dump_find_metric(m->dump, PDUMP_STACKS_COUNT);
    int time = pdump_dump_find_metric(m->dump, PDUMP_STACKS_TIME);
    int err = allocate_functions(m);

    if (err < 0)
        return err;
    m->count = (size_t)count * (size_t)m->totals.n_nodes;
    m->time = (size_t)time * (size_t)m->totals.n_nodes;
    find_functions(m);
    err =
        pdump_recursion_mark(m->dump, m->kind, m->dump->n_regions, m->is_inner);
    if (err >= 0) {
        add_up(m);
        err = add_ranks(m);
    }
    if (err >= 0)
        err = find_path(m);
    if (err >= 0)
        qsort(m->out->functions, (size_t)m->out->n, sizeof(*m->out->functions),
              by_self);
    return err;
}

int pdump_stack_view(const struct pdump_dump *dump,
                     struct pdump_stack_view *out)
{
    struct maker m = { .out = out, .dump = dump };
    int err;

    *out = (struct pdump_stack_view){ .dump = dump };
    if (!pdump_stacks_are_in(dump) ||
        pdump_dump_find_metric(dump, PDUMP_STACKS_TIME) < 0)
        return pdump_fail(PDUMP_ENOENT, "no stacks were taken: run the program "
                                        "with `pdump run --stacks`");
    err = pdump_stream_of(dump, &m.in);
    if (err >= 0)
        err = pdump_node_totals_of(m.in, &m.totals);
    if (err >= 0)
        err = pdump_stack_lines(dump, &m.lines);
    if (err >= 0)
        err = fill_functions(&m);
    pdump_stack_lines_free(&m.lines);
    pdump_node_totals_free(&m.totals);
    pdump_stream_free(m.in);
    free(m.kind);
    free(m.is_inner);
    free(m.function);
    free(m.self);
    if (err < 0)
        pdump_stack_view_free(out);
    return err;
}

void pdump_stack_view_free(struct pdump_stack_view *view)
{
    free(view->functions);
    free(view->path);
    *view = (struct pdump_stack_view){ 0 };
}
