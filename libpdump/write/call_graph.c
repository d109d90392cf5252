/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a call graph from the tree, in one walk. */
#include "write/call_graph.h"

#include "dump/tree_walk.h"
#include "stream/stack_weights.h"

#include <string.h>

struct maker {
    struct pdump_call_graph *g;
    const struct pdump_dump *tables;
    struct pdump_node_totals totals;
    struct pdump_tree_walk walk;
    struct pdump_pair_index index; /* from and to: index of the call */
    bool splits;
    int room;       /* allocated calls */
    int *is_inside; /* by region: visits from the root to the node */
    int *place;     /* by node */
    int *call;      /* by node, or -1 */
    int *is_called; /* by call: times from the root to the node */
};

void pdump_call_graph_free(struct pdump_call_graph *g)
{
    free(g->places);
    free(g->sum);
    free(g->self);
    free(g->calls);
    free(g->call_sum);
    free(g->total);
    *g = (struct pdump_call_graph){ 0 };
}

static void free_maker(struct maker *m)
{
    pdump_node_totals_free(&m->totals);
    pdump_tree_walk_free(&m->walk);
    pdump_pair_index_free(&m->index);
    free(m->is_inside);
    free(m->place);
    free(m->call);
    free(m->is_called);
}

static int64_t *missing_values(size_t n)
{
    int64_t *values = malloc((n + 1) * sizeof(*values));

    for (size_t i = 0; values && i < n; i++)
        values[i] = PDUMP_MISSING;
    return values;
}

static int allocate_graph(struct maker *m)
{
    struct pdump_call_graph *g = m->g;
    size_t regions = (size_t)m->tables->n_regions, n_places;
    size_t metrics = (size_t)m->tables->n_metrics;
    size_t nodes = (size_t)m->tables->n_nodes;

    n_places = m->splits ? 2 * regions : regions;
    g->n_metrics = (int)metrics;
    g->n_places = (int)n_places;
    g->places = calloc(n_places + 1, sizeof(*g->places));
    g->sum = missing_values(n_places * metrics);
    g->self = missing_values(n_places * metrics);
    g->total = missing_values(metrics);
    m->is_inside = calloc(regions + 1, sizeof(*m->is_inside));
    m->place = calloc(nodes + 1, sizeof(*m->place));
    m->call = calloc(nodes + 1, sizeof(*m->call));
    if (!g->places || !g->sum || !g->self || !g->total || !m->is_inside ||
        !m->place || !m->call)
        return pdump_no_memory();
    for (size_t i = 0; i < n_places; i++) {
        g->places[i].region = (int)(i % regions);
        g->places[i].is_inner = i >= regions;
    }
    return PDUMP_OK;
}

/* Makes room for one more call. */
static int grow_calls(struct maker *m)
{
    struct pdump_call_graph *g = m->g;
    size_t n = m->room ? 2 * (size_t)m->room : 64;
    size_t values = n * (size_t)g->n_metrics + 1;
    struct pdump_call_graph_call *calls = realloc(g->calls, n * sizeof(*calls));
    int64_t *sum;
    int *is_called;

    g->calls = calls ? calls : g->calls;
    sum = realloc(g->call_sum, values * sizeof(*sum));
    g->call_sum = sum ? sum : g->call_sum;
    is_called = realloc(m->is_called, n * sizeof(*is_called));
    m->is_called = is_called ? is_called : m->is_called;
    if (!calls || !sum || !is_called)
        return pdump_no_memory();
    m->room = (int)n;
    return PDUMP_OK;
}

/* Returns the call, which is added if it is new, or a pdump_error. */
static int find_call(struct maker *m, int from, int to)
{
    struct pdump_call_graph *g = m->g;
    int64_t at = pdump_pair_index_find(&m->index, from, to);

    if (at >= 0)
        return (int)at;
    if (g->n_calls == m->room && grow_calls(m) < 0)
        return PDUMP_ENOMEM;
    if (pdump_pair_index_put(&m->index, from, to, g->n_calls) < 0)
        return PDUMP_ENOMEM;
    g->calls[g->n_calls] = (struct pdump_call_graph_call){ from, to, 0 };
    m->is_called[g->n_calls] = 0;
    for (int i = 0; i < g->n_metrics; i++)
        g->call_sum[(size_t)g->n_calls * (size_t)g->n_metrics + (size_t)i] =
            PDUMP_MISSING;
    return g->n_calls++;
}

/* Adds one of the totals of a node to the values of a place or call. */
static void add_values(const struct maker *m, int64_t *values, int at,
                       const int64_t *totals, int node)
{
    values += (size_t)at * (size_t)m->g->n_metrics;
    for (int i = 0; i < m->g->n_metrics; i++)
        values[i] = pdump_node_totals_plus(
            values[i],
            totals[(size_t)i * (size_t)m->totals.n_nodes + (size_t)node]);
}

static int enter_function(struct maker *m, int node)
{
    const struct pdump_dump_node *n = &m->tables->nodes[node];
    struct pdump_call_graph *g = m->g;
    int64_t visits = m->totals.visits[node] + m->totals.n_open[node];
    bool is_inner = m->is_inside[n->region]++ > 0;
    int at = n->region + (m->splits && is_inner ? m->tables->n_regions : 0);

    m->place[node] = at;
    g->places[at].visits = pdump_node_totals_plus(g->places[at].visits, visits);
    g->places[at].is_used =
        g->places[at].is_used || pdump_node_totals_has(&m->totals, node);
    add_values(m, g->self, at, m->totals.self, node);
    if (!is_inner)
        add_values(m, g->sum, at, m->totals.sum, node);
    m->call[node] = -1;
    if (n->parent < 0) {
        add_values(m, g->total, 0, m->totals.sum, node);
        return PDUMP_OK;
    }
    m->call[node] = find_call(m, m->place[n->parent], at);
    if (m->call[node] < 0)
        return m->call[node];
    g->calls[m->call[node]].visits =
        pdump_node_totals_plus(g->calls[m->call[node]].visits, visits);
    if (m->is_called[m->call[node]]++ == 0)
        add_values(m, g->call_sum, m->call[node], m->totals.sum, node);
    return PDUMP_OK;
}

static int walk_nodes(struct maker *m)
{
    int err = pdump_tree_walk_nodes(&m->walk, m->tables), node;
    bool is_leaving;

    while (err >= 0 &&
           (node = pdump_tree_walk_step(&m->walk, &is_leaving)) >= 0) {
        if (!is_leaving) {
            err = enter_function(m, node);
            continue;
        }
        m->is_inside[m->tables->nodes[node].region]--;
        if (m->call[node] >= 0)
            m->is_called[m->call[node]]--;
    }
    return err;
}

int pdump_call_graph_of(struct pdump_stream *in, bool splits_recursion,
                        struct pdump_call_graph *out)
{
    struct maker m = { .g = out,
                       .tables = in->tables,
                       .splits = splits_recursion };
    int time = pdump_dump_find_metric(in->tables, "time"), err;

    *out = (struct pdump_call_graph){ 0 };
    err = pdump_node_totals_of(in, &m.totals);
    if (err >= 0 && time >= 0)
        err = pdump_stack_weights_totals(in->tables, time, &m.totals);
    if (err >= 0)
        err = allocate_graph(&m);
    if (err >= 0)
        err = walk_nodes(&m);
    free_maker(&m);
    if (err < 0)
        pdump_call_graph_free(out);
    return err;
}
