/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads /profile, /samples and /events, block by block. */
#include "read.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 65536 };

static const char *const row_figures[] = { "sum", "min", "max", "sumsq" };
enum { N_FIGURES = 4 };

/* The columns of one of the three, and a buffer for one block of each column
 * that is not read directly into the builder. */
struct series {
    const struct pdump_h5 *h;
    const struct pdump_schema_table *form;
    const char *group;
    const struct pdump_h5_counts *counts;
    int n_figures; /* per metric: rows have four, samples one, events none */
    struct pdump_h5_column *columns;
    int n_columns;
    void **values; /* a block of each column; NULL: figures of rows */
    char *rows;    /* the structures */
    int64_t *one;  /* the values of one sample */
};

static void close_series(struct series *s)
{
    for (int i = 0; i < s->n_columns; i++) {
        pdump_h5_column_close(&s->columns[i]);
        free(s->values[i]);
    }
    free(s->columns);
    free(s->values);
    free(s->rows);
    free(s->one);
}

static int open_column(struct series *s, const char *name,
                       enum pdump_schema_type type)
{
    struct pdump_h5_column *c = &s->columns[s->n_columns];
    const struct pdump_h5_column *first = &s->columns[0];
    char path[PDUMP_H5_LINK_MAX + 32];
    int err;

    snprintf(path, sizeof(path), "/%s/%.260s", s->group, name);
    err = pdump_h5_column_open(s->h, path, type, c);
    if (err < 0)
        return err;
    if (s->n_columns++ < s->form->n_stored || s->n_figures != N_FIGURES) {
        s->values[c - first] = malloc(BLOCK * sizeof(int64_t));
        if (!s->values[c - first])
            return pdump_no_memory();
    }
    if (c->dims[0] != first->dims[0] || c->dims[1] != first->dims[1])
        return pdump_fail(PDUMP_EFORMAT, "%s: %s and %s differ in length",
                          s->h->path, c->name, first->name);
    return PDUMP_OK;
}

static int open_columns(struct series *s)
{
    int n = (int)s->counts->metrics * s->n_figures, err = PDUMP_OK;

    for (int i = 0; err == PDUMP_OK && i < s->form->n_stored; i++)
        err = open_column(s, s->form->fields[i].name, s->form->fields[i].type);
    for (int i = 0; err == PDUMP_OK && i < n; i++) {
        const char *link = s->counts->links[i / s->n_figures];
        bool is_row = s->n_figures == N_FIGURES;
        const char *figure = is_row ? row_figures[i % s->n_figures] : "";
        char name[PDUMP_H5_LINK_MAX + 16];

        snprintf(name, sizeof(name), "%.256s%s%s", link, is_row ? "/" : "",
                 figure);
        err = open_column(s, name,
                          strcmp(figure, "sumsq") == 0 ? PDUMP_SCHEMA_REAL
                                                       : PDUMP_SCHEMA_INT64);
    }
    return err;
}

/* Checks that rank_ptr divides all rows among the ranks, in order. */
static int check_ranks(const struct series *s)
{
    const struct pdump_h5_column *first = &s->columns[0];
    int64_t n = -1, n_begin, total = (int64_t)(first->dims[0] * first->dims[1]);
    void *ranks = NULL, *begin = NULL;
    char name[64];
    bool is_good;
    int err;

    snprintf(name, sizeof(name), "/%s/rank", s->group);
    err = pdump_h5_get(s->h, name, PDUMP_SCHEMA_INT32, &n, &ranks);
    free(ranks);
    if (err < 0)
        return err;
    snprintf(name, sizeof(name), "/%s/rank_ptr", s->group);
    n_begin = n + 1;
    err = pdump_h5_get(s->h, name, PDUMP_SCHEMA_INT64, &n_begin, &begin);
    if (err < 0)
        return err;
    is_good = ((int64_t *)begin)[0] == 0 && ((int64_t *)begin)[n] == total;
    for (int64_t i = 0; is_good && i < n; i++)
        is_good = ((int64_t *)begin)[i] <= ((int64_t *)begin)[i + 1];
    free(begin);
    return is_good
               ? PDUMP_OK
               : pdump_fail(PDUMP_EFORMAT, "%s: %s does not divide %lld rows",
                            s->h->path, name, (long long)total);
}

static int open_series(struct series *s)
{
    size_t most =
        PDUMP_SCHEMA_FIELDS_MAX + (size_t)s->counts->metrics * N_FIGURES;
    int err;

    s->columns = calloc(most, sizeof(*s->columns));
    s->values = calloc(most, sizeof(*s->values));
    s->rows = calloc(BLOCK, s->form->size);
    s->one = calloc(most, sizeof(*s->one));
    if (!s->columns || !s->values || !s->rows || !s->one)
        return pdump_no_memory();
    err = open_columns(s);
    return err < 0 ? err : check_ranks(s);
}

/* Reads the block that begins at (i, j), and fills in its structures. */
static int read_block(struct series *s, hsize_t i, hsize_t j, hsize_t n)
{
    for (int c = 0; c < s->n_columns; c++) {
        int err = s->values[c] ? pdump_h5_column_read(&s->columns[c], i, j, n,
                                                      s->values[c])
                               : PDUMP_OK;

        if (err < 0)
            return err;
    }
    for (int f = 0; f < s->form->n_stored; f++) {
        const struct pdump_schema_field *field = &s->form->fields[f];
        size_t width = pdump_schema_size(field->type);

        for (size_t k = 0; k < n; k++)
            memcpy(s->rows + k * s->form->size + field->at,
                   (char *)s->values[f] + k * width, width);
    }
    return PDUMP_OK;
}

