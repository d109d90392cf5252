/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the figures of a view from statistics over ranks instead of rows. */
#include "report/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes share an item only in the flat view. */
bool pdump_view_is_repeated(const struct pdump_view *view, int node)
{
    const struct pdump_dump_node *nodes = view->dump->nodes;
    int up = view->is_flat ? nodes[node].parent : -1;

    while (up >= 0 && view->node_item[up] != view->node_item[node])
        up = nodes[up].parent;
    return up >= 0;
}

static struct pdump_view_value *value_of(struct pdump_view *v, int node,
                                         int metric)
{
    size_t n = (size_t)v->dump->n_metrics;

    return &v->values[(size_t)v->node_item[node] * n + (size_t)metric];
}

/* The rows of some ranks must not be added to the figures of all. */
static void forget_rows(struct pdump_view *v, int metric)
{
    const struct pdump_dump *dump = v->dump;
    const struct pdump_dump_rank_stat *stats = dump->stats[metric];

    v->totals[metric] = PDUMP_MISSING;
    for (int i = 0; i < dump->n_nodes; i++)
        if (stats[i].n > 0)
            *value_of(v, i, metric) = (struct pdump_view_value){
                PDUMP_MISSING, PDUMP_MISSING, PDUMP_MISSING,
                PDUMP_MISSING, PDUMP_MISSING, 0,
            };
    for (int64_t r = 0; r < dump->n_rows; r++) {
        int64_t sum = dump->columns[metric].sum[r];

        if (dump->rows[r].parent < 0 && sum != PDUMP_MISSING &&
            stats[dump->rows[r].node].n <= 0)
            v->totals[metric] = pdump_missing_add(v->totals[metric], sum);
    }
}

/* A level has a maximum and no sum. */
static void use_gauge(struct pdump_view *v, int metric)
{
    const struct pdump_dump_rank_stat *stats = v->dump->stats[metric];

    for (int i = 0; i < v->dump->n_nodes; i++) {
        struct pdump_view_value *value;

        if (stats[i].n <= 0)
            continue;
        value = value_of(v, i, metric);
        if (stats[i].max > value->max)
            value->max = stats[i].max;
    }
}

static void use_counter(struct pdump_view *v, int metric,
                        const bool *is_repeated)
{
    const struct pdump_dump_rank_stat *stats = v->dump->stats[metric];

    for (int i = 0; i < v->dump->n_nodes; i++) {
        int around = v->dump->nodes[i].parent;
        struct pdump_view_value *value;

        if (stats[i].n <= 0)
            continue;
        /* Skip calls without counters in between. */
        while (around >= 0 && stats[around].n <= 0)
            around = v->dump->nodes[around].parent;
        value = value_of(v, i, metric);
        value->self = pdump_missing_add(value->self, stats[i].sum);
        if (!is_repeated[i])
            value->sum = pdump_missing_add(value->sum, stats[i].sum);
        if (around < 0)
            v->totals[metric] =
                pdump_missing_add(v->totals[metric], stats[i].sum);
        else if (stats[i].sum != PDUMP_MISSING)
            value_of(v, around, metric)->self = pdump_missing_add(
                value_of(v, around, metric)->self, -stats[i].sum);
    }
}

static void use_visits(struct pdump_view *v)
{
    const struct pdump_dump_rank_stat *stats =
        v->dump->stats[v->dump->n_metrics];

    for (int i = 0; i < v->dump->n_nodes; i++)
        if (stats[i].n > 0)
            v->items[v->node_item[i]].visits = 0;
    for (int i = 0; i < v->dump->n_nodes; i++)
        if (stats[i].n > 0) {
            struct pdump_view_item *item = &v->items[v->node_item[i]];

            item->visits = pdump_missing_add(item->visits, stats[i].sum);
        }
}

/* Returns true if the metrics of the quotient are from the same ranks. */
static bool is_complete(const struct pdump_dump *dump,
                        const struct pdump_derived *d, int node)
{
    int64_t n = dump->stats[d->top][node].n;

    return n > 0 && n == dump->stats[d->bottom][node].n &&
           (d->plus < 0 || n == dump->stats[d->plus][node].n);
}

/* `above` and `below` have room for every item. */
static void use_derived(struct pdump_view *v, int which,
                        const bool *is_repeated, double *above, double *below)
{
    const struct pdump_derived *d = &v->derived[which];
    struct pdump_dump_rank_stat **stats = v->dump->stats;

    memset(above, 0, (size_t)v->n_items * sizeof(*above));
    memset(below, 0, (size_t)v->n_items * sizeof(*below));
    for (int i = 0; i < v->dump->n_nodes; i++) {
        int item = v->node_item[i];

        if (is_repeated[i] || !is_complete(v->dump, d, i))
            continue;
        above[item] += (double)stats[d->top][i].sum;
        if (d->plus >= 0)
            above[item] += (double)stats[d->plus][i].sum;
        below[item] += (double)stats[d->bottom][i].sum;
    }
    for (int i = 0; i < v->dump->n_nodes; i++) {
        int item = v->node_item[i];

        if (stats[d->top][i].n > 0 || stats[d->bottom][i].n > 0)
            v->figures[(size_t)item * (size_t)v->n_derived + (size_t)which] =
                pdump_derived_value(d, above[item], below[item]);
    }
}

int pdump_view_use_stats(struct pdump_view *view)
{
    const struct pdump_dump *dump = view->dump;
    size_t n_items = (size_t)view->n_items + 1;
    bool *is_repeated = calloc((size_t)dump->n_nodes + 1, sizeof(*is_repeated));
    double *above = malloc(n_items * sizeof(*above));
    double *below = malloc(n_items * sizeof(*below));
    int err = PDUMP_OK;

    if (!is_repeated || !above || !below) {
        err = pdump_no_memory();
        goto out;
    }
    for (int i = 0; i < dump->n_nodes; i++)
        is_repeated[i] =
            view->node_item[i] >= 0 && pdump_view_is_repeated(view, i);
    for (int m = 0; m < dump->n_metrics; m++) {
        forget_rows(view, m);
        if (dump->metrics[m].kind == PDUMP_GAUGE)
            use_gauge(view, m);
        else
            use_counter(view, m, is_repeated);
    }
    use_visits(view);
    for (int i = 0; i < view->n_derived; i++)
        use_derived(view, i, is_repeated, above, below);
out:
    free(below);
    free(above);
    free(is_repeated);
    return err;
}
