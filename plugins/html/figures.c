/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of the page: statistics of every node over the ranks. */
#include "figures.h"

#include "dump/stacks.h"

#include <stdlib.h>
#include <string.h>

int figures_key(const struct pdump_dump *tables)
{
    int time = pdump_dump_find_metric(tables, "time");

    return time < 0 ? 0 : time;
}

static bool is_gauge(const struct pdump_dump *dump, int metric)
{
    return metric < dump->n_metrics &&
           dump->metrics[metric].kind == PDUMP_GAUGE;
}

void figures_values(const struct pdump_dump *piece, int metric, int64_t *out)
{
    bool is_level = is_gauge(piece, metric);

    for (int i = 0; i < piece->n_nodes; i++)
        out[i] = PDUMP_MISSING;
    for (int64_t i = 0; i < piece->n_rows; i++) {
        int64_t *sum = &out[piece->rows[i].node];
        int64_t value = metric == piece->n_metrics
                            ? piece->rows[i].visits
                            : pdump_dump_figure(piece, metric, i);

        if (value == PDUMP_MISSING)
            continue;
        if (*sum == PDUMP_MISSING)
            *sum = value;
        else if (!is_level)
            __builtin_add_overflow(*sum, value, sum);
        else if (value > *sum)
            *sum = value;
    }
}

static int add_piece(struct figures *f, const struct pdump_dump *piece,
                     int rank)
{
    int n = f->tables->n_nodes;
    int64_t *values = malloc(((size_t)n + 1) * sizeof(*values));

    if (!values)
        return pdump_no_memory();
    for (int m = 0; m <= f->tables->n_metrics; m++) {
        figures_values(piece, m, values);
        for (int i = 0; i < n; i++)
            pdump_rank_stat_add(&f->stats[m][i], rank, values[i]);
    }
    free(values);
    return PDUMP_OK;
}

static int make_stats(struct pdump_stream *in, struct figures *f)
{
    int err;

    if (in->tables->stats) {
        f->stats = in->tables->stats;
        return PDUMP_OK;
    }
    err = pdump_rank_stat_new(f->tables->n_metrics, f->tables->n_nodes,
                              &f->own_stats);
    f->stats = f->own_stats;
    for (int i = 0; err >= 0 && i < in->n_pieces; i++) {
        const struct pdump_dump *piece;

        err = in->piece(in, i, &piece);
        if (err >= 0)
            err = add_piece(f, piece, in->rank[i]);
    }
    return err;
}

/* Computes the value of each node without the nodes below it. */
static int make_self(struct figures *f)
{
    const struct pdump_dump *t = f->tables;
    size_t n = (size_t)t->n_nodes + 1;

    f->self = calloc((size_t)t->n_metrics + 1, sizeof(*f->self));
    if (!f->self)
        return pdump_no_memory();
    for (int m = 0; m < t->n_metrics; m++) {
        int64_t *self = f->self[m] = malloc(n * sizeof(*self));

        if (!self)
            return pdump_no_memory();
        for (int i = 0; i < t->n_nodes; i++)
            self[i] = f->stats[m][i].n > 0 && !is_gauge(t, m)
                          ? f->stats[m][i].sum
                          : PDUMP_MISSING;
        for (int i = 0; i < t->n_nodes; i++) {
            int around = t->nodes[i].parent;

            if (f->stats[m][i].n <= 0 || is_gauge(t, m))
                continue;
            /* There may be a call without counters in between. */
            while (around >= 0 && f->stats[m][around].n <= 0)
                around = t->nodes[around].parent;
            if (around >= 0)
                self[around] -= f->stats[m][i].sum;
        }
    }
    return PDUMP_OK;
}

static int by_value(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x < *y) - (*x > *y);
}

/* Finds the smallest value with which a node is among the largest ones.  It is
 * INT64_MIN if all nodes are shown. */
static int find_bound(const struct figures *f, int key, int64_t *bound)
{
    int n = f->tables->n_nodes;
    int64_t *values = malloc(((size_t)n + 1) * sizeof(*values));

    if (!values)
        return pdump_no_memory();
    for (int i = 0; i < n; i++)
        values[i] = f->stats[key][i].n > 0 ? f->stats[key][i].sum : 0;
    qsort(values, (size_t)n, sizeof(*values), by_value);
    *bound = n > FIGURES_NODES_MAX ? values[FIGURES_NODES_MAX] + 1 : INT64_MIN;
    free(values);
    return PDUMP_OK;
}

static bool is_large(const struct figures *f, int key, int64_t bound, int node)
{
    return bound == INT64_MIN ||
           (f->stats[key][node].n > 0 && f->stats[key][node].sum >= bound);
}

/* Chooses the large nodes and their ancestors.  Parents come before children.
 * Functions of stacks have no time: those with most of the time of stacks are
 * large, too. */
static int choose_nodes(struct figures *f)
{
    const struct pdump_dump *t = f->tables;
    int key = figures_key(t), err;
    int stacks = pdump_dump_find_metric(t, PDUMP_STACKS_TIME);
    int64_t bound = INT64_MIN, least = INT64_MIN;

    f->number = calloc((size_t)t->n_nodes + 1, sizeof(*f->number));
    if (!f->number)
        return pdump_no_memory();
    err = t->n_metrics ? find_bound(f, key, &bound) : PDUMP_OK;
    if (err >= 0 && stacks >= 0)
        err = find_bound(f, stacks, &least);
    for (int i = t->n_nodes - 1; err >= 0 && i >= 0; i--) {
        bool is_shown = f->number[i] || is_large(f, key, bound, i) ||
                        (stacks >= 0 && is_large(f, stacks, least, i));

        if (is_shown && t->nodes[i].parent >= 0)
            f->number[t->nodes[i].parent] = 1;
        f->number[i] = is_shown;
    }
    for (int i = 0; err >= 0 && i < t->n_nodes; i++) {
        f->n_hidden += !f->number[i];
        f->number[i] = f->number[i] ? f->n_nodes++ : -1;
    }
    return err;
}

int figures_of(struct pdump_stream *in, struct figures *out)
{
    int err;

    *out = (struct figures){ .tables = in->tables };
    err = make_stats(in, out);
    if (err >= 0)
        err = make_self(out);
    if (err >= 0)
        err = choose_nodes(out);
    if (err >= 0)
        err = figures_make_map(in, out);
    if (err >= 0)
        err = figures_make_steps(in, out);
    if (err < 0)
        figures_free(out);
    return err;
}

void figures_free(struct figures *f)
{
    int n_metrics = f->tables->n_metrics;

    for (int m = 0; f->own_stats && m <= n_metrics; m++)
        free(f->own_stats[m]);
    for (int m = 0; f->self && m < n_metrics; m++)
        free(f->self[m]);
    free(f->own_stats);
    free(f->self);
    free(f->number);
    figures_free_map(f);
    figures_free_steps(f);
}
