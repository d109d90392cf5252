/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts statistics over ranks to rows: a job that kept nothing else becomes
 * a dump with one thread, for formats that are made of threads. */
#include "stream/node_totals.h"

#include "dump/dump_copy.h"
#include "dump/ranks.h"
#include "write/sink.h"

#include <math.h>

static int add_tables(struct pdump_builder *b, const struct pdump_dump *from)
{
    struct pdump_dump_copy copy = { .to = b, .from = from };
    int err = pdump_dump_copy_tree(&copy);

    if (err >= 0)
        err = pdump_dump_copy_metadata(&copy);
    pdump_dump_copy_free(&copy);
    return err;
}

/* Returns the index of the thread, or a pdump_error. */
static int add_thread(struct pdump_builder *b, const struct pdump_dump *from)
{
    struct pdump_dump_process process = { .rank = 0 };
    char name[64];
    struct pdump_dump_thread thread = { .name = name };
    struct pdump_ranks ranks;
    int err = pdump_ranks_of(from, &ranks);

    if (err < 0)
        return err;
    snprintf(name, sizeof(name), "sum over %d ranks",
             pdump_ranks_of_job(from, &ranks));
    pdump_ranks_free(&ranks);
    if (from->n_processes > 0)
        process = from->processes[0];
    thread.process = pdump_builder_process(b, &process);
    return thread.process < 0 ? thread.process
                              : pdump_builder_thread(b, &thread);
}

static int add_rows(struct pdump_builder *b, const struct pdump_dump *from,
                    const struct pdump_node_totals *t, int thread)
{
    for (int i = 0; i < t->n_nodes; i++) {
        int64_t row;

        if (!pdump_node_totals_has(t, i))
            continue;
        row = pdump_builder_row(b, thread, i, t->visits[i], false);
        if (row < 0)
            return (int)row;
        for (int m = 0; m < t->n_metrics; m++) {
            int64_t sum = t->sum[(size_t)m * (size_t)t->n_nodes + (size_t)i];
            bool is_gauge = from->metrics[m].kind == PDUMP_GAUGE;

            if (sum != PDUMP_MISSING &&
                pdump_builder_value(b, row, m, sum, PDUMP_MISSING,
                                    is_gauge ? sum : PDUMP_MISSING, NAN) < 0)
                return PDUMP_ENOMEM;
        }
    }
    return PDUMP_OK;
}

static int make_dump(struct pdump_stream *in, struct pdump_dump **out)
{
    struct pdump_node_totals totals;
    struct pdump_builder *b;
    int err = pdump_node_totals_of(in, &totals), thread;

    if (err < 0)
        return err;
    err = pdump_builder_new(&b);
    if (err >= 0) {
        err = add_tables(b, in->tables);
        thread = err < 0 ? err : add_thread(b, in->tables);
        err = thread < 0 ? thread : add_rows(b, in->tables, &totals, thread);
        err = pdump_builder_close(b, err, out);
    }
    pdump_node_totals_free(&totals);
    return err;
}

int pdump_node_totals_print_rows(struct pdump_stream *in,
                                 const struct pdump_new_file *file,
                                 int (*put)(FILE *f, void *in))
{
    struct pdump_stream *sums;
    struct pdump_dump *dump;
    int err;

    if (in->row_ptr[in->n_pieces] > 0 || !in->tables->stats)
        return pdump_sink_print(file, put, in);
    err = make_dump(in, &dump);
    if (err < 0)
        return err;
    err = pdump_stream_of(dump, &sums);
    if (err >= 0) {
        err = pdump_sink_print(file, put, sums);
        pdump_stream_free(sums);
    }
    pdump_dump_free(dump);
    return err;
}
