/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a view's items over the ranks of a job. */
#include "report/view/view_ranks.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

bool pdump_view_has_ranks(const struct pdump_view *view)
{
    const struct pdump_dump *dump = view->dump;

    if (!view->node_item)
        return false;
    for (int i = 1; i < dump->n_processes; i++)
        if (dump->processes[i].rank != dump->processes[0].rank)
            return true;
    return dump->stats != NULL;
}

void pdump_view_ranks_free(struct pdump_view_ranks *ranks)
{
    if (!ranks)
        return;
    pdump_ranks_free(&ranks->list);
    free(ranks->stats);
    free(ranks->values);
    free(ranks);
}

const struct pdump_dump_rank_stat *pdump_view_ranks_stat(
    const struct pdump_view *view, const struct pdump_view_ranks *ranks,
    int item, int metric)
{
    size_t n = (size_t)view->dump->n_metrics + 1;

    return &ranks->stats[(size_t)item * n + (size_t)metric];
}

static struct pdump_ranks_groups groups_of(const struct pdump_view *view)
{
    return (struct pdump_ranks_groups){
        .group = view->row_item,
        .is_skipped = view->is_repeated,
        .n = view->n_items,
    };
}

/* Computes the statistics of every metric and of the visits, from rows. */
static int count_rows(const struct pdump_view *view, struct pdump_view_ranks *r)
{
    const struct pdump_ranks_groups groups = groups_of(view);
    int n_metrics = view->dump->n_metrics;
    size_t n = (size_t)n_metrics + 1;
    struct pdump_dump_rank_stat *line =
        malloc(((size_t)view->n_items + 1) * sizeof(*line));
    int err = line ? PDUMP_OK : pdump_no_memory();

    for (int m = 0; err >= 0 && m <= n_metrics; m++) {
        err = pdump_ranks_stats(view->dump, &r->list, m < n_metrics ? m : -1,
                                &groups, line);
        for (int i = 0; err >= 0 && i < view->n_items; i++)
            r->stats[(size_t)i * n + (size_t)m] = line[i];
    }
    free(line);
    return err;
}

/* If several nodes share an item, the value of a rank over all of them is
 * unknown, and so are the minimum and maximum. */
static void use_node(const struct pdump_view *view, struct pdump_view_ranks *r,
                     int node)
{
    const struct pdump_dump *dump = view->dump;
    size_t n = (size_t)dump->n_metrics + 1;
    bool is_repeated = pdump_view_is_repeated(view, node);

    for (int m = 0; m <= dump->n_metrics; m++) {
        const struct pdump_dump_rank_stat *stat = &dump->stats[m][node];
        struct pdump_dump_rank_stat *at =
            &r->stats[(size_t)view->node_item[node] * n + (size_t)m];

        if (stat->n <= 0 || (is_repeated && m < dump->n_metrics))
            continue;
        if (at->n == 0)
            *at = *stat;
        else
            *at = (struct pdump_dump_rank_stat){ .n = -1 };
    }
}

static void use_stats(const struct pdump_view *view, struct pdump_view_ranks *r)
{
    const struct pdump_dump *dump = view->dump;
    size_t n = (size_t)dump->n_metrics + 1;

    for (int node = 0; node < dump->n_nodes; node++)
        for (size_t m = 0; m < n; m++)
            if (dump->stats[m][node].n > 0)
                r->stats[(size_t)view->node_item[node] * n + m].n = 0;
    for (int node = 0; node < dump->n_nodes; node++)
        if (view->node_item[node] >= 0)
            use_node(view, r, node);
    for (size_t i = 0; i < (size_t)view->n_items * n; i++)
        if (r->stats[i].n < 0)
            r->stats[i].n = 0;
}

static int count_values(const struct pdump_view *view,
                        struct pdump_view_ranks *r)
{
    const struct pdump_ranks_groups groups = groups_of(view);
    size_t n = (size_t)r->list.n, n_items = (size_t)view->n_items;
    int64_t *line = malloc((n_items + 1) * sizeof(*line));

    r->values = malloc((n * n_items + 1) * sizeof(*r->values));
    if (!line || !r->values) {
        free(line);
        return pdump_no_memory();
    }
    for (int i = 0; i < r->list.n; i++) {
        pdump_ranks_values(view->dump, &r->list, i, r->metric, &groups, line);
        for (size_t k = 0; k < n_items; k++)
            r->values[k * n + (size_t)i] = line[k];
    }
    free(line);
    return PDUMP_OK;
}

/* Returns the number of ranks that could have a value. */
static int count_ranks(const struct pdump_dump *dump,
                       const struct pdump_view_ranks *r)
{
    int64_t most = r->has_stats ? pdump_ranks_of_job(dump, &r->list) : 0;

    for (int m = 0; r->has_stats && m <= dump->n_metrics; m++)
        for (int node = 0; node < dump->n_nodes; node++)
            if (dump->stats[m][node].n > most)
                most = dump->stats[m][node].n;
    if (!r->has_stats)
        return r->list.n;
    return most < INT_MAX ? (int)most : INT_MAX;
}

int pdump_view_ranks_new(const struct pdump_view *view, int metric,
                         struct pdump_view_ranks **out)
{
    size_t n = (size_t)view->n_items * ((size_t)view->dump->n_metrics + 1);
    struct pdump_view_ranks *r = calloc(1, sizeof(*r));
    int err;

    if (!r)
        return pdump_no_memory();
    r->metric = metric;
    r->has_stats = view->dump->stats != NULL;
    r->stats = calloc(n + 1, sizeof(*r->stats));
    err = r->stats ? pdump_ranks_of(view->dump, &r->list) : pdump_no_memory();
    if (err >= 0) {
        if (r->has_stats)
            pdump_ranks_drop_empty(&r->list);
        r->n = count_ranks(view->dump, r);
        err = count_rows(view, r);
    }
    if (err >= 0 && r->has_stats)
        use_stats(view, r);
    if (err >= 0 && metric >= 0)
        err = count_values(view, r);
    if (err < 0) {
        pdump_view_ranks_free(r);
        return err;
    }
    *out = r;
    return PDUMP_OK;
}

static int64_t largest_of_range(const int64_t *values, int from, int to)
{
    int64_t most = PDUMP_MISSING;

    for (int i = from; i < to; i++)
        if (values[i] > most)
            most = values[i];
    return most;
}

double pdump_view_ranks_level(const struct pdump_view *view,
                              const struct pdump_view_ranks *ranks, int item,
                              int cell, int n_cells)
{
    const struct pdump_dump_rank_stat *stat =
        pdump_view_ranks_stat(view, ranks, item, ranks->metric);
    int n = ranks->list.n;
    const int64_t *values = &ranks->values[(size_t)item * (size_t)n];
    int from = (int)((int64_t)n * cell / n_cells);
    int to = (int)((int64_t)n * (cell + 1) / n_cells);
    int64_t most = largest_of_range(values, from, to),
            top = largest_of_range(values, 0, n);

    /* The largest value may be that of a rank without rows. */
    if (stat->n > 0 && stat->max > top)
        top = stat->max;
    if (most == PDUMP_MISSING)
        return NAN;
    return most <= 0 || top <= 0 ? 0 : (double)most / (double)top;
}