/* Reads the figures of n rows from (i, j) into the builder's rows from `row`
 * on. */
static int read_figures(struct series *s, struct pdump_builder *b, hsize_t i,
                        hsize_t j, hsize_t n, int64_t row)
{
    const struct pdump_h5_column *c = s->columns + s->form->n_stored;
    int err = PDUMP_OK;

    for (int m = 0; err >= 0 && m < (int)s->counts->metrics; m++) {
        struct pdump_dump_column to;

        err = pdump_builder_columns(b, row, (int64_t)n, m, &to);
        for (int k = 0; err >= 0 && k < N_FIGURES; k++, c++) {
            void *const figures[N_FIGURES] = { to.sum, to.min, to.max,
                                               to.sumsq };

            err = pdump_h5_column_read(c, i, j, n, figures[k]);
        }
    }
    return err;
}

static int64_t add_row(struct series *s, struct pdump_builder *b, size_t k)
{
    const struct pdump_dump_row *row = (void *)(s->rows + k * s->form->size);
    /* The byte in the file may be other than 0 or 1. */
    bool is_open = ((unsigned char *)s->values[3])[k] != 0;

    if (row->visits < 0)
        return pdump_fail(PDUMP_EFORMAT, "%lld visits", (long long)row->visits);
    return pdump_builder_row(b, row->thread, row->node, row->visits, is_open);
}

static int64_t add_sample(struct series *s, struct pdump_builder *b, size_t k)
{
    for (int m = 0; m < (int)s->counts->metrics; m++)
        s->one[m] = ((int64_t *)s->values[s->form->n_stored + m])[k];
    return pdump_builder_sample(b, (void *)(s->rows + k * s->form->size),
                                s->one);
}

static int64_t add_event(struct series *s, struct pdump_builder *b, size_t k)
{
    const struct pdump_h5_event *event = (void *)(s->rows + k * s->form->size);

    return pdump_builder_event(b, event->thread,
                               &(struct pdump_event){
                                   .time = event->time,
                                   .kind = (enum pdump_event_kind)event->kind,
                                   .node = event->node,
                                   .what = event->what,
                                   .value = event->value,
                                   .tag = event->tag,
                               });
}

/* Adds the n entries of the block to the builder; the first one is number `at`
 * of the table.  Returns the index of the first row if they are rows. */
static int64_t add_block(struct series *s, struct pdump_builder *b, int64_t at,
                         size_t n)
{
    int64_t first = 0;

    for (size_t k = 0; k < n; k++) {
        int64_t row = s->n_figures == N_FIGURES ? add_row(s, b, k)
                      : s->n_figures            ? add_sample(s, b, k)
                                                : add_event(s, b, k);

        if (row < 0)
            return pdump_h5_refuse(s->h, s->group, at + (int64_t)k, (int)row);
        first = k == 0 ? row : first;
    }
    return first;
}

/* Reads and adds n entries from (i, j) on. */
static int take_block(struct series *s, struct pdump_builder *b, hsize_t i,
                      hsize_t j, hsize_t n)
{
    int err = read_block(s, i, j, n);
    int64_t row;

    if (err < 0)
        return err;
    row = add_block(s, b, (int64_t)(i * s->columns[0].dims[1] + j), n);
    if (row < 0)
        return (int)row;
    return s->n_figures == N_FIGURES ? read_figures(s, b, i, j, n, row)
                                     : PDUMP_OK;
}

static int read_series(struct series *s, struct pdump_builder *b)
{
    int err = open_series(s);
    const hsize_t *dims = s->n_columns ? s->columns[0].dims : NULL;

    /* The columns have this length, or they would have been refused. */
    if (err == PDUMP_OK && s->n_figures == N_FIGURES)
        err = pdump_builder_reserve(b, (int64_t)(dims[0] * dims[1]));
    for (hsize_t i = 0; err == PDUMP_OK && i < dims[0]; i++)
        for (hsize_t j = 0; err == PDUMP_OK && j < dims[1]; j += BLOCK) {
            hsize_t n = dims[1] - j < BLOCK ? dims[1] - j : BLOCK;

            err = take_block(s, b, i, j, n);
        }
    close_series(s);
    return err;
}

int pdump_h5_get_series(const struct pdump_h5 *h, struct pdump_builder *b,
                        const struct pdump_h5_counts *counts)
{
    struct series rows = { .h = h,
                           .form = pdump_schema_table(PDUMP_TABLE_ROWS),
                           .group = PDUMP_H5_PROFILE,
                           .counts = counts,
                           .n_figures = N_FIGURES };
    struct series samples = { .h = h,
                              .form = pdump_schema_table(PDUMP_TABLE_SAMPLES),
                              .group = PDUMP_H5_SAMPLES,
                              .counts = counts,
                              .n_figures = 1 };
    struct series events = { .h = h,
                             .form = &pdump_h5_events,
                             .group = PDUMP_H5_EVENTS,
                             .counts = counts };
    int err = read_series(&rows, b);

    if (err == PDUMP_OK)
        err = pdump_h5_has(h, PDUMP_H5_SAMPLES);
    if (err > 0)
        err = read_series(&samples, b);
    if (err == PDUMP_OK)
        err = pdump_h5_has(h, PDUMP_H5_EVENTS);
    return err > 0 ? read_series(&events, b) : err;
}
