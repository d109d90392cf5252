/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies several dumps into one builder, with new numbers for everything. */
#include "dump/merge.h"
#include "dump/merge_stats.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* All metrics must be known before the first row. */
static int unite_metrics(struct pdump_builder *b,
                         struct pdump_dump *const *dumps, int n)
{
    int err = PDUMP_OK;

    for (int i = 0; i < n; i++)
        for (int m = 0; err >= 0 && m < dumps[i]->n_metrics; m++)
            err = pdump_builder_metric(b, &dumps[i]->metrics[m]);
    return err;
}

/* For jobs side by side, the number of ranks is that of all jobs. */
static int add_ranks(struct pdump_builder *b, struct pdump_dump *const *dumps,
                     int n)
{
    long long sum = 0;
    char text[24];
    int n_jobs = 0;

    for (int i = 0; i < n; i++) {
        const char *ranks = pdump_dump_metadata(dumps[i], "ranks");
        long long more = ranks ? strtoll(ranks, NULL, 10) : 0;

        if (!dumps[i]->stats || more <= 0 || more > INT_MAX)
            continue;
        sum += more;
        n_jobs++;
    }
    if (n_jobs == 0)
        return PDUMP_OK;
    snprintf(text, sizeof(text), "%lld", sum);
    return pdump_builder_metadata(b, "ranks", text);
}

static bool has_stats(struct pdump_dump *const *dumps, int n)
{
    for (int i = 0; i < n; i++)
        if (dumps[i]->stats)
            return true;
    return false;
}

/* Merges the statistics of all dumps if one of them has some.  The builder
 * already has all metrics and nodes. */
static int unite_stats(struct pdump_builder *b, struct pdump_dump *const *dumps,
                       int n)
{
    int n_metrics = pdump_builder_tables(b)->n_metrics;
    int n_nodes = pdump_builder_tables(b)->n_nodes;
    struct pdump_dump_rank_stat **stats;
    int err;

    if (!has_stats(dumps, n))
        return PDUMP_OK;
    err = pdump_builder_stats(b, &stats);
    for (int i = 0; err >= 0 && i < n; i++) {
        struct pdump_dump_copy copy = { .to = b, .from = dumps[i] };

        err = pdump_dump_copy_tree(&copy);
        if (err >= 0)
            err = pdump_merge_stats_add(stats, n_metrics, n_nodes, &copy, 0);
        pdump_dump_copy_free(&copy);
    }
    return err < 0 ? err : add_ranks(b, dumps, n);
}

int pdump_merge(struct pdump_dump *const *dumps, int n, struct pdump_dump **out)
{
    struct pdump_builder *b;
    int err = pdump_builder_new(&b);

    if (err < 0)
        return err;
    err = unite_metrics(b, dumps, n);
    for (int i = 0; err >= 0 && i < n; i++)
        err = pdump_dump_copy_all(b, dumps[i]);
    if (err >= 0)
        err = unite_stats(b, dumps, n);
    return pdump_builder_close(b, err, out);
}

int pdump_dump_merge(struct pdump_dump *const *dumps, int n,
                     struct pdump_dump **out)
{
    if (!out || n < 0 || (n > 0 && !dumps))
        return pdump_fail(PDUMP_EINVAL, "no dumps or no result");
    for (int i = 0; i < n; i++)
        if (!dumps[i])
            return pdump_fail(PDUMP_EINVAL, "dump %d is not there", i);
    return pdump_merge(dumps, n, out);
}
