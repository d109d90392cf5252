/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the tables of details. */
#include "dump/builder_details.h"
#include "read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table that is being read. */
struct reading {
    const struct pdump_h5 *h;
    struct pdump_builder *b;
    char link[PDUMP_H5_LINK_MAX];
    int number; /* its number in the builder */
    struct pdump_h5_list fields;
    struct pdump_h5_list labels;
    struct pdump_h5_list rows;
    int64_t **columns; /* of the fields */
    int n_values;
};

static const struct pdump_dump_field *field_of(const struct reading *r,
                                               int64_t f)
{
    return (const struct pdump_dump_field *)(const void *)r->fields.array + f;
}

static int add_table(struct reading *r, const struct pdump_dump_detail *names,
                     int64_t i)
{
    struct pdump_dump_detail detail = *names;

    detail.fields = (struct pdump_dump_field *)(void *)r->fields.array;
    detail.n_fields = (int)r->fields.n;
    for (int64_t f = 0; f < r->fields.n; f++)
        if (field_of(r, f)->kind > PDUMP_FIELD_REAL)
            return pdump_fail(PDUMP_EFORMAT, "%s: /%s: no kind of field is %d",
                              r->h->path, r->link, (int)field_of(r, f)->kind);
    r->number = pdump_builder_detail(r->b, &detail);
    if (r->number < 0)
        return pdump_h5_refuse(r->h, PDUMP_H5_DETAILS, i, r->number);
    if (r->number != i)
        return pdump_fail(PDUMP_EFORMAT,
                          "%s: /" PDUMP_H5_DETAILS "[%lld] is there twice",
                          r->h->path, (long long)i);
    return PDUMP_OK;
}

static int get_columns(struct reading *r)
{
    int err = PDUMP_OK;

    r->columns = calloc((size_t)r->fields.n + 1, sizeof(*r->columns));
    if (!r->columns)
        return pdump_no_memory();
    for (int f = 0; err == PDUMP_OK && f < (int)r->fields.n; f++) {
        const struct pdump_dump_field *field = field_of(r, f);
        char link[PDUMP_H5_LINK_MAX], name[2 * PDUMP_H5_LINK_MAX + 2];
        void *column = NULL;

        pdump_h5_field_link(field->name, f, link);
        snprintf(name, sizeof(name), "/%s/%s", r->link, link);
        err = pdump_h5_get_wide(r->h, name,
                                field->kind == PDUMP_FIELD_REAL
                                    ? PDUMP_SCHEMA_REAL
                                    : PDUMP_SCHEMA_INT64,
                                r->rows.n, field->width, &column);
        r->columns[f] = column;
        r->n_values += field->width;
    }
    return err;
}

static int add_row(const struct reading *r, int64_t i, int64_t *values)
{
    const struct pdump_dump_detail_row *row =
        (const struct pdump_dump_detail_row *)(const void *)r->rows.array + i;
    struct pdump_builder_details_place place = { row->thread, row->node, NULL };
    int at = 0, err;

    if (row->label < 0 || row->label >= r->labels.n)
        return pdump_fail(PDUMP_EFORMAT, "%s: /%s[%lld]: there is no label %d",
                          r->h->path, r->link, (long long)i, row->label);
    memcpy(&place.label, r->labels.array + row->label * sizeof(place.label),
           sizeof(place.label));
    for (int f = 0; f < (int)r->fields.n; f++) {
        size_t width = (size_t)field_of(r, f)->width;

        memcpy(values + at, r->columns[f] + (size_t)i * width,
               width * sizeof(*values));
        at += (int)width;
    }
    err = pdump_builder_detail_row(r->b, r->number, &place, values);
    return err < 0 ? pdump_h5_refuse(r->h, r->link, i, err) : PDUMP_OK;
}

static int add_rows(struct reading *r)
{
    int64_t *values = malloc(((size_t)r->n_values + 1) * sizeof(*values));
    int err = values ? PDUMP_OK : pdump_no_memory();

    for (int64_t i = 0; err == PDUMP_OK && i < r->rows.n; i++)
        err = add_row(r, i, values);
    free(values);
    return err;
}

static int get_detail(const struct pdump_h5 *h, struct pdump_builder *b,
                      const struct pdump_dump_detail *names, int64_t i)
{
    char fields[PDUMP_H5_LINK_MAX + 16];
    struct reading r = {
        .h = h,
        .b = b,
        .fields = { .form = pdump_schema_table(PDUMP_TABLE_FIELDS),
                    .group = fields },
        .labels = { .form = &pdump_h5_labels, .group = r.link },
        .rows = { .form = pdump_schema_table(PDUMP_TABLE_DETAIL_ROWS),
                  .group = r.link }
    };
    int err;

    pdump_h5_table_link(names->name, (int)i, r.link);
    snprintf(fields, sizeof(fields), "%s/" PDUMP_H5_FIELDS, r.link);
    err = pdump_h5_get_list(h, &r.fields);
    if (err == PDUMP_OK)
        err = add_table(&r, names, i);
    if (err == PDUMP_OK)
        err = pdump_h5_get_list(h, &r.labels);
    if (err == PDUMP_OK)
        err = pdump_h5_get_list(h, &r.rows);
    if (err == PDUMP_OK)
        err = get_columns(&r);
    if (err == PDUMP_OK)
        err = add_rows(&r);
    for (int64_t f = 0; r.columns && f < r.fields.n; f++)
        free(r.columns[f]);
    free(r.columns);
    pdump_h5_free_list(&r.rows);
    pdump_h5_free_list(&r.labels);
    pdump_h5_free_list(&r.fields);
    return err;
}

int pdump_h5_get_details(const struct pdump_h5 *h, struct pdump_builder *b)
{
    struct pdump_h5_list list = { .form =
                                      pdump_schema_table(PDUMP_TABLE_DETAILS),
                                  .group = PDUMP_H5_DETAILS };
    int err = pdump_h5_has(h, PDUMP_H5_DETAILS);

    if (err <= 0)
        return err;
    err = pdump_h5_get_list(h, &list);
    for (int64_t i = 0; err == PDUMP_OK && i < list.n; i++)
        err = get_detail(
            h, b, (const struct pdump_dump_detail *)(void *)list.array + i, i);
    pdump_h5_free_list(&list);
    return err;
}
