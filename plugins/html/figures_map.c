/* SPDX-License-Identifier: BSD-3-Clause */
/* The map of ranks and regions: the most expensive nodes, rank by rank. */
#include "figures.h"

#include <math.h>
#include <stdlib.h>

/* Chooses the nodes with the largest own value of the key metric, largest
 * first. */
static int choose_rows(struct figures *f, int key)
{
    const int64_t *self = f->self[key];

    f->rows = calloc(FIGURES_ROWS_MAX + 1, sizeof(*f->rows));
    if (!f->rows)
        return pdump_no_memory();
    for (int i = 0; i < f->tables->n_nodes; i++) {
        int at = f->n_rows;

        if (f->number[i] < 0 || self[i] == PDUMP_MISSING || self[i] <= 0)
            continue;
        while (at > 0 && self[f->rows[at - 1]] < self[i]) {
            f->rows[at] = f->rows[at - 1];
            at--;
        }
        if (at < FIGURES_ROWS_MAX)
            f->rows[at] = i;
        if (f->n_rows < FIGURES_ROWS_MAX)
            f->n_rows++;
    }
    return PDUMP_OK;
}

static int make_room(struct figures *f)
{
    size_t n = (size_t)f->n_rows * (size_t)f->n_bins + 1;

    f->first_rank = calloc((size_t)f->n_bins + 1, sizeof(*f->first_rank));
    f->map = calloc((size_t)f->tables->n_metrics + 1, sizeof(*f->map));
    if (!f->first_rank || !f->map)
        return pdump_no_memory();
    for (int m = 0; m < f->tables->n_metrics; m++) {
        f->map[m] = malloc(n * sizeof(**f->map));
        if (!f->map[m])
            return pdump_no_memory();
        for (size_t i = 0; i < n; i++)
            f->map[m][i] = NAN;
    }
    return PDUMP_OK;
}

/* `share` is the weight of this rank in the bin. */
static int add_piece(struct figures *f, const struct pdump_dump *piece, int bin,
                     double share)
{
    int64_t *values =
        malloc(((size_t)f->tables->n_nodes + 1) * sizeof(*values));

    if (!values)
        return pdump_no_memory();
    for (int m = 0; m < f->tables->n_metrics; m++) {
        figures_values(piece, m, values);
        for (int i = 0; i < f->n_rows; i++) {
            double *cell = &f->map[m][i * f->n_bins + bin];
            int64_t value = values[f->rows[i]];

            if (value != PDUMP_MISSING)
                *cell = (isnan(*cell) ? 0 : *cell) + share * (double)value;
        }
    }
    free(values);
    return PDUMP_OK;
}

int figures_make_map(struct pdump_stream *in, struct figures *f)
{
    int n = in->n_pieces, err;

    if (n < 2 || f->tables->n_metrics == 0)
        return PDUMP_OK;
    f->n_bins = n < FIGURES_BINS_MAX ? n : FIGURES_BINS_MAX;
    err = choose_rows(f, figures_key(f->tables));
    if (err >= 0)
        err = make_room(f);
    for (int i = 0; err >= 0 && i < n; i++) {
        int bin = (int)((int64_t)i * f->n_bins / n);
        int64_t first = ((int64_t)bin * n + f->n_bins - 1) / f->n_bins;
        int64_t next = ((int64_t)(bin + 1) * n + f->n_bins - 1) / f->n_bins;
        const struct pdump_dump *piece;

        err = in->piece(in, i, &piece);
        if (i == first)
            f->first_rank[bin] = in->rank[i];
        if (err >= 0)
            err = add_piece(f, piece, bin, 1.0 / (double)(next - first));
    }
    return err;
}

void figures_free_map(struct figures *f)
{
    for (int m = 0; f->map && m < f->tables->n_metrics; m++)
        free(f->map[m]);
    free(f->map);
    free(f->rows);
    free(f->first_rank);
}
