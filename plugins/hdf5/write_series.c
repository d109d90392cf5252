/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes or compares /profile, /samples and /events: one dataset per column,
 * all of them open while the pieces come.  A new file is written sequentially,
 * chunk by chunk.  Ranks that fill a file together, and a comparison, take each
 * piece as one hyperslab, or its events as several.
 */
#include "columns.h"
#include "series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The columns of a metric: a group of four in /profile, or one in /samples. */
static const char *const row_figures[] = { "sum", "min", "max", "sumsq" };
enum { SUM, MIN, MAX, SUMSQ, N_FIGURES };

/* Makes the samples of all ranks one 2-D array if all have the same number. */
static void choose_shape(struct pdump_h5_series *s)
{
    int64_t n = s->ptr[s->shape->n_pieces];
    int n_pieces = s->shape->n_pieces;

    s->n_dims = 1;
    s->dims[0] = (hsize_t)n;
    if (s->what == PDUMP_H5_ALL_SAMPLES && s->shape->is_regular &&
        n_pieces > 1 && n > 0) {
        s->n_dims = 2;
        s->dims[0] = (hsize_t)n_pieces;
        s->dims[1] = (hsize_t)(n / n_pieces);
    }
}

static void list_columns(struct pdump_h5_series *s)
{
    const struct pdump_dump *tables = s->shape->tables;
    int n_figures = s->what == PDUMP_H5_ALL_ROWS      ? N_FIGURES
                    : s->what == PDUMP_H5_ALL_SAMPLES ? 1
                                                      : 0;
    bool is_row = s->what == PDUMP_H5_ALL_ROWS;
    struct pdump_h5_series_column *c = s->columns;

    for (int i = 0; i < s->table->n_stored; i++, c++) {
        *c = (struct pdump_h5_series_column){ .set = -1,
                                              .type = s->table->fields[i].type,
                                              .field = i };
        snprintf(c->name, sizeof(c->name), "%s", s->table->fields[i].name);
    }
    for (int i = 0; i < tables->n_metrics * n_figures; i++, c++) {
        char link[PDUMP_H5_LINK_MAX];
        int metric = i / n_figures, figure = i % n_figures;

        *c = (struct pdump_h5_series_column){
            .set = -1,
            .type = figure == SUMSQ ? PDUMP_SCHEMA_REAL : PDUMP_SCHEMA_INT64,
            .field = -1,
            .metric = metric,
            .figure = figure,
        };
        pdump_h5_link(tables->metrics[metric].name, metric, link);
        snprintf(c->name, sizeof(c->name), "%s%s%s", link, is_row ? "/" : "",
                 is_row ? row_figures[figure] : "");
    }
    s->n_columns = (int)(c - s->columns);
}

/* Creates a group for the four columns of every metric. */
static int make_groups(const struct pdump_h5_series *s, hid_t place)
{
    const struct pdump_dump *tables = s->shape->tables;

    for (int m = 0; s->what == PDUMP_H5_ALL_ROWS && m < tables->n_metrics;
         m++) {
        char link[PDUMP_H5_LINK_MAX];
        hid_t group;
        int err;

        pdump_h5_link(tables->metrics[m].name, m, link);
        err = pdump_h5_group(s->h, place, link, &group);
        if (err < 0)
            return err;
        H5Gclose(group);
    }
    return PDUMP_OK;
}

static int open_columns(struct pdump_h5_series *s)
{
    const struct pdump_stream *shape = s->shape;
    hid_t place;
    int err =
        pdump_h5_group(s->h, s->h->file,
                       s->what == PDUMP_H5_ALL_ROWS      ? PDUMP_H5_PROFILE
                       : s->what == PDUMP_H5_ALL_SAMPLES ? PDUMP_H5_SAMPLES
                                                         : PDUMP_H5_EVENTS,
                       &place);

    if (err < 0)
        return err;
    err = pdump_h5_put(s->h, place, "rank", PDUMP_SCHEMA_INT32, shape->n_pieces,
                       shape->rank);
    if (err == PDUMP_OK)
        err = pdump_h5_put(s->h, place, "rank_ptr", PDUMP_SCHEMA_INT64,
                           shape->n_pieces + 1, s->ptr);
    if (err == PDUMP_OK)
        err = make_groups(s, place);
    for (int i = 0; err == PDUMP_OK && i < s->n_columns; i++) {
        struct pdump_h5_series_column *c = &s->columns[i];

        err = pdump_h5_dataset(s->h, place, c->name, c->type, s->n_dims,
                               s->dims, shape->is_hollow, &c->set);
    }
    H5Gclose(place);
    return err;
}

int pdump_h5_series_chunks(struct pdump_h5_series *s)
{
    int err = PDUMP_OK;

    s->packer = pdump_h5_packer_new();
    if (!s->packer)
        return pdump_no_memory();
    for (int i = 0; err == PDUMP_OK && i < s->n_columns; i++) {
        struct pdump_h5_series_column *c = &s->columns[i];

        err = pdump_h5_chunks_open(s->h, c->set, c->name, c->type, &c->chunks);
    }
    return err;
}

const int64_t *pdump_h5_series_ptr(const struct pdump_stream *in,
                                   enum pdump_h5_what what)
{
    return what == PDUMP_H5_ALL_ROWS      ? in->row_ptr
           : what == PDUMP_H5_ALL_SAMPLES ? in->sample_ptr
                                          : in->event_ptr;
}

