/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies the selected ranks of a dump. */
#include "dump/select_ranks.h"
#include "dump/builder_details.h"
#include "dump/event_lanes.h"

#include <stdlib.h>

struct selection {
    const struct pdump_dump *dump;
    struct pdump_builder *b;
    int *processes;  /* their new numbers; -1: left out */
    int *threads;    /* the same */
    int64_t *values; /* of a sample */
};

static bool is_in(int rank, const struct pdump_select_range *ranges, int n)
{
    for (int i = 0; i < n; i++)
        if (rank >= ranges[i].from && rank <= ranges[i].to)
            return true;
    return false;
}

static int copy_tables(const struct selection *s)
{
    const struct pdump_dump *dump = s->dump;
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < dump->n_metrics; i++)
        err = pdump_builder_metric(s->b, &dump->metrics[i]);
    for (int i = 0; err >= 0 && i < dump->n_regions; i++)
        err = pdump_builder_region(s->b, &dump->regions[i]);
    for (int i = 0; err >= 0 && i < dump->n_nodes; i++)
        err = pdump_builder_node(s->b, dump->nodes[i].parent,
                                 dump->nodes[i].region);
    for (int i = 0; err >= 0 && i < dump->n_metadata; i++)
        err = pdump_builder_metadata(s->b, dump->metadata[i].key,
                                     dump->metadata[i].value);
    for (int i = 0; err >= 0 && i < dump->n_warnings; i++)
        err = pdump_builder_warning(s->b, dump->warnings[i].text,
                                    dump->warnings[i].count);
    return err < 0 ? err : PDUMP_OK;
}

static int copy_processes(const struct selection *s,
                          const struct pdump_select_range *ranges, int n)
{
    const struct pdump_dump *dump = s->dump;

    for (int i = 0; i < dump->n_processes; i++) {
        s->processes[i] = -1;
        if (!is_in(dump->processes[i].rank, ranges, n))
            continue;
        s->processes[i] = pdump_builder_process(s->b, &dump->processes[i]);
        if (s->processes[i] < 0)
            return s->processes[i];
    }
    for (int i = 0; i < dump->n_threads; i++) {
        struct pdump_dump_thread thread = dump->threads[i];

        thread.process = s->processes[thread.process];
        s->threads[i] = -1;
        if (thread.process < 0)
            continue;
        s->threads[i] = pdump_builder_thread(s->b, &thread);
        if (s->threads[i] < 0)
            return s->threads[i];
    }
    return PDUMP_OK;
}

static int copy_rows(const struct selection *s)
{
    const struct pdump_dump *dump = s->dump;
    int err = PDUMP_OK;

    for (int64_t i = 0; i < dump->n_rows; i++) {
        const struct pdump_dump_row *row = &dump->rows[i];
        int64_t to;

        if (s->threads[row->thread] < 0)
            continue;
        to = pdump_builder_row(s->b, s->threads[row->thread], row->node,
                               row->visits, row->is_open);
        if (to < 0)
            return (int)to;
        for (int m = 0; err >= 0 && m < dump->n_metrics; m++) {
            const struct pdump_dump_column *c = &dump->columns[m];

            err = pdump_builder_value(s->b, to, m, c->sum[i], c->min[i],
                                      c->max[i], c->sumsq[i]);
        }
    }
    return err;
}

/* Rows of all ranks together belong to no single rank and are left out. */
static int copy_detail(const struct selection *s,
                       const struct pdump_dump_detail *from)
{
    int to = pdump_builder_detail(s->b, from), err = to < 0 ? to : PDUMP_OK;
    int64_t n_left = 0;

    for (int64_t i = 0; err >= 0 && i < from->n_rows; i++) {
        const struct pdump_dump_detail_row *row = &from->rows[i];
        struct pdump_builder_details_place place = {
            .thread = row->thread < 0 ? -1 : s->threads[row->thread],
            .node = row->node,
            .label = from->labels[row->label],
        };

        n_left += row->thread < 0;
        if (place.thread >= 0)
            err = pdump_builder_detail_row(s->b, to, &place,
                                           from->values + i * from->n_values);
    }
    return err >= 0 && n_left > 0
               ? pdump_builder_warning(
                     s->b, "details of all ranks together, left out", n_left)
               : err;
}

static int copy_samples(const struct selection *s)
{
    const struct pdump_dump *dump = s->dump;
    int err = PDUMP_OK;

    for (int64_t i = 0; err >= 0 && i < dump->n_samples; i++) {
        struct pdump_dump_sample sample = dump->samples[i];

        sample.thread = s->threads[sample.thread];
        if (sample.thread < 0)
            continue;
        for (int m = 0; m < dump->n_metrics; m++)
            s->values[m] = dump->sample_values[m][i];
        err = pdump_builder_sample(s->b, &sample, s->values);
    }
    return err;
}

int pdump_select_ranks(const struct pdump_dump *dump,
                       const struct pdump_select_range *ranges, int n,
                       struct pdump_dump **out)
{
    struct selection s = {
        .dump = dump,
        .processes = malloc(((size_t)dump->n_processes + 1) * sizeof(int)),
        .threads = malloc(((size_t)dump->n_threads + 1) * sizeof(int)),
        .values = malloc(((size_t)dump->n_metrics + 1) * sizeof(int64_t)),
    };
    int err = s.processes && s.threads && s.values ? pdump_builder_new(&s.b)
                                                   : pdump_no_memory();

    if (err >= 0)
        err = copy_tables(&s);
    if (err >= 0)
        err = copy_processes(&s, ranges, n);
    if (err >= 0)
        err = copy_rows(&s);
    if (err >= 0)
        err = copy_samples(&s);
    if (err >= 0)
        err = pdump_builder_lanes(
            s.b, dump,
            &(struct pdump_event_lanes_numbers){ .threads = s.threads });
    for (int i = 0; err >= 0 && i < dump->n_details; i++)
        err = copy_detail(&s, &dump->details[i]);
    if (err >= 0)
        err = pdump_builder_finish(s.b, out);
    pdump_builder_free(s.b);
    free(s.values);
    free(s.threads);
    free(s.processes);
    return err;
}
