/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies parts of a dump into a builder, where they get new numbers. */
#include "dump/dump_copy.h"
#include "dump/event_lanes.h"
#include "dump/stacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *numbers_new(int n)
{
    return malloc(((size_t)n + 1) * sizeof(int));
}

void pdump_dump_copy_free(struct pdump_dump_copy *c)
{
    free(c->metrics);
    free(c->regions);
    free(c->nodes);
    free(c->processes);
    free(c->threads);
    *c = (struct pdump_dump_copy){ 0 };
}

static bool is_function(const struct pdump_dump_region *region)
{
    return strcmp(region->group, PDUMP_STACKS_GROUP) == 0;
}

static int copy_nodes(struct pdump_dump_copy *c)
{
    for (int i = 0; i < c->from->n_nodes; i++) {
        const struct pdump_dump_node *node = &c->from->nodes[i];
        int parent = node->parent < 0 ? -1 : c->nodes[node->parent];

        c->nodes[i] = -1;
        if (c->regions[node->region] < 0)
            continue;
        c->nodes[i] =
            pdump_builder_node(c->to, parent, c->regions[node->region]);
        if (c->nodes[i] < 0)
            return c->nodes[i];
    }
    return PDUMP_OK;
}

int pdump_dump_copy_tree(struct pdump_dump_copy *c)
{
    const struct pdump_dump *from = c->from;
    int err = PDUMP_OK;

    c->metrics = numbers_new(from->n_metrics);
    c->regions = numbers_new(from->n_regions);
    c->nodes = numbers_new(from->n_nodes);
    if (!c->metrics || !c->regions || !c->nodes)
        return pdump_no_memory();
    for (int i = 0; i < from->n_metrics && err >= 0; i++) {
        c->metrics[i] = -1;
        if (!c->has_no_stacks ||
            !pdump_stacks_has_metric(from->metrics[i].name))
            err = c->metrics[i] =
                pdump_builder_metric(c->to, &from->metrics[i]);
    }
    for (int i = 0; i < from->n_regions && err >= 0; i++) {
        c->regions[i] = -1;
        if (!c->has_no_stacks || !is_function(&from->regions[i]))
            err = c->regions[i] =
                pdump_builder_region(c->to, &from->regions[i]);
    }
    return err < 0 ? err : copy_nodes(c);
}

int pdump_dump_copy_threads(struct pdump_dump_copy *c)
{
    const struct pdump_dump *from = c->from;
    int err = PDUMP_OK;

    c->processes = numbers_new(from->n_processes);
    c->threads = numbers_new(from->n_threads);
    if (!c->processes || !c->threads)
        return pdump_no_memory();
    for (int i = 0; err >= 0 && i < from->n_processes; i++) {
        c->processes[i] = -1;
        if (!c->wanted || c->wanted[i])
            err = c->processes[i] =
                pdump_builder_process(c->to, &from->processes[i]);
    }
    for (int i = 0; err >= 0 && i < from->n_threads; i++) {
        struct pdump_dump_thread thread = from->threads[i];

        thread.process = c->processes[thread.process];
        c->threads[i] = -1;
        if (thread.process >= 0)
            err = c->threads[i] = pdump_builder_thread(c->to, &thread);
    }
    return err < 0 ? err : PDUMP_OK;
}

static int copy_rows(const struct pdump_dump_copy *c)
{
    const struct pdump_dump *from = c->from;
    int err = PDUMP_OK;

    for (int64_t i = 0; err >= 0 && i < from->n_rows; i++) {
        const struct pdump_dump_row *row = &from->rows[i];
        int thread = c->threads[row->thread];
        int64_t to;

        if (thread < 0 || c->nodes[row->node] < 0)
            continue;
        to = pdump_builder_row(c->to, thread, c->nodes[row->node], row->visits,
                               row->is_open);
        if (to < 0)
            return (int)to;
        for (int m = 0; err >= 0 && m < from->n_metrics; m++) {
            const struct pdump_dump_column *column = &from->columns[m];

            if (c->metrics[m] >= 0)
                err = pdump_builder_value(c->to, to, c->metrics[m],
                                          column->sum[i], column->min[i],
                                          column->max[i], column->sumsq[i]);
        }
    }
    return err;
}

