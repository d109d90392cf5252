/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads everything but rows, samples and events. */
#include "read.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pdump_h5_free_list(struct pdump_h5_list *t)
{
    free(t->array);
    for (int i = 0; i < t->form->n_fields; i++)
        free(t->bytes[i]);
}

static int bad_text(const struct pdump_h5 *h, const char *name)
{
    return pdump_fail(PDUMP_EFORMAT, "%s: %s: not a list of texts", h->path,
                      name);
}

/* Copies the texts, because each needs a final NUL. */
static int texts_split(const struct pdump_h5 *h, const char *name,
                       const char *bytes, int64_t n_bytes, const int64_t *begin,
                       struct pdump_h5_list *t, int field)
{
    char *to = malloc((size_t)(n_bytes + t->n) + 1);

    t->bytes[field] = to;
    if (!to)
        return pdump_no_memory();
    if (begin[0] != 0 || begin[t->n] != n_bytes ||
        memchr(bytes, '\0', (size_t)n_bytes))
        return bad_text(h, name);
    for (int64_t i = 0; i < t->n; i++) {
        size_t len;

        if (begin[i + 1] < begin[i] || begin[i + 1] > n_bytes)
            return bad_text(h, name);
        len = (size_t)(begin[i + 1] - begin[i]);
        pdump_schema_set_text(&t->form->fields[field],
                              t->array + (size_t)i * t->form->size, to);
        memcpy(to, bytes + begin[i], len);
        to[len] = '\0';
        to += len + 1;
    }
    return PDUMP_OK;
}

static int get_texts(const struct pdump_h5 *h, const char *name,
                     struct pdump_h5_list *t, int field)
{
    int64_t n_bytes = -1, n_begin = t->n + 1;
    void *bytes = NULL, *begin = NULL;
    char offsets[2 * PDUMP_H5_LINK_MAX + 32];
    int err;

    snprintf(offsets, sizeof(offsets), "%.500s_ptr", name);
    err = pdump_h5_get(h, offsets, PDUMP_SCHEMA_INT64, &n_begin, &begin);
    if (err == PDUMP_OK)
        err = pdump_h5_get(h, name, PDUMP_SCHEMA_BYTE, &n_bytes, &bytes);
    if (err == PDUMP_OK)
        err = texts_split(h, name, bytes, n_bytes, begin, t, field);
    free(bytes);
    free(begin);
    return err;
}

static int get_numbers(const struct pdump_h5 *h, const char *name,
                       struct pdump_h5_list *t, int field)
{
    const struct pdump_schema_field *f = &t->form->fields[field];
    size_t width = pdump_schema_size(f->type);
    void *column;
    int err = pdump_h5_get(h, name, f->type, &t->n, &column);

    if (err < 0)
        return err;
    for (int64_t i = 0; i < t->n; i++)
        memcpy(t->array + (size_t)i * t->form->size + f->at,
               (char *)column + (size_t)i * width, width);
    free(column);
    return PDUMP_OK;
}

/* The length of a table is that of its first column. */
static int get_length(const struct pdump_h5 *h, const struct pdump_h5_list *t,
                      int64_t *n)
{
    const struct pdump_schema_field *first = &t->form->fields[0];
    bool is_text = first->type == PDUMP_SCHEMA_TEXT;
    struct pdump_h5_column c;
    char name[2 * PDUMP_H5_LINK_MAX + 32];
    int err;

    snprintf(name, sizeof(name), "/%.270s/%s%s", t->group, first->name,
             is_text ? "_ptr" : "");
    err = pdump_h5_column_open(h, name, PDUMP_SCHEMA_INT64, &c);
    if (err < 0)
        return err;
    *n = (int64_t)c.dims[1] - is_text;
    if (c.n_dims != 1 || *n < 0)
        err = bad_text(h, name);
    pdump_h5_column_close(&c);
    return err;
}

int pdump_h5_get_list(const struct pdump_h5 *h, struct pdump_h5_list *t)
{
    int err = get_length(h, t, &t->n);

    if (err < 0)
        return err;
    t->array = calloc((size_t)t->n + 1, t->form->size);
    if (!t->array)
        return pdump_no_memory();
    for (int i = 0; err == PDUMP_OK && i < t->form->n_fields; i++) {
        char name[2 * PDUMP_H5_LINK_MAX + 32];

        snprintf(name, sizeof(name), "/%.270s/%s", t->group,
                 t->form->fields[i].name);
        err = t->form->fields[i].type == PDUMP_SCHEMA_TEXT
                  ? get_texts(h, name, t, i)
                  : get_numbers(h, name, t, i);
    }
    return err;
}

