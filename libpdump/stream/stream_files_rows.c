/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the rows of one file to the numbers of the common tables. */
#include "dump/event_lanes.h"
#include "stream/stream_files_private.h"

#include <math.h>
#include <stdlib.h>

void pdump_stream_files_drop(struct pdump_dump *all)
{
    for (int m = 0; all->columns && m < all->n_metrics; m++) {
        free(all->columns[m].sum);
        free(all->columns[m].min);
        free(all->columns[m].max);
        free(all->columns[m].sumsq);
        free(all->columns[m].exclusive);
    }
    for (int m = 0; all->sample_values && m < all->n_metrics; m++)
        free(all->sample_values[m]);
    pdump_dump_free_lanes(all);
    free(all->rows);
    free(all->samples);
    free(all->columns);
    free(all->sample_values);
    *all = (struct pdump_dump){ 0 };
}

/* Fills a metric that the file does not have. */
static int make_missing(struct pdump_dump *all, int m)
{
    struct pdump_dump_column *c = &all->columns[m];
    size_t rows = (size_t)all->n_rows + 1, samples = (size_t)all->n_samples + 1;

    c->sum = malloc(rows * sizeof(*c->sum));
    c->min = malloc(rows * sizeof(*c->min));
    c->max = malloc(rows * sizeof(*c->max));
    c->sumsq = malloc(rows * sizeof(*c->sumsq));
    all->sample_values[m] = malloc(samples * sizeof(**all->sample_values));
    if (!c->sum || !c->min || !c->max || !c->sumsq || !all->sample_values[m])
        return pdump_no_memory();
    for (int64_t i = 0; i < all->n_rows; i++) {
        c->sum[i] = c->min[i] = c->max[i] = PDUMP_MISSING;
        c->sumsq[i] = NAN;
    }
    for (int64_t i = 0; i < all->n_samples; i++)
        all->sample_values[m][i] = PDUMP_MISSING;
    return PDUMP_OK;
}

static int take_columns(struct pdump_dump *dump,
                        const struct pdump_dump_copy *copy,
                        struct pdump_dump *out)
{
    bool *has = calloc((size_t)out->n_metrics + 1, sizeof(*has));
    int err = has ? PDUMP_OK : pdump_no_memory();

    for (int m = 0; err >= 0 && m < dump->n_metrics; m++) {
        int to = copy->metrics[m];

        has[to] = true;
        out->columns[to] = dump->columns[m];
        out->sample_values[to] = dump->sample_values[m];
        dump->columns[m] = (struct pdump_dump_column){ 0 };
        dump->sample_values[m] = NULL;
    }
    for (int m = 0; err >= 0 && m < out->n_metrics; m++)
        if (!has[m])
            err = make_missing(out, m);
    free(has);
    return err;
}

int pdump_stream_files_take(struct pdump_dump *dump,
                            const struct pdump_dump_copy *copy,
                            int first_thread, const struct pdump_dump *tables,
                            struct pdump_dump *out)
{
    int err = pdump_stream_room(tables, out);

    out->rows = NULL;
    out->samples = NULL;
    if (err < 0)
        return err;
    out->rows = dump->rows;
    out->n_rows = dump->n_rows;
    out->samples = dump->samples;
    out->n_samples = dump->n_samples;
    dump->rows = NULL;
    dump->samples = NULL;
    for (int64_t i = 0; i < out->n_rows; i++) {
        out->rows[i].thread += first_thread;
        out->rows[i].node = copy->nodes[out->rows[i].node];
    }
    for (int64_t i = 0; i < out->n_samples; i++) {
        out->samples[i].thread += first_thread;
        out->samples[i].node = copy->nodes[out->samples[i].node];
    }
    return take_columns(dump, copy, out);
}