/* `values` has an entry for every metric of the builder, all missing. */
static int copy_samples(const struct pdump_dump_copy *c, int64_t *values)
{
    const struct pdump_dump *from = c->from;
    int err = PDUMP_OK;

    for (int64_t i = 0; err >= 0 && i < from->n_samples; i++) {
        struct pdump_dump_sample sample = from->samples[i];

        sample.thread = c->threads[sample.thread];
        sample.node = c->nodes[sample.node];
        if (sample.thread < 0 || sample.node < 0)
            continue;
        for (int m = 0; m < from->n_metrics; m++)
            if (c->metrics[m] >= 0)
                values[c->metrics[m]] = from->sample_values[m][i];
        err = pdump_builder_sample(c->to, &sample, values);
    }
    return err;
}

static int copy_values(const struct pdump_dump_copy *c)
{
    int n = pdump_builder_tables(c->to)->n_metrics;
    int64_t *values = malloc(((size_t)n + 1) * sizeof(*values));
    int err = values ? copy_rows(c) : pdump_no_memory();

    for (int m = 0; values && m < n; m++)
        values[m] = PDUMP_MISSING;
    if (err >= 0)
        err = copy_samples(c, values);
    free(values);
    return err;
}

int pdump_dump_copy_records(struct pdump_dump_copy *c)
{
    int err = pdump_dump_copy_tree(c);

    if (err >= 0)
        err = pdump_dump_copy_threads(c);
    if (err >= 0)
        err = copy_values(c);
    if (err >= 0)
        err = pdump_builder_lanes(
            c->to, c->from,
            &(struct pdump_event_lanes_numbers){ .threads = c->threads,
                                                 .nodes = c->nodes,
                                                 .regions = c->regions,
                                                 .metrics = c->metrics });
    return err;
}

static int details_refuse(const struct pdump_dump_copy *c,
                          const struct pdump_dump_detail *from)
{
    char text[160];

    snprintf(text, sizeof(text), PDUMP_BUILDER_DETAILS_REFUSED, from->name);
    return pdump_builder_warning(c->to, text, from->n_rows);
}

static int copy_detail(const struct pdump_dump_copy *c,
                       const struct pdump_dump_detail *from)
{
    int to = pdump_builder_detail(c->to, from), err = to < 0 ? to : PDUMP_OK;
    int64_t n_left = 0;

    if (err == PDUMP_EFORMAT)
        return details_refuse(c, from);
    for (int64_t i = 0; err >= 0 && i < from->n_rows; i++) {
        const struct pdump_dump_detail_row *row = &from->rows[i];
        struct pdump_builder_details_place place = {
            .thread = row->thread < 0 ? -1 : c->threads[row->thread],
            .node = row->node < 0 ? -1 : c->nodes[row->node],
            .label = from->labels[row->label],
        };

        if (!c->wanted || place.thread >= 0)
            err = pdump_builder_detail_row(c->to, to, &place,
                                           from->values + i * from->n_values);
        else
            n_left += row->thread < 0;
    }
    return err >= 0 && n_left > 0
               ? pdump_builder_warning(
                     c->to, "details of all ranks together, left out", n_left)
               : err;
}

int pdump_dump_copy_details(const struct pdump_dump_copy *c)
{
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < c->from->n_details; i++)
        if (!c->has_no_stacks ||
            strcmp(c->from->details[i].name, PDUMP_STACKS_TABLE) != 0)
            err = copy_detail(c, &c->from->details[i]);
    return err;
}

int pdump_dump_copy_metadata(const struct pdump_dump_copy *c)
{
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < c->from->n_metadata; i++)
        err = pdump_builder_metadata_more(c->to, c->from->metadata[i].key,
                                          c->from->metadata[i].value);
    return err;
}

int pdump_dump_copy_warnings(const struct pdump_dump_copy *c)
{
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < c->from->n_warnings; i++)
        err = pdump_builder_warning(c->to, c->from->warnings[i].text,
                                    c->from->warnings[i].count);
    return err;
}

int pdump_dump_copy_wanted(struct pdump_dump_copy *c)
{
    int err = pdump_dump_copy_metadata(c);

    if (err >= 0)
        err = pdump_dump_copy_warnings(c);
    if (err >= 0)
        err = pdump_dump_copy_records(c);
    if (err >= 0)
        err = pdump_dump_copy_details(c);
    return err;
}

int pdump_dump_copy_all(struct pdump_builder *to, const struct pdump_dump *from)
{
    struct pdump_dump_copy copy = { .to = to, .from = from };
    int err = pdump_dump_copy_wanted(&copy);

    pdump_dump_copy_free(&copy);
    return err;
}