/* Adds all entries to the builder.  If other tables refer to them by number, no
 * entry may occur twice. */
static int add_all(const struct pdump_h5 *h, struct pdump_builder *b,
                   const struct pdump_h5_list *t, enum pdump_table table)
{
    bool is_numbered =
        table != PDUMP_TABLE_METADATA && table != PDUMP_TABLE_WARNINGS;

    for (int64_t i = 0; i < t->n; i++) {
        int at =
            pdump_builder_add(b, table, t->array + (size_t)i * t->form->size);

        if (at < 0)
            return pdump_h5_refuse(h, t->group, i, at);
        if (is_numbered && at != i)
            return pdump_fail(PDUMP_EFORMAT, "%s: /%s[%lld] is there twice",
                              h->path, t->group, (long long)i);
    }
    return PDUMP_OK;
}

static int note_links(const struct pdump_h5_list *metrics,
                      struct pdump_h5_counts *counts)
{
    const struct pdump_dump_metric *list = (const void *)metrics->array;

    counts->metrics = metrics->n;
    counts->links = calloc((size_t)metrics->n + 1, sizeof(*counts->links));
    if (!counts->links)
        return pdump_no_memory();
    for (int i = 0; i < (int)metrics->n; i++)
        pdump_h5_link(list[i].name, i, counts->links[i]);
    return PDUMP_OK;
}

/* Reads the statistics of a metric, or of the visits if `metric` is -1. */
static int get_stats_of(const struct pdump_h5 *h, struct pdump_builder *b,
                        int metric, const char *link, int64_t n_nodes)
{
    struct pdump_h5_list t = { .form = pdump_schema_table(PDUMP_TABLE_STATS) };
    char group[PDUMP_H5_LINK_MAX + 16];
    int err;

    snprintf(group, sizeof(group), PDUMP_H5_STATISTICS "/%.250s", link);
    t.group = group;
    err = pdump_h5_get_list(h, &t);
    if (err == PDUMP_OK && t.n != n_nodes)
        err = pdump_fail(PDUMP_EFORMAT, "%s: /%s: not one per node", h->path,
                         group);
    for (int i = 0; err == PDUMP_OK && i < (int)t.n; i++)
        err = pdump_builder_stat(
            b, metric, i, &((struct pdump_dump_rank_stat *)(void *)t.array)[i]);
    pdump_h5_free_list(&t);
    return err;
}

static int get_stats(const struct pdump_h5 *h, struct pdump_builder *b,
                     const struct pdump_h5_counts *counts)
{
    int err = pdump_h5_has(h, PDUMP_H5_STATISTICS);

    if (err <= 0)
        return err;
    err = get_stats_of(h, b, -1, "visits", counts->nodes);
    for (int m = 0; err == PDUMP_OK && m < (int)counts->metrics; m++)
        err = get_stats_of(h, b, m, counts->links[m], counts->nodes);
    return err;
}

int pdump_h5_get_tables(const struct pdump_h5 *h, struct pdump_builder *b,
                        struct pdump_h5_counts *counts)
{
    int err = PDUMP_OK;

    for (int i = 0; err == PDUMP_OK && i < PDUMP_H5_PLACES; i++) {
        enum pdump_table table = pdump_h5_places[i].table;
        struct pdump_h5_list t = { .form = pdump_schema_table(table),
                                   .group = pdump_h5_places[i].group };

        err = pdump_h5_get_list(h, &t);
        if (err == PDUMP_OK)
            err = add_all(h, b, &t, table);
        if (err == PDUMP_OK && table == PDUMP_TABLE_METRICS)
            err = note_links(&t, counts);
        if (table == PDUMP_TABLE_NODES)
            counts->nodes = t.n;
        if (table == PDUMP_TABLE_THREADS)
            counts->threads = t.n;
        pdump_h5_free_list(&t);
    }
    if (err == PDUMP_OK)
        err = get_stats(h, b, counts);
    return err < 0 ? err : pdump_h5_get_details(h, b);
}
