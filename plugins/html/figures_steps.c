/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples over time: statistics over all ranks by node and sample number. */
#include "figures.h"

#include <stdlib.h>

/* Counts the sample numbers of each node; 0 for most nodes. */
static int count_samples(struct pdump_stream *in, int64_t *numbers)
{
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < in->n_pieces; i++) {
        const struct pdump_dump *piece;

        err = in->piece(in, i, &piece);
        for (int64_t k = 0; err >= 0 && k < piece->n_samples; k++) {
            int64_t *n = &numbers[piece->samples[k].node];

            if (piece->samples[k].number >= *n)
                *n = piece->samples[k].number + 1;
        }
    }
    return err;
}

static int add_node(struct figures *f, int node, int64_t numbers)
{
    struct figures_steps *s = &f->steps[f->n_steps];
    int n_metrics = f->tables->n_metrics;

    s->node = node;
    s->per_bin = (numbers + FIGURES_STEPS_MAX - 1) / FIGURES_STEPS_MAX;
    s->n = (int)((numbers + s->per_bin - 1) / s->per_bin);
    s->stats = calloc((size_t)n_metrics + 1, sizeof(*s->stats));
    f->n_steps++;
    for (int m = 0; s->stats && m < n_metrics; m++) {
        s->stats[m] = calloc((size_t)s->n + 1, sizeof(**s->stats));
        if (!s->stats[m])
            return pdump_no_memory();
    }
    return s->stats ? PDUMP_OK : pdump_no_memory();
}

/* `index` has, by node, the index of its steps, or -1. */
static void add_piece(struct figures *f, const int64_t *index,
                      const struct pdump_dump *piece, int rank)
{
    for (int64_t k = 0; k < piece->n_samples; k++) {
        const struct pdump_dump_sample *sample = &piece->samples[k];
        struct figures_steps *s;

        if (index[sample->node] < 0)
            continue;
        s = &f->steps[index[sample->node]];
        for (int m = 0; m < f->tables->n_metrics; m++)
            pdump_rank_stat_add(&s->stats[m][sample->number / s->per_bin], rank,
                                piece->sample_values[m][k]);
    }
}

static int make_steps(struct pdump_stream *in, struct figures *f,
                      int64_t *numbers)
{
    int err = count_samples(in, numbers), n = 0;

    for (int i = 0; i < f->tables->n_nodes; i++)
        n += numbers[i] > 0 && f->number[i] >= 0;
    f->steps = calloc((size_t)n + 1, sizeof(*f->steps));
    if (!f->steps)
        return pdump_no_memory();
    for (int i = 0; err >= 0 && i < f->tables->n_nodes; i++) {
        if (numbers[i] > 0 && f->number[i] >= 0) {
            err = add_node(f, i, numbers[i]);
            numbers[i] = f->n_steps - 1;
        } else {
            numbers[i] = -1;
        }
    }
    for (int i = 0; err >= 0 && n > 0 && i < in->n_pieces; i++) {
        const struct pdump_dump *piece;

        err = in->piece(in, i, &piece);
        if (err >= 0)
            add_piece(f, numbers, piece, in->rank[i]);
    }
    return err;
}

int figures_make_steps(struct pdump_stream *in, struct figures *f)
{
    int64_t *numbers;
    int err;

    if (in->sample_ptr[in->n_pieces] == 0)
        return PDUMP_OK;
    numbers = calloc((size_t)f->tables->n_nodes + 1, sizeof(*numbers));
    if (!numbers)
        return pdump_no_memory();
    err = make_steps(in, f, numbers);
    free(numbers);
    return err;
}

void figures_free_steps(struct figures *f)
{
    for (int i = 0; i < f->n_steps; i++) {
        for (int m = 0; f->steps[i].stats && m < f->tables->n_metrics; m++)
            free(f->steps[i].stats[m]);
        free(f->steps[i].stats);
    }
    free(f->steps);
}
