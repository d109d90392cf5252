/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts all pieces of a stream into one dump, for formats that need that. */
#include "base/array.h"
#include "dump/event_lanes.h"
#include "stream/stream.h"

#include <stdlib.h>
#include <string.h>

int64_t pdump_stream_bytes(const struct pdump_stream *s)
{
    int64_t m = s->tables->n_metrics;
    int64_t row = (int64_t)sizeof(struct pdump_dump_row) + m * 5 * 8;
    int64_t sample = (int64_t)sizeof(struct pdump_dump_sample) + m * 8;

    return s->row_ptr[s->n_pieces] * row + s->sample_ptr[s->n_pieces] * sample +
           s->event_bytes;
}

void pdump_stream_forget(struct pdump_stream *s)
{
    struct pdump_dump *whole = s->whole;

    s->whole = NULL;
    if (!whole)
        return;
    for (int m = 0; whole->columns && m < whole->n_metrics; m++)
        free(whole->columns[m].sum);
    for (int m = 0; whole->sample_values && m < whole->n_metrics; m++)
        free(whole->sample_values[m]);
    pdump_dump_free_lanes(whole);
    free(whole->rows);
    free(whole->samples);
    free(whole->columns);
    free(whole->sample_values);
    free(whole);
}

/* Allocates n rows: the five arrays of a column are in one block. */
static bool make_column(struct pdump_dump_column *c, size_t n)
{
    int64_t *block = malloc((n + 1) * 5 * sizeof(*block));

    if (!block)
        return false;
    c->sum = block;
    c->min = block + n;
    c->max = block + 2 * n;
    c->exclusive = block + 3 * n;
    c->sumsq = (double *)(void *)(block + 4 * n);
    return true;
}

/* Makes a dump that borrows the tables, and allocates the rest. */
static int make_rooms(struct pdump_stream *s)
{
    size_t rows = (size_t)s->row_ptr[s->n_pieces];
    size_t samples = (size_t)s->sample_ptr[s->n_pieces];
    struct pdump_dump *whole = malloc(sizeof(*whole));
    size_t m = (size_t)s->tables->n_metrics + 1;
    bool is_good;

    if (!whole)
        return pdump_no_memory();
    *whole = *s->tables;
    whole->n_rows = (int64_t)rows;
    whole->n_samples = (int64_t)samples;
    whole->lanes = NULL;
    whole->n_lanes = 0;
    whole->rows = malloc((rows + 1) * sizeof(*whole->rows));
    whole->samples = malloc((samples + 1) * sizeof(*whole->samples));
    whole->columns = calloc(m, sizeof(*whole->columns));
    whole->sample_values = calloc(m, sizeof(*whole->sample_values));
    s->whole = whole;
    is_good =
        whole->rows && whole->samples && whole->columns && whole->sample_values;
    for (int i = 0; is_good && i < whole->n_metrics; i++) {
        whole->sample_values[i] = malloc((samples + 1) * sizeof(int64_t));
        is_good =
            whole->sample_values[i] && make_column(&whole->columns[i], rows);
    }
    return is_good ? PDUMP_OK : pdump_no_memory();
}

static void copy_piece(struct pdump_dump *to, const struct pdump_dump *from,
                       int64_t row, int64_t sample)
{
    size_t rows = (size_t)from->n_rows * 8, samples = (size_t)from->n_samples;

    for (int64_t i = 0; i < from->n_rows; i++) {
        to->rows[row + i] = from->rows[i];
        if (from->rows[i].parent >= 0)
            to->rows[row + i].parent += row;
    }
    if (samples)
        memcpy(to->samples + sample, from->samples,
               samples * sizeof(*to->samples));
    for (int m = 0; m < to->n_metrics; m++) {
        struct pdump_dump_column *c = &to->columns[m];
        const struct pdump_dump_column *other = &from->columns[m];

        if (rows) {
            memcpy(c->sum + row, other->sum, rows);
            memcpy(c->min + row, other->min, rows);
            memcpy(c->max + row, other->max, rows);
            memcpy(c->exclusive + row, other->exclusive, rows);
            memcpy(c->sumsq + row, other->sumsq, rows);
        }
        if (samples)
            memcpy(to->sample_values[m] + sample, from->sample_values[m],
                   samples * 8);
    }
}

/* Copies the lanes of a piece with their bytes. */
static int copy_lanes(struct pdump_dump *to, const struct pdump_dump *from)
{
    for (int i = 0; i < from->n_lanes; i++) {
        struct pdump_dump_lane lane = from->lanes[i];

        if (pdump_array_make(&to->lanes, to->n_lanes, sizeof(lane)) < 0)
            return PDUMP_ENOMEM;
        lane.bytes = malloc((size_t)lane.n_bytes + 1);
        if (!lane.bytes)
            return pdump_no_memory();
        memcpy(lane.bytes, from->lanes[i].bytes, (size_t)lane.n_bytes);
        lane.room = lane.n_bytes;
        to->lanes[to->n_lanes++] = lane;
    }
    return PDUMP_OK;
}

int pdump_stream_whole(struct pdump_stream *s, const struct pdump_dump **out)
{
    int err = PDUMP_OK;

    if (!s->whole) {
        if (pdump_stream_bytes(s) > s->whole_max)
            return pdump_fail(PDUMP_ENOMEM,
                              "this format needs %lld MiB on rank 0, more than "
                              "PDUMP_GATHER_MAX; hdf5 and csv need not",
                              (long long)(pdump_stream_bytes(s) >> 20) + 1);
        err = make_rooms(s);
        for (int i = 0; err >= 0 && i < s->n_pieces; i++) {
            const struct pdump_dump *piece;

            err = s->piece(s, i, &piece);
            if (err >= 0)
                copy_piece(s->whole, piece, s->row_ptr[i], s->sample_ptr[i]);
            if (err >= 0)
                err = copy_lanes(s->whole, piece);
        }
        if (err < 0)
            pdump_stream_forget(s);
    }
    *out = s->whole;
    return err;
}
