/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up runs.  Only the result and one file are in memory. */
#include "dump/dump_copy.h"
#include "stream/node_totals.h"
#include "stream/stream_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct figure {
    int64_t sum;
    int64_t min;
    int64_t max;
    double sumsq;
};

struct row {
    int thread;
    int node;
    int64_t visits;
    bool is_open;
};

struct adding {
    const struct pdump_dump *tables;
    struct pdump_builder *b;
    int *thread; /* by thread of the tables: thread of the result */
    struct pdump_pair_index rows; /* by thread and node */
    struct row *row;
    struct figure *figure; /* [row * n_metrics + metric] */
    int64_t n;
    int64_t room;
};

/* Numbers the processes that a run has for one rank, and finds the process of
 * the result that each is added to. */
static int place_processes(struct adding *a,
                           const struct pdump_run_groups *runs, int *process)
{
    struct pdump_pair_index counts = { 0 }, places = { 0 };
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < a->tables->n_processes; i++) {
        int rank = runs->processes[i].rank;
        int run = runs->files[runs->processes[i].file].run;
        int64_t n = pdump_pair_index_find(&counts, run, rank) + 1;
        int64_t at = pdump_pair_index_find(&places, rank, n);

        err = pdump_pair_index_put(&counts, run, rank, n);
        if (err >= 0 && at < 0) {
            at = pdump_builder_process(a->b, &a->tables->processes[i]);
            err = at < 0 ? (int)at : pdump_pair_index_put(&places, rank, n, at);
        }
        process[i] = (int)at;
    }
    pdump_pair_index_free(&counts);
    pdump_pair_index_free(&places);
    return err;
}

static int place_threads(struct adding *a, const struct pdump_run_groups *runs)
{
    int *process =
        malloc(((size_t)a->tables->n_processes + 1) * sizeof(*process));
    struct pdump_pair_index places = { 0 };
    int err = process ? place_processes(a, runs, process) : pdump_no_memory();

    for (int i = 0; err >= 0 && i < a->tables->n_threads; i++) {
        struct pdump_dump_thread thread = a->tables->threads[i];
        int64_t at;

        thread.process = process[thread.process];
        at = pdump_pair_index_find(&places, thread.process, thread.number);
        if (at < 0) {
            at = pdump_builder_thread(a->b, &thread);
            err = at < 0 ? (int)at
                         : pdump_pair_index_put(&places, thread.process,
                                                thread.number, at);
        }
        a->thread[i] = (int)at;
    }
    pdump_pair_index_free(&places);
    free(process);
    return err;
}

/* Adds a row without values. */
static int64_t make_row(struct adding *a, int thread, int node)
{
    size_t width = (size_t)a->tables->n_metrics;

    if (a->n == a->room) {
        size_t room = a->room ? 2 * (size_t)a->room : 1024;
        struct row *row = realloc(a->row, room * sizeof(*row));
        struct figure *figure;

        if (!row)
            return pdump_no_memory();
        a->row = row;
        figure = realloc(a->figure, (room * width + 1) * sizeof(*figure));
        if (!figure)
            return pdump_no_memory();
        a->figure = figure;
        a->room = (int64_t)room;
    }
    if (pdump_pair_index_put(&a->rows, thread, node, a->n) < 0)
        return PDUMP_ENOMEM;
    a->row[a->n] = (struct row){ .thread = thread, .node = node };
    for (size_t m = 0; m < width; m++)
        a->figure[(size_t)a->n * width + m] =
            (struct figure){ PDUMP_MISSING, PDUMP_MISSING, PDUMP_MISSING, NAN };
    return a->n++;
}

static void add_figure(struct figure *to, const struct pdump_dump_column *c,
                       int64_t i)
{
    to->sum = pdump_node_totals_plus(to->sum, c->sum[i]);
    if (c->min[i] != PDUMP_MISSING &&
        (to->min == PDUMP_MISSING || c->min[i] < to->min))
        to->min = c->min[i];
    if (c->max[i] > to->max) /* a missing value is less than any other */
        to->max = c->max[i];
    if (!isnan(c->sumsq[i]))
        to->sumsq = (isnan(to->sumsq) ? 0 : to->sumsq) + c->sumsq[i];
}

