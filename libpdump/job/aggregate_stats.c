/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes statistics over ranks on the way to rank 0: no rank ever holds more
 * than one for every node and metric. */
#include "job/aggregate_stats.h"
#include "dump/rank_stat.h"
#include "job/collectives.h"

#include <stdlib.h>
#include <string.h>

/* [metric * n_nodes + node], the visits last. */
struct table {
    struct pdump_dump_rank_stat *stat;
    size_t n;
};

/* Adds one more value of the same rank.  A level has a maximum and no sum. */
static void stat_count(struct pdump_dump_rank_stat *stat, int64_t value,
                       bool is_level)
{
    if (value == PDUMP_MISSING)
        return;
    if (stat->n == 0 || (is_level && value > stat->sum))
        stat->sum = value;
    else if (!is_level && __builtin_add_overflow(stat->sum, value, &stat->sum))
        stat->sum = value < 0 ? INT64_MIN + 1 : INT64_MAX;
    stat->n = 1;
}

static void stat_settle(struct pdump_dump_rank_stat *stat, int rank)
{
    stat->min = stat->max = stat->sum;
    stat->sumsq = (double)stat->sum * (double)stat->sum;
    stat->rank_of_min = stat->rank_of_max = rank;
}

static void count_rows(const struct pdump_dump *dump, struct table *t)
{
    size_t n_nodes = (size_t)dump->n_nodes;

    for (int64_t i = 0; i < dump->n_rows; i++) {
        size_t node = (size_t)dump->rows[i].node;

        for (int m = 0; m < dump->n_metrics; m++) {
            bool is_level = dump->metrics[m].kind == PDUMP_GAUGE;

            stat_count(&t->stat[(size_t)m * n_nodes + node],
                       pdump_dump_figure(dump, m, i), is_level);
        }
        stat_count(&t->stat[(size_t)dump->n_metrics * n_nodes + node],
                   dump->rows[i].visits, false);
    }
}

static int table_add(void *data, void *bytes, size_t len)
{
    struct table *t = data;
    const struct pdump_dump_rank_stat *other = bytes;

    if (len != t->n * sizeof(*other))
        return pdump_fail(PDUMP_EPEER, "a message of another rank is damaged");
    for (size_t i = 0; i < t->n; i++)
        pdump_rank_stat_join(&t->stat[i], &other[i]);
    return PDUMP_OK;
}

static int table_give(void *data, const void **bytes, size_t *len)
{
    struct table *t = data;

    *bytes = t->stat;
    *len = t->n * sizeof(*t->stat);
    return PDUMP_OK;
}

/* Copies them into the layout of a dump: one array per metric. */
static int cut_lines(const struct table *t, int n_metrics, size_t n_nodes,
                     struct pdump_dump_rank_stat ***out)
{
    int err = pdump_rank_stat_new(n_metrics, (int)n_nodes, out);

    for (int m = 0; err >= 0 && m <= n_metrics; m++)
        memcpy((*out)[m], t->stat + (size_t)m * n_nodes,
               n_nodes * sizeof(*t->stat));
    return err;
}

int pdump_aggregate_stats(const struct pdump_comm *comm,
                          const struct pdump_dump *mine,
                          struct pdump_dump_rank_stat ***out)
{
    static const struct pdump_collectives how = { table_add, table_give };
    size_t n_nodes = (size_t)mine->n_nodes;
    int rank = mine->n_processes > 0 ? mine->processes[0].rank : comm->rank();
    struct table t = { .n = n_nodes * ((size_t)mine->n_metrics + 1) };
    int err;

    *out = NULL;
    t.stat = calloc(t.n + 1, sizeof(*t.stat));
    if (!t.stat)
        return pdump_no_memory();
    count_rows(mine, &t);
    for (size_t i = 0; i < t.n; i++)
        stat_settle(&t.stat[i], rank);
    err = pdump_collectives_up(comm, &how, &t);
    if (err >= 0 && comm->rank() == 0)
        err = cut_lines(&t, mine->n_metrics, n_nodes, out);
    free(t.stat);
    return err;
}
