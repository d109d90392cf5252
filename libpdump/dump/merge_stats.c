/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges the statistics over ranks of several dumps. */
#include "dump/merge_stats.h"
#include "dump/rank_stat.h"
#include "dump/ranks.h"

#include <stdlib.h>

static void stat_join(struct pdump_dump_rank_stat *stat,
                      struct pdump_dump_rank_stat other, int shift)
{
    /* A file may contain any rank: wrap instead of overflowing. */
    other.rank_of_min = (int)((unsigned)other.rank_of_min + (unsigned)shift);
    other.rank_of_max = (int)((unsigned)other.rank_of_max + (unsigned)shift);
    pdump_rank_stat_join(stat, &other);
}

/* Adds up the dump's rows, in the nodes of the union. */
static int add_rows(struct pdump_dump_rank_stat **stats, int n_metrics,
                    int n_nodes, const struct pdump_dump_copy *copy, int shift)
{
    const struct pdump_dump *dump = copy->from;
    struct pdump_ranks ranks;
    int *group = malloc(((size_t)dump->n_rows + 1) * sizeof(*group));
    struct pdump_ranks_groups groups = { .group = group, .n = n_nodes };
    struct pdump_dump_rank_stat *line =
        malloc(((size_t)n_nodes + 1) * sizeof(*line));
    int err = group && line ? pdump_ranks_of(dump, &ranks) : pdump_no_memory();

    if (err < 0)
        goto out;
    for (int64_t i = 0; i < dump->n_rows; i++)
        group[i] = copy->nodes[dump->rows[i].node];
    for (int m = -1; err >= 0 && m < dump->n_metrics; m++) {
        struct pdump_dump_rank_stat *to =
            stats[m < 0 ? n_metrics : copy->metrics[m]];

        err = pdump_ranks_stats(dump, &ranks, m, &groups, line);
        for (int i = 0; err >= 0 && i < n_nodes; i++)
            stat_join(&to[i], line[i], shift);
    }
    pdump_ranks_free(&ranks);
out:
    free(line);
    free(group);
    return err;
}

int pdump_merge_stats_add(struct pdump_dump_rank_stat **stats, int n_metrics,
                          int n_nodes, const struct pdump_dump_copy *copy,
                          int shift)
{
    const struct pdump_dump *dump = copy->from;

    if (!dump->stats)
        return add_rows(stats, n_metrics, n_nodes, copy, shift);
    for (int m = 0; m <= dump->n_metrics; m++) {
        int to_m = m < dump->n_metrics ? copy->metrics[m] : n_metrics;
        struct pdump_dump_rank_stat *to;

        if (to_m < 0)
            continue;
        to = stats[to_m];
        for (int i = 0; i < dump->n_nodes; i++)
            if (copy->nodes[i] >= 0)
                stat_join(&to[copy->nodes[i]], dump->stats[m][i], shift);
    }
    return PDUMP_OK;
}