int pdump_h5_series_open(const struct pdump_h5 *h,
                         const struct pdump_stream *shape,
                         enum pdump_h5_what what, struct pdump_h5_series **out)
{
    struct pdump_h5_series *s = calloc(1, sizeof(*s));
    size_t most =
        PDUMP_SCHEMA_FIELDS_MAX + (size_t)shape->tables->n_metrics * N_FIGURES;
    int err;

    if (s)
        s->columns = calloc(most, sizeof(*s->columns));
    if (!s || !s->columns) {
        free(s);
        return pdump_no_memory();
    }
    s->h = h;
    s->table = what == PDUMP_H5_ALL_ROWS ? pdump_schema_table(PDUMP_TABLE_ROWS)
               : what == PDUMP_H5_ALL_SAMPLES
                   ? pdump_schema_table(PDUMP_TABLE_SAMPLES)
                   : &pdump_h5_events;
    s->shape = shape;
    s->ptr = pdump_h5_series_ptr(shape, what);
    s->what = what;
    choose_shape(s);
    list_columns(s);
    err = open_columns(s);
    if (err < 0)
        return pdump_h5_series_close(s, err);
    *out = s;
    return PDUMP_OK;
}

/* Returns the values of a part in a column; `scratch` has room for them. */
static const void *values_of(const struct pdump_h5_series *s,
                             const struct pdump_h5_series_column *c,
                             const struct pdump_h5_part *part, char *scratch)
{
    const struct pdump_dump_column *metric;

    if (c->field >= 0) {
        const char *array =
            (const char *)part->array + s->table->fields[c->field].at;
        size_t width = pdump_schema_size(c->type);

        for (int64_t i = 0; i < part->n; i++)
            memcpy(scratch + i * width, array + i * s->table->size, width);
        return scratch;
    }
    if (s->what == PDUMP_H5_ALL_SAMPLES)
        return part->piece->sample_values[c->metric];
    metric = &part->piece->columns[c->metric];
    return c->figure == SUM   ? (const void *)metric->sum
           : c->figure == MIN ? (const void *)metric->min
           : c->figure == MAX ? (const void *)metric->max
                              : (const void *)metric->sumsq;
}

/* Selects the place of the part in the file.  Ranks that write together also
 * take part if they have nothing to write. */
static hid_t select_part(const struct pdump_h5_series *s,
                         const struct pdump_h5_part *part)
{
    hid_t space = H5Screate_simple(s->n_dims, s->dims, NULL);
    hsize_t start[2] = { (hsize_t)part->at, 0 };
    hsize_t count[2] = { (hsize_t)part->n, 0 };

    if (s->n_dims == 2) {
        start[0] /= s->dims[1];
        count[0] = 1;
        count[1] = (hsize_t)part->n;
    }
    if (part->n == 0)
        H5Sselect_none(space);
    else
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    return space;
}

static int put_slab(struct pdump_h5_series *s, const struct pdump_h5_part *part,
                    char *scratch)
{
    hsize_t count = (hsize_t)part->n;
    hid_t in_file = select_part(s, part);
    hid_t in_memory = H5Screate_simple(1, &count, NULL);
    int err = PDUMP_OK, worst = PDUMP_OK;

    if (part->n == 0)
        H5Sselect_none(in_memory);
    for (int i = 0; i < s->n_columns; i++) {
        const struct pdump_h5_series_column *c = &s->columns[i];
        const void *values = part->n ? values_of(s, c, part, scratch) : scratch;

        err = pdump_h5_transfer(s->h, c->set, c->name, c->type, in_memory,
                                in_file, part->n, values);
        if (err < 0 && s->h->mode != PDUMP_H5_FILL)
            break;
        worst = err < worst ? err : worst;
    }
    H5Sclose(in_memory);
    H5Sclose(in_file);
    return err < worst ? err : worst;
}

static int put_chunks(struct pdump_h5_series *s,
                      const struct pdump_h5_part *part, char *scratch)
{
    int err = PDUMP_OK;

    for (int i = 0; err == PDUMP_OK && i < s->n_columns; i++) {
        struct pdump_h5_series_column *c = &s->columns[i];

        err = pdump_h5_chunks_put(&c->chunks, s->packer, part->n,
                                  values_of(s, c, part, scratch));
    }
    return err;
}

int pdump_h5_series_part(struct pdump_h5_series *s,
                         const struct pdump_h5_part *part)
{
    char *scratch = malloc((size_t)part->n * sizeof(int64_t) + 1);
    int err;

    if (!scratch)
        return pdump_no_memory();
    err = s->packer ? put_chunks(s, part, scratch) : put_slab(s, part, scratch);
    free(scratch);
    return err;
}

int pdump_h5_series_piece(struct pdump_h5_series *s, int piece,
                          const struct pdump_dump *rows)
{
    struct pdump_h5_part part = { .piece = rows };

    if (s->what == PDUMP_H5_ALL_EVENTS)
        return pdump_h5_series_events(s, piece, rows);
    if (piece >= 0) {
        part.at = s->ptr[piece];
        part.n = s->ptr[piece + 1] - s->ptr[piece];
        part.array = s->what == PDUMP_H5_ALL_ROWS ? (const void *)rows->rows
                                                  : (const void *)rows->samples;
    }
    return pdump_h5_series_part(s, &part);
}

int pdump_h5_series_close(struct pdump_h5_series *s, int err)
{
    if (!s)
        return err;
    for (int i = 0; i < s->n_columns; i++) {
        pdump_h5_chunks_close(&s->columns[i].chunks);
        err = pdump_h5_done(s->h, s->columns[i].set, s->columns[i].name, err);
    }
    pdump_h5_packer_free(s->packer);
    free(s->columns);
    free(s);
    return err;
}
