/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps the numbers of one dump to those in a union of several. */
#include "dump/renumber.h"

#include <stdio.h>
#include <stdlib.h>

static int *numbers(int n)
{
    return malloc(((size_t)n + 1) * sizeof(int));
}

void pdump_renumber_free(struct pdump_renumber *p)
{
    free(p->metrics);
    free(p->regions);
    free(p->nodes);
    free(p->processes);
    free(p->threads);
    *p = (struct pdump_renumber){ 0 };
}

static int place_nodes(struct pdump_builder *b, const struct pdump_dump *dump,
                       struct pdump_renumber *p)
{
    for (int i = 0; i < dump->n_nodes; i++) {
        const struct pdump_dump_node *node = &dump->nodes[i];
        int parent = node->parent < 0 ? -1 : p->nodes[node->parent];

        p->nodes[i] = pdump_builder_node(b, parent, p->regions[node->region]);
        if (p->nodes[i] < 0)
            return p->nodes[i];
    }
    return PDUMP_OK;
}

int pdump_renumber_tree(struct pdump_builder *b, const struct pdump_dump *dump,
                        struct pdump_renumber *p)
{
    p->metrics = numbers(dump->n_metrics);
    p->regions = numbers(dump->n_regions);
    p->nodes = numbers(dump->n_nodes);
    if (!p->metrics || !p->regions || !p->nodes)
        return pdump_no_memory();
    for (int i = 0; i < dump->n_metrics; i++) {
        p->metrics[i] = pdump_builder_metric(b, &dump->metrics[i]);
        if (p->metrics[i] < 0)
            return p->metrics[i];
    }
    for (int i = 0; i < dump->n_regions; i++) {
        p->regions[i] = pdump_builder_region(b, &dump->regions[i]);
        if (p->regions[i] < 0)
            return p->regions[i];
    }
    return place_nodes(b, dump, p);
}

int pdump_renumber_threads(struct pdump_builder *b,
                           const struct pdump_dump *dump,
                           struct pdump_renumber *p)
{
    p->processes = numbers(dump->n_processes);
    p->threads = numbers(dump->n_threads);
    if (!p->processes || !p->threads)
        return pdump_no_memory();
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
    return PDUMP_OK;
}

static int copy_details(struct pdump_builder *b,
                        const struct pdump_dump_detail *from,
                        const struct pdump_renumber *p)
{
    int to = pdump_builder_detail(b, from), err = to < 0 ? to : PDUMP_OK;

    if (err == PDUMP_EFORMAT) {
        char text[160];

        snprintf(text, sizeof(text), PDUMP_BUILDER_DETAILS_REFUSED, from->name);
        return pdump_builder_warning(b, text, from->n_rows);
    }
    for (int64_t i = 0; err == PDUMP_OK && i < from->n_rows; i++) {
        const struct pdump_dump_detail_row *row = &from->rows[i];
        struct pdump_builder_details_place place = {
            .thread = row->thread < 0 ? -1 : p->threads[row->thread],
            .node = row->node < 0 ? -1 : p->nodes[row->node],
            .label = from->labels[row->label],
        };

        err = pdump_builder_detail_row(b, to, &place,
                                       from->values + i * from->n_values);
    }
    return err;
}

int pdump_renumber_details(struct pdump_builder *b,
                           const struct pdump_dump *dump,
                           const struct pdump_renumber *p)
{
    int err = PDUMP_OK;

    for (int i = 0; err == PDUMP_OK && i < dump->n_details; i++)
        err = copy_details(b, &dump->details[i], p);
    return err;
}
