/* SPDX-License-Identifier: BSD-3-Clause */
/* The statistics over ranks of several dumps, as those of their union. */
#include "merge_stats.h"
#include "stat.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* The statistics so far, one line of nodes per metric, the visits last. */
struct union_stats {
    struct pdump_builder *b;
    struct pdump_dump_stat *stat;
    int n_metrics;
    int n_nodes;
};

/* The numbers that a dump's metrics and nodes have in the union: they are known
 * already, and asking for them again tells. */
static int find_places(struct pdump_builder *b, const struct pdump_dump *dump,
                       int *metrics, int *nodes)
{
    int at = 0;

    for (int i = 0; at >= 0 && i < dump->n_metrics; i++)
        at = metrics[i] = pdump_builder_metric(b, &dump->metrics[i]);
    for (int i = 0; at >= 0 && i < dump->n_nodes; i++) {
        const struct pdump_dump_node *node = &dump->nodes[i];
        int region = pdump_builder_region(b, &dump->regions[node->region]);

        at = region < 0
                 ? region
                 : pdump_builder_node(
                       b, node->parent < 0 ? -1 : nodes[node->parent], region);
        nodes[i] = at;
    }
    return at < 0 ? at : PDUMP_OK;
}

static int add_dump(struct union_stats *u, const struct pdump_dump *dump)
{
    int *metrics = malloc(((size_t)dump->n_metrics + 1) * sizeof(*metrics));
    int *nodes = malloc(((size_t)dump->n_nodes + 1) * sizeof(*nodes));
    int err = metrics && nodes ? find_places(u->b, dump, metrics, nodes)
                               : pdump_no_memory();

    for (int m = 0; err >= 0 && m <= dump->n_metrics; m++) {
        size_t line = (size_t)(m < dump->n_metrics ? metrics[m] : u->n_metrics);

        for (int i = 0; i < dump->n_nodes; i++)
            pdump_stat_join(&u->stat[line * (size_t)u->n_nodes + nodes[i]],
                            &dump->stats[m][i]);
    }
    free(nodes);
    free(metrics);
    return err;
}

static int give(const struct union_stats *u)
{
    const struct pdump_dump_stat *stat = u->stat;
    int err = PDUMP_OK;

    for (int m = 0; m <= u->n_metrics; m++)
        for (int i = 0; err >= 0 && i < u->n_nodes; i++, stat++)
            err = pdump_builder_stat(u->b, m < u->n_metrics ? m : -1, i, stat);
    return err;
}

/* Jobs side by side have the ranks of all of them. */
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

int pdump_merge_stats(struct pdump_builder *b, struct pdump_dump *const *dumps,
                      int n, int n_metrics, int n_nodes)
{
    size_t size = ((size_t)n_metrics + 1) * (size_t)n_nodes;
    struct union_stats u = { .b = b,
                             .n_metrics = n_metrics,
                             .n_nodes = n_nodes };
    int err = PDUMP_OK, n_found = 0;

    for (int i = 0; i < n; i++)
        n_found += dumps[i]->stats != NULL;
    if (n_found == 0)
        return PDUMP_OK;
    u.stat = calloc(size + 1, sizeof(*u.stat));
    if (!u.stat)
        return pdump_no_memory();
    for (int i = 0; err >= 0 && i < n; i++)
        if (dumps[i]->stats)
            err = add_dump(&u, dumps[i]);
    if (err >= 0)
        err = give(&u);
    if (err >= 0)
        err = add_ranks(b, dumps, n);
    free(u.stat);
    return err;
}
