/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes, or compares, /profile and /samples: one dataset per column, all of
 * them open while the pieces come.  A new file is written from its start to its
 * end, chunk by chunk; ranks that fill one, or compare, take each piece as one
 * hyperslab.
 */
#include "chunks.h"
#include "tables.h"
#include "write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The columns of a metric: a group of four in /profile, or one in /samples. */
static const char *const row_figures[] = { "sum", "min", "max", "sumsq" };
enum { SUM, MIN, MAX, SUMSQ, N_FIGURES };

struct column {
    hid_t set;
    enum pdump_h5_type type;
    int field;  /* of the table, or -1 */
    int metric; /* and */
    int figure;
    struct pdump_h5_chunks chunks;
    char name[PDUMP_H5_LINK_MAX + 8];
};

struct pdump_h5_series {
    const struct pdump_h5 *h;
    const struct pdump_h5_table *table;
    const struct pdump_stream *shape;
    const int64_t *ptr; /* where each piece begins */
    bool is_samples;
    hsize_t dims[2]; /* (rows), or (pieces, samples of each) */
    int n_dims;
    struct column *columns;
    int n_columns;
    struct pdump_h5_packer *packer; /* NULL: hyperslabs */
};

/* The samples of all ranks as one array, if they are alike. */
static void choose_shape(struct pdump_h5_series *s)
{
    int64_t n = s->ptr[s->shape->n_pieces];
    int n_pieces = s->shape->n_pieces;

    s->n_dims = 1;
    s->dims[0] = (hsize_t)n;
    if (s->is_samples && s->shape->is_regular && n_pieces > 1 && n > 0) {
        s->n_dims = 2;
        s->dims[0] = (hsize_t)n_pieces;
        s->dims[1] = (hsize_t)(n / n_pieces);
    }
}

static void list_columns(struct pdump_h5_series *s)
{
    const struct pdump_dump *tables = s->shape->tables;
    int n_figures = s->is_samples ? 1 : N_FIGURES;
    struct column *c = s->columns;

    for (int i = 0; i < s->table->n_fields; i++, c++) {
        *c = (struct column){ .set = -1,
                              .type = s->table->fields[i].type,
                              .field = i };
        snprintf(c->name, sizeof(c->name), "%s", s->table->fields[i].name);
    }
    for (int i = 0; i < tables->n_metrics * n_figures; i++, c++) {
        char link[PDUMP_H5_LINK_MAX];
        int metric = i / n_figures, figure = i % n_figures;

        *c = (struct column){
            .set = -1,
            .type = figure == SUMSQ ? PDUMP_H5_REAL : PDUMP_H5_INT64,
            .field = -1,
            .metric = metric,
            .figure = figure,
        };
        pdump_h5_link(tables->metrics[metric].name, metric, link);
        snprintf(c->name, sizeof(c->name), "%s%s%s", link,
                 s->is_samples ? "" : "/",
                 s->is_samples ? "" : row_figures[figure]);
    }
    s->n_columns = (int)(c - s->columns);
}

