/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies several dumps into one builder, with new numbers for everything. */
#include "dump/merge.h"
#include "dump/event_lanes.h"
#include "dump/merge_stats.h"
#include "dump/renumber.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int copy_rows(struct pdump_builder *b, const struct pdump_dump *dump,
                     const struct pdump_renumber *p)
{
    for (int64_t i = 0; i < dump->n_rows; i++) {
        const struct pdump_dump_row *row = &dump->rows[i];
        int64_t to =
            pdump_builder_row(b, p->threads[row->thread], p->nodes[row->node],
                              row->visits, row->is_open);

        if (to < 0)
            return (int)to;
        for (int m = 0; m < dump->n_metrics; m++) {
            const struct pdump_dump_column *c = &dump->columns[m];
            int err = pdump_builder_value(b, to, p->metrics[m], c->sum[i],
                                          c->min[i], c->max[i], c->sumsq[i]);

            if (err < 0)
                return err;
        }
    }
    return PDUMP_OK;
}

/* `values` has room for every metric of the union. */
static int copy_samples(struct pdump_builder *b, const struct pdump_dump *dump,
                        const struct pdump_renumber *p, int64_t *values,
                        int n_metrics)
{
    for (int m = 0; m < n_metrics; m++)
        values[m] = PDUMP_MISSING;
    for (int64_t i = 0; i < dump->n_samples; i++) {
        struct pdump_dump_sample sample = dump->samples[i];
        int err;

        sample.thread = p->threads[sample.thread];
        sample.node = p->nodes[sample.node];
        for (int m = 0; m < dump->n_metrics; m++)
            values[p->metrics[m]] = dump->sample_values[m][i];
        err = pdump_builder_sample(b, &sample, values);
        if (err < 0)
            return err;
    }
    return PDUMP_OK;
}

/* *n_nodes is the number of nodes of the union so far. */
static int copy_dump(struct pdump_builder *b, const struct pdump_dump *dump,
                     int n_metrics, int *n_nodes)
{
    struct pdump_renumber p = { 0 };
    int64_t *values = malloc(((size_t)n_metrics + 1) * sizeof(*values));
    int err = values ? pdump_renumber_tree(b, dump, &p) : pdump_no_memory();

    if (err == PDUMP_OK)
        err = pdump_renumber_threads(b, dump, &p);
    for (int i = 0; err == PDUMP_OK && i < dump->n_nodes; i++)
        if (p.nodes[i] >= *n_nodes)
            *n_nodes = p.nodes[i] + 1;
    if (err == PDUMP_OK)
        err = copy_rows(b, dump, &p);
    if (err == PDUMP_OK)
        err = copy_samples(b, dump, &p, values, n_metrics);
    if (err == PDUMP_OK)
        err = pdump_builder_lanes(
            b, dump,
            &(struct pdump_event_lanes_numbers){ .threads = p.threads,
                                                 .nodes = p.nodes,
                                                 .regions = p.regions,
                                                 .metrics = p.metrics });
    if (err == PDUMP_OK)
        err = pdump_renumber_details(b, dump, &p);
    for (int i = 0; err == PDUMP_OK && i < dump->n_warnings; i++)
        err = pdump_builder_warning(b, dump->warnings[i].text,
                                    dump->warnings[i].count);
    pdump_renumber_free(&p);
    free(values);
    return err;
}

static int unite_metadata(struct pdump_builder *b,
                          struct pdump_dump *const *dumps, int n)
{
    int err = PDUMP_OK;

    for (int i = 0; i < n; i++)
        for (int m = 0; err == PDUMP_OK && m < dumps[i]->n_metadata; m++)
            err = pdump_builder_metadata_more(b, dumps[i]->metadata[m].key,
                                              dumps[i]->metadata[m].value);
    return err;
}

/* All metrics must be known before the first row.  Returns their number. */
static int unite_metrics(struct pdump_builder *b,
                         struct pdump_dump *const *dumps, int n)
{
    int n_metrics = 0;

    for (int i = 0; i < n; i++)
        for (int m = 0; m < dumps[i]->n_metrics; m++) {
            int at = pdump_builder_metric(b, &dumps[i]->metrics[m]);

            if (at < 0)
                return at;
            if (at >= n_metrics)
                n_metrics = at + 1;
        }
    return n_metrics;
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
                       int n, int n_metrics, int n_nodes,
                       struct pdump_dump_rank_stat ***out)
{
    int err;

    *out = NULL;
    if (!has_stats(dumps, n))
        return PDUMP_OK;
    err = pdump_merge_stats_new(n_metrics, n_nodes, out);
    for (int i = 0; err == PDUMP_OK && i < n; i++) {
        struct pdump_renumber p = { 0 };

        err = pdump_renumber_tree(b, dumps[i], &p);
        if (err == PDUMP_OK)
            err = pdump_merge_stats_add(*out, n_metrics, n_nodes, dumps[i], &p,
                                        0);
        pdump_renumber_free(&p);
    }
    return err == PDUMP_OK ? add_ranks(b, dumps, n) : err;
}

int pdump_merge(struct pdump_dump *const *dumps, int n, struct pdump_dump **out)
{
    struct pdump_dump_rank_stat **stats = NULL;
    struct pdump_builder *b;
    int n_metrics, n_nodes = 0;
    int err = pdump_builder_new(&b);

    if (err < 0)
        return err;
    n_metrics = unite_metrics(b, dumps, n);
    err = n_metrics < 0 ? n_metrics : PDUMP_OK;
    for (int i = 0; err == PDUMP_OK && i < n; i++)
        err = copy_dump(b, dumps[i], n_metrics, &n_nodes);
    if (err == PDUMP_OK)
        err = unite_metadata(b, dumps, n);
    if (err == PDUMP_OK)
        err = unite_stats(b, dumps, n, n_metrics, n_nodes, &stats);
    if (err == PDUMP_OK)
        err = pdump_builder_finish(b, out);
    if (err == PDUMP_OK)
        (*out)->stats = stats;
    else
        pdump_merge_stats_free(stats, n_metrics);
    pdump_builder_free(b);
    return err;
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
