/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes all pieces of a stream, or compares them with the file. */
#include "series.h"

#include <stdlib.h>

enum { N_SERIES = PDUMP_H5_ALL_EVENTS + 1 };

/* The series that have data, else NULL; rows are always there. */
struct all_series {
    struct pdump_h5_series *series[N_SERIES];
};

static int64_t count_of(const struct pdump_dump *piece, int what)
{
    return what == PDUMP_H5_ALL_ROWS      ? piece->n_rows
           : what == PDUMP_H5_ALL_SAMPLES ? piece->n_samples
                                          : piece->n_lanes;
}

/* Reads each piece only once: other ranks may have to send it. */
static int put_pieces(struct pdump_stream *in, const struct all_series *all)
{
    int err = PDUMP_OK;

    for (int i = 0; err == PDUMP_OK && i < in->n_pieces; i++) {
        const struct pdump_dump *piece;

        err = in->piece(in, i, &piece);
        for (int k = 0; err == PDUMP_OK && k < N_SERIES; k++)
            if (all->series[k] && count_of(piece, k) > 0)
                err = pdump_h5_series_piece(all->series[k], i, piece);
    }
    return err;
}

/* Returns column i, counted over all series, or NULL. */
static struct pdump_h5_series_column *column_of(const struct all_series *all,
                                                int i)
{
    for (int k = 0; k < N_SERIES; k++) {
        int n = all->series[k] ? all->series[k]->n_columns : 0;

        if (i < n)
            return &all->series[k]->columns[i];
        i -= n;
    }
    return NULL;
}

/* If there is no memory for the sums, the check compares the pieces
 * themselves. */
static void keep_sums(struct pdump_stream *in, const struct all_series *all)
{
    int n = 0;

    while (column_of(all, n))
        n++;
    in->sums = calloc((size_t)n, sizeof(*in->sums));
    for (int i = 0; in->sums && i < n; i++)
        in->sums[i] = pdump_checksum_value(&column_of(all, i)->chunks.sum);
}

/* Checks that the columns of the file have the checksums of what was
 * written. */
static int check_sums(const struct pdump_stream *in,
                      const struct all_series *all)
{
    const struct pdump_h5_series *rows = all->series[PDUMP_H5_ALL_ROWS];
    struct pdump_h5_series_column *c;
    int err = PDUMP_OK;

    for (int i = 0; err == PDUMP_OK && (c = column_of(all, i)); i++) {
        err = pdump_h5_chunks_read(&c->chunks, rows->packer);
        if (err == PDUMP_OK &&
            pdump_checksum_value(&c->chunks.sum) != in->sums[i])
            err = pdump_h5_differs(rows->h, c->name);
    }
    return err;
}

static int put_all(const struct pdump_h5 *h, struct pdump_stream *in,
                   const struct all_series *all)
{
    bool is_check = h->mode == PDUMP_H5_CHECK;
    int err = PDUMP_OK;

    if (in->is_hollow)
        return PDUMP_OK;
    for (int k = 0; err == PDUMP_OK && k < N_SERIES; k++)
        if (all->series[k] && (!is_check || in->sums))
            err = pdump_h5_series_chunks(all->series[k]);
    if (err == PDUMP_OK && is_check && in->sums)
        return check_sums(in, all);
    if (err == PDUMP_OK)
        err = put_pieces(in, all);
    if (err == PDUMP_OK && !is_check)
        keep_sums(in, all);
    return err;
}

int pdump_h5_put_series(const struct pdump_h5 *h, struct pdump_stream *in)
{
    struct all_series all = { { NULL } };
    int err = PDUMP_OK;

    for (int k = 0; err == PDUMP_OK && k < N_SERIES; k++)
        if (k == PDUMP_H5_ALL_ROWS ||
            pdump_h5_series_ptr(in, k)[in->n_pieces] > 0)
            err = pdump_h5_series_open(h, in, k, &all.series[k]);
    if (err == PDUMP_OK)
        err = put_all(h, in, &all);
    for (int k = N_SERIES - 1; k >= 0; k--)
        err = pdump_h5_series_close(all.series[k], err);
    return err;
}
