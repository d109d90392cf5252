/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies dumps into one builder, with new numbers for everything. */
#include "merge.h"
#include "merge_stats.h"

#include <stdio.h>
#include <stdlib.h>

/* The numbers that the things of one dump have in the union. */
struct places {
    int *metrics;
    int *regions;
    int *nodes;
    int *processes;
    int *threads;
};

static int *numbers(int n)
{
    return malloc(((size_t)n + 1) * sizeof(int));
}

static void free_places(struct places *p)
{
    free(p->metrics);
    free(p->regions);
    free(p->nodes);
    free(p->processes);
    free(p->threads);
}

static int new_places(const struct pdump_dump *dump, struct places *p)
{
    p->metrics = numbers(dump->n_metrics);
    p->regions = numbers(dump->n_regions);
    p->nodes = numbers(dump->n_nodes);
    p->processes = numbers(dump->n_processes);
    p->threads = numbers(dump->n_threads);
    if (!p->metrics || !p->regions || !p->nodes || !p->processes || !p->threads)
        return pdump_no_memory();
    return PDUMP_OK;
}

static int copy_tree(struct pdump_builder *b, const struct pdump_dump *dump,
                     struct places *p)
{
    for (int i = 0; i < dump->n_regions; i++) {
        p->regions[i] = pdump_builder_region(b, &dump->regions[i]);
        if (p->regions[i] < 0)
            return p->regions[i];
    }
    for (int i = 0; i < dump->n_nodes; i++) {
        const struct pdump_dump_node *node = &dump->nodes[i];
        int parent = node->parent < 0 ? -1 : p->nodes[node->parent];

        p->nodes[i] = pdump_builder_node(b, parent, p->regions[node->region]);
        if (p->nodes[i] < 0)
            return p->nodes[i];
    }
    return PDUMP_OK;
}

static int copy_places(struct pdump_builder *b, const struct pdump_dump *dump,
                       struct places *p)
{
    for (int i = 0; i < dump->n_metrics; i++) {
        p->metrics[i] = pdump_builder_metric(b, &dump->metrics[i]);
        if (p->metrics[i] < 0)
            return p->metrics[i];
    }
    for (int i = 0; i < dump->n_processes; i++) {
        p->processes[i] = pdump_builder_process(b, &dump->processes[i]);
        if (p->processes[i] < 0)
            return p->processes[i];
    }
    for (int i = 0; i < dump->n_threads; i++) {
        struct pdump_dump_thread thread = dump->threads[i];

        thread.process = p->processes[thread.process];
        p->threads[i] = pdump_builder_thread(b, &thread);
        if (p->threads[i] < 0)
            return p->threads[i];
    }
    return copy_tree(b, dump, p);
}

static int copy_rows(struct pdump_builder *b, const struct pdump_dump *dump,
                     const struct places *p)
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
                        const struct places *p, int64_t *values, int n_metrics)
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

static int copy_details(struct pdump_builder *b,
                        const struct pdump_dump_detail *from,
                        const struct places *p)
{
    int to = pdump_builder_detail(b, from), err = to < 0 ? to : PDUMP_OK;

    if (err == PDUMP_EFORMAT) {
        char text[160];

        snprintf(text, sizeof(text), PDUMP_DETAILS_REFUSED, from->name);
        return pdump_builder_warning(b, text, from->n_rows);
    }
    for (int64_t i = 0; err == PDUMP_OK && i < from->n_rows; i++) {
        const struct pdump_dump_detail_row *row = &from->rows[i];
        struct pdump_details_place place = {
            .thread = row->thread < 0 ? -1 : p->threads[row->thread],
            .node = row->node < 0 ? -1 : p->nodes[row->node],
            .label = from->labels[row->label],
        };

        err = pdump_builder_detail_row(b, to, &place,
                                       from->values + i * from->n_values);
    }
    return err;
}

/* *n_nodes is the number of nodes of the union so far. */
static int copy_dump(struct pdump_builder *b, const struct pdump_dump *dump,
                     int n_metrics, int *n_nodes)
{
    struct places p = { 0 };
    int64_t *values = malloc(((size_t)n_metrics + 1) * sizeof(*values));
    int err = new_places(dump, &p);

    if (!values)
        err = pdump_no_memory();
    if (err == PDUMP_OK)
        err = copy_places(b, dump, &p);
    for (int i = 0; err == PDUMP_OK && i < dump->n_nodes; i++)
        if (p.nodes[i] >= *n_nodes)
            *n_nodes = p.nodes[i] + 1;
    if (err == PDUMP_OK)
        err = copy_rows(b, dump, &p);
    if (err == PDUMP_OK)
        err = copy_samples(b, dump, &p, values, n_metrics);
    for (int i = 0; err == PDUMP_OK && i < dump->n_details; i++)
        err = copy_details(b, &dump->details[i], &p);
    for (int i = 0; err == PDUMP_OK && i < dump->n_warnings; i++)
        err = pdump_builder_warning(b, dump->warnings[i].text,
                                    dump->warnings[i].count);
    free_places(&p);
    free(values);
    return err;
}

static int copy_metadata(struct pdump_builder *b, const struct pdump_dump *dump)
{
    int err = PDUMP_OK;

    for (int i = 0; err == PDUMP_OK && i < dump->n_metadata; i++)
        err = pdump_builder_metadata(b, dump->metadata[i].key,
                                     dump->metadata[i].value);
    return err;
}

/* Keys in order of first mention, and the value of the first dump that has
 * one: the second round, backwards, puts it over the later ones. */
static int unite_metadata(struct pdump_builder *b,
                          struct pdump_dump *const *dumps, int n)
{
    int err = PDUMP_OK;

    for (int i = 0; err == PDUMP_OK && i < n; i++)
        err = copy_metadata(b, dumps[i]);
    for (int i = n - 1; err == PDUMP_OK && i >= 0; i--)
        err = copy_metadata(b, dumps[i]);
    return err;
}

/* All metrics have to be known before the first row.  Returns their number. */
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

int pdump_merge(struct pdump_dump *const *dumps, int n, struct pdump_dump **out)
{
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
        err = pdump_merge_stats(b, dumps, n, n_metrics, n_nodes);
    if (err == PDUMP_OK)
        err = pdump_builder_finish(b, out);
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