static int add_piece(struct adding *a, const struct pdump_dump *piece)
{
    size_t width = (size_t)a->tables->n_metrics;

    for (int64_t i = 0; i < piece->n_rows; i++) {
        const struct pdump_dump_row *row = &piece->rows[i];
        int thread = a->thread[row->thread];
        int64_t at = pdump_pair_index_find(&a->rows, thread, row->node);

        if (at < 0)
            at = make_row(a, thread, row->node);
        if (at < 0)
            return (int)at;
        a->row[at].visits =
            pdump_node_totals_plus(a->row[at].visits, row->visits);
        /* A row can have only one open visit: count the second one as
         * completed, so that it is not lost. */
        if (a->row[at].is_open && row->is_open)
            a->row[at].visits = pdump_node_totals_plus(a->row[at].visits, 1);
        a->row[at].is_open = a->row[at].is_open || row->is_open;
        for (size_t m = 0; m < width; m++)
            add_figure(&a->figure[(size_t)at * width + m], &piece->columns[m],
                       i);
    }
    return PDUMP_OK;
}

static int add_notes(struct adding *a, int64_t n_samples, int64_t n_events)
{
    const struct pdump_dump *tables = a->tables;
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < tables->n_metadata; i++)
        /* It is the wall time of one run, not of their sum. */
        if (strcmp(tables->metadata[i].key, "wall_time_ns") != 0)
            err = pdump_builder_metadata(a->b, tables->metadata[i].key,
                                         tables->metadata[i].value);
    if (err >= 0 && n_samples > 0)
        err = pdump_builder_warning(
            a->b, "single visits (samples) are left out of a sum of runs",
            n_samples);
    if (err >= 0 && n_events > 0)
        err = pdump_builder_warning(
            a->b, "events of the timeline are left out of a sum of runs",
            n_events);
    return err;
}

static int sum_give(struct adding *a, struct pdump_dump **out)
{
    size_t width = (size_t)a->tables->n_metrics;
    int err = pdump_builder_reserve(a->b, a->n);

    for (int64_t i = 0; err >= 0 && i < a->n; i++) {
        const struct row *row = &a->row[i];
        int64_t at = pdump_builder_row(a->b, row->thread, row->node,
                                       row->visits, row->is_open);

        err = at < 0 ? (int)at : PDUMP_OK;
        for (size_t m = 0; err >= 0 && m < width; m++) {
            const struct figure *f = &a->figure[(size_t)i * width + m];

            err = pdump_builder_value(a->b, at, (int)m, f->sum, f->min, f->max,
                                      f->sumsq);
        }
    }
    return err < 0 ? err : pdump_builder_finish(a->b, out);
}

int pdump_stream_files_sum(struct pdump_stream *s, struct pdump_dump **out)
{
    struct adding a = { .tables = s->tables };
    struct pdump_dump_copy copy = { .from = s->tables };
    int err;

    if (s->tables->stats)
        return pdump_fail(PDUMP_EFORMAT,
                          "runs cannot be added up where only statistics over "
                          "ranks were kept (PDUMP_RANKS)");
    a.thread = malloc(((size_t)s->tables->n_threads + 1) * sizeof(*a.thread));
    copy.threads = a.thread; /* freed with the copy */
    err = a.thread ? pdump_builder_new(&a.b) : pdump_no_memory();
    copy.to = a.b;
    if (err >= 0)
        err = pdump_dump_copy_tree(&copy);
    if (err >= 0)
        err = place_threads(&a, pdump_stream_files_runs(s));
    for (int i = 0; err >= 0 && i < s->n_pieces; i++) {
        const struct pdump_dump *piece;

        err = s->piece(s, i, &piece);
        if (err >= 0)
            err = add_piece(&a, piece);
    }
    if (err >= 0)
        err = pdump_dump_copy_details(&copy);
    if (err >= 0)
        err = pdump_dump_copy_warnings(&copy);
    if (err >= 0)
        err = add_notes(&a, s->sample_ptr[s->n_pieces],
                        s->event_ptr[s->n_pieces]);
    if (err >= 0)
        err = sum_give(&a, out);
    pdump_dump_copy_free(&copy);
    pdump_builder_free(a.b);
    pdump_pair_index_free(&a.rows);
    free(a.row);
    free(a.figure);
    return err;
}
