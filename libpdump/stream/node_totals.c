/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums rows by node. */
#include "stream/node_totals.h"

#include <stdlib.h>
#include <string.h>

int pdump_node_totals_new(const struct pdump_dump *tables,
                          struct pdump_node_totals *out)
{
    size_t nodes = (size_t)tables->n_nodes + 1;
    size_t values = nodes * ((size_t)tables->n_metrics + 1);

    *out = (struct pdump_node_totals){
        .n_nodes = tables->n_nodes,
        .n_metrics = tables->n_metrics,
        .visits = malloc(nodes * sizeof(int64_t)),
        .n_open = malloc(nodes * sizeof(int64_t)),
        .sum = malloc(values * sizeof(int64_t)),
        .self = malloc(values * sizeof(int64_t)),
    };
    if (!out->visits || !out->n_open || !out->sum || !out->self) {
        pdump_node_totals_free(out);
        return pdump_no_memory();
    }
    pdump_node_totals_clear(out);
    return PDUMP_OK;
}

void pdump_node_totals_free(struct pdump_node_totals *t)
{
    free(t->visits);
    free(t->n_open);
    free(t->sum);
    free(t->self);
    *t = (struct pdump_node_totals){ 0 };
}

void pdump_node_totals_clear(struct pdump_node_totals *t)
{
    size_t n = (size_t)t->n_nodes * (size_t)t->n_metrics;

    memset(t->visits, 0, (size_t)t->n_nodes * sizeof(*t->visits));
    memset(t->n_open, 0, (size_t)t->n_nodes * sizeof(*t->n_open));
    for (size_t i = 0; i < n; i++)
        t->sum[i] = t->self[i] = PDUMP_MISSING;
}

void pdump_node_totals_add(struct pdump_node_totals *t,
                           const struct pdump_dump *dump)
{
    for (int64_t i = 0; i < dump->n_rows; i++) {
        int node = dump->rows[i].node;

        t->visits[node] =
            pdump_node_totals_plus(t->visits[node], dump->rows[i].visits);
        t->n_open[node] += dump->rows[i].is_open;
    }
    for (int m = 0; m < t->n_metrics; m++) {
        int64_t *sum = t->sum + (size_t)m * (size_t)t->n_nodes;
        int64_t *self = t->self + (size_t)m * (size_t)t->n_nodes;
        const struct pdump_dump_column *column = &dump->columns[m];
        bool is_gauge = dump->metrics[m].kind == PDUMP_GAUGE;

        for (int64_t i = 0; i < dump->n_rows; i++) {
            int64_t value = pdump_dump_figure(dump, m, i);
            int node = dump->rows[i].node;

            /* PDUMP_MISSING is less than every value. */
            if (!is_gauge)
                sum[node] = pdump_node_totals_plus(sum[node], value);
            else if (value > sum[node])
                sum[node] = value;
            self[node] =
                pdump_node_totals_plus(self[node], column->exclusive[i]);
        }
    }
}

bool pdump_node_totals_has(const struct pdump_node_totals *t, int node)
{
    if (t->visits[node] || t->n_open[node])
        return true;
    for (int m = 0; m < t->n_metrics; m++)
        if (t->sum[(size_t)m * (size_t)t->n_nodes + (size_t)node] !=
            PDUMP_MISSING)
            return true;
    return false;
}

/* Computes the sums without those of the nodes inside. */
static void find_self(const struct pdump_dump *dump, const int64_t *sum,
                      int64_t *self)
{
    memcpy(self, sum, (size_t)dump->n_nodes * sizeof(*self));
    for (int i = 0; i < dump->n_nodes; i++) {
        int around = dump->nodes[i].parent;

        if (sum[i] == PDUMP_MISSING)
            continue;
        /* Skip calls without counters in between. */
        while (around >= 0 && sum[around] == PDUMP_MISSING)
            around = dump->nodes[around].parent;
        if (around >= 0)
            self[around] = (int64_t)((uint64_t)self[around] - (uint64_t)sum[i]);
    }
}

static void use_stats(struct pdump_node_totals *t,
                      const struct pdump_dump *dump)
{
    for (int i = 0; i < t->n_nodes; i++)
        t->visits[i] = dump->stats[t->n_metrics][i].n > 0
                           ? dump->stats[t->n_metrics][i].sum
                           : 0;
    for (int m = 0; m < t->n_metrics; m++) {
        int64_t *sum = t->sum + (size_t)m * (size_t)t->n_nodes;
        const struct pdump_dump_rank_stat *stats = dump->stats[m];
        bool is_gauge = dump->metrics[m].kind == PDUMP_GAUGE;

        for (int i = 0; i < t->n_nodes; i++)
            if (stats[i].n > 0)
                sum[i] = is_gauge ? stats[i].max : stats[i].sum;
        if (!is_gauge)
            find_self(dump, sum, t->self + (size_t)m * (size_t)t->n_nodes);
    }
}

int pdump_node_totals_of(struct pdump_stream *in, struct pdump_node_totals *out)
{
    int err = pdump_node_totals_new(in->tables, out);

    if (err < 0)
        return err;
    if (in->tables->stats) {
        use_stats(out, in->tables);
        return PDUMP_OK;
    }
    for (int i = 0; err >= 0 && i < in->n_pieces; i++) {
        const struct pdump_dump *piece;

        err = in->piece(in, i, &piece);
        if (err >= 0)
            pdump_node_totals_add(out, piece);
    }
    if (err < 0)
        pdump_node_totals_free(out);
    return err;
}