/* A group for the four columns of every metric. */
static int make_groups(const struct pdump_h5_series *s, hid_t place)
{
    const struct pdump_dump *tables = s->shape->tables;

    for (int m = 0; !s->is_samples && m < tables->n_metrics; m++) {
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
    int err = pdump_h5_group(s->h, s->h->file, s->table->group, &place);

    if (err < 0)
        return err;
    err = pdump_h5_put(s->h, place, "rank", PDUMP_H5_INT32, shape->n_pieces,
                       shape->rank);
    if (err == PDUMP_OK)
        err = pdump_h5_put(s->h, place, "rank_ptr", PDUMP_H5_INT64,
                           shape->n_pieces + 1, s->ptr);
    if (err == PDUMP_OK)
        err = make_groups(s, place);
    for (int i = 0; err == PDUMP_OK && i < s->n_columns; i++) {
        struct column *c = &s->columns[i];

        err = pdump_h5_dataset(s->h, place, c->name, c->type, s->n_dims,
                               s->dims, shape->is_hollow, &c->set);
    }
    H5Gclose(place);
    return err;
}

/* The columns will be gone through from their start to their end. */
static int open_chunks(struct pdump_h5_series *s)
{
    int err = PDUMP_OK;

    s->packer = pdump_h5_packer_new();
    if (!s->packer)
        return pdump_no_memory();
    for (int i = 0; err == PDUMP_OK && i < s->n_columns; i++) {
        struct column *c = &s->columns[i];

        err = pdump_h5_chunks_open(s->h, c->set, c->name, c->type, &c->chunks);
    }
    return err;
}

int pdump_h5_series_open(const struct pdump_h5 *h,
                         const struct pdump_stream *shape, bool is_samples,
                         struct pdump_h5_series **out)
{
    struct pdump_h5_series *s = calloc(1, sizeof(*s));
    size_t most = 4 + (size_t)shape->tables->n_metrics * N_FIGURES;
    int err;

    if (s)
        s->columns = calloc(most, sizeof(*s->columns));
    if (!s || !s->columns) {
        free(s);
        return pdump_no_memory();
    }
    s->h = h;
    s->table = is_samples ? &pdump_h5_samples : &pdump_h5_rows;
    s->shape = shape;
    s->ptr = is_samples ? shape->sample_ptr : shape->row_ptr;
    s->is_samples = is_samples;
    choose_shape(s);
    list_columns(s);
    err = open_columns(s);
    if (err < 0)
        return pdump_h5_series_close(s, err);
    *out = s;
    return PDUMP_OK;
}

/* The values of a piece in a column; `scratch` has room for them. */
static const void *values_of(const struct pdump_h5_series *s,
                             const struct column *c,
                             const struct pdump_dump *piece, int64_t n,
                             char *scratch)
{
    const struct pdump_dump_column *metric = &piece->columns[c->metric];
    const char *array = s->is_samples ? (const char *)piece->samples
                                      : (const char *)piece->rows;

    if (c->field >= 0) {
        size_t width = pdump_h5_size(c->type);

        array += s->table->fields[c->field].at;
        for (int64_t i = 0; i < n; i++)
            memcpy(scratch + i * width, array + i * s->table->size, width);
        return scratch;
    }
    if (s->is_samples)
        return piece->sample_values[c->metric];
    return c->figure == SUM   ? (const void *)metric->sum
           : c->figure == MIN ? (const void *)metric->min
           : c->figure == MAX ? (const void *)metric->max
                              : (const void *)metric->sumsq;
}

/* Where the piece belongs.  Ranks that write together take part with nothing,
 * too. */
static hid_t select_piece(const struct pdump_h5_series *s, int piece, int64_t n)
{
    hid_t space = H5Screate_simple(s->n_dims, s->dims, NULL);
    hsize_t start[2] = { n ? (hsize_t)s->ptr[piece] : 0, 0 };
    hsize_t count[2] = { (hsize_t)n, 0 };

    if (s->n_dims == 2) {
        start[0] = (hsize_t)piece;
        count[0] = 1;
        count[1] = (hsize_t)n;
    }
    if (n == 0)
        H5Sselect_none(space);
    else
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    return space;
}

static int put_slab(struct pdump_h5_series *s, int piece, int64_t n,
                    const struct pdump_dump *rows, char *scratch)
{
    hsize_t count = (hsize_t)n;
    hid_t in_file = select_piece(s, piece, n);
    hid_t in_memory = H5Screate_simple(1, &count, NULL);
    int err = PDUMP_OK, worst = PDUMP_OK;

    if (n == 0)
        H5Sselect_none(in_memory);
    for (int i = 0; i < s->n_columns; i++) {
        const struct column *c = &s->columns[i];
        const void *values = n ? values_of(s, c, rows, n, scratch) : scratch;

        err = pdump_h5_transfer(s->h, c->set, c->name, c->type, in_memory,
                                in_file, n, values);
        if (err < 0 && s->h->mode != PDUMP_H5_FILL)
            break;
        worst = err < worst ? err : worst;
    }
    H5Sclose(in_memory);
    H5Sclose(in_file);
    return err < worst ? err : worst;
}

static int put_chunks(struct pdump_h5_series *s, int64_t n,
                      const struct pdump_dump *rows, char *scratch)
{
    int err = PDUMP_OK;

    for (int i = 0; err == PDUMP_OK && i < s->n_columns; i++) {
        struct column *c = &s->columns[i];

        err = pdump_h5_chunks_put(&c->chunks, s->packer, n,
                                  values_of(s, c, rows, n, scratch));
    }
    return err;
}

int pdump_h5_series_piece(struct pdump_h5_series *s, int piece,
                          const struct pdump_dump *rows)
{
    int64_t n = piece < 0 ? 0 : s->ptr[piece + 1] - s->ptr[piece];
    char *scratch = malloc((size_t)n * sizeof(int64_t) + 1);
    int err;

    if (!scratch)
        return pdump_no_memory();
    err = s->packer ? put_chunks(s, n, rows, scratch)
                    : put_slab(s, piece, n, rows, scratch);
    free(scratch);
    return err;
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

/* Each piece once: the ranks may have to send it for that. */
static int put_pieces(struct pdump_stream *in, struct pdump_h5_series *rows,
                      struct pdump_h5_series *samples)
{
    int err = PDUMP_OK;

    for (int i = 0; err == PDUMP_OK && i < in->n_pieces; i++) {
        const struct pdump_dump *piece;

        err = in->piece(in, i, &piece);
        if (err == PDUMP_OK && piece->n_rows > 0)
            err = pdump_h5_series_piece(rows, i, piece);
        if (err == PDUMP_OK && piece->n_samples > 0 && samples)
            err = pdump_h5_series_piece(samples, i, piece);
    }
    return err;
}

/* Of two series at most; `samples` may be NULL. */
struct both {
    struct pdump_h5_series *rows, *samples;
};

static struct column *column_of(const struct both *b, int i)
{
    if (i < b->rows->n_columns)
        return &b->rows->columns[i];
    i -= b->rows->n_columns;
    return b->samples && i < b->samples->n_columns ? &b->samples->columns[i]
                                                   : NULL;
}

/* Without memory for them, the pieces themselves are compared. */
static void keep_sums(struct pdump_stream *in, const struct both *b)
{
    int n = b->rows->n_columns + (b->samples ? b->samples->n_columns : 0);

    in->sums = calloc((size_t)n, sizeof(*in->sums));
    for (int i = 0; in->sums && i < n; i++)
        in->sums[i] = pdump_sum_value(&column_of(b, i)->chunks.sum);
}

/* What the file has must have the sums of what was stored. */
static int check_sums(const struct pdump_stream *in, const struct both *b)
{
    struct column *c;
    int err = PDUMP_OK;

    for (int i = 0; err == PDUMP_OK && (c = column_of(b, i)); i++) {
        err = pdump_h5_chunks_read(&c->chunks, b->rows->packer);
        if (err == PDUMP_OK && pdump_sum_value(&c->chunks.sum) != in->sums[i])
            err = pdump_h5_differs(b->rows->h, c->name);
    }
    return err;
}

static int put_rows(const struct pdump_h5 *h, struct pdump_stream *in,
                    const struct both *b)
{
    bool is_check = h->mode == PDUMP_H5_CHECK;
    int err = PDUMP_OK;

    if (in->is_hollow)
        return PDUMP_OK;
    if (!is_check || in->sums)
        err = open_chunks(b->rows);
    if (err == PDUMP_OK && b->samples && (!is_check || in->sums))
        err = open_chunks(b->samples);
    if (err == PDUMP_OK && is_check && in->sums)
        return check_sums(in, b);
    if (err == PDUMP_OK)
        err = put_pieces(in, b->rows, b->samples);
    if (err == PDUMP_OK && !is_check)
        keep_sums(in, b);
    return err;
}

int pdump_h5_put_series(const struct pdump_h5 *h, struct pdump_stream *in)
{
    struct both b = { NULL, NULL };
    int err = pdump_h5_series_open(h, in, false, &b.rows);

    if (err == PDUMP_OK && in->sample_ptr[in->n_pieces] > 0)
        err = pdump_h5_series_open(h, in, true, &b.samples);
    if (err == PDUMP_OK)
        err = put_rows(h, in, &b);
    err = pdump_h5_series_close(b.samples, err);
    return pdump_h5_series_close(b.rows, err);
}
