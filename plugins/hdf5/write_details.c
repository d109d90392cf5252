/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes or compares the tables of details. */
#include "write.h"

#include <stdlib.h>
#include <string.h>

/* Writes or compares a field of n rows by `width` bins. */
static int put_wide(const struct pdump_h5 *h, hid_t group, const char *name,
                    enum pdump_schema_type type, int64_t n, int width,
                    const int64_t *values)
{
    hsize_t dims[2] = { (hsize_t)n, (hsize_t)width };
    hid_t set;
    int err;

    if (width == 1)
        return pdump_h5_put(h, group, name, type, n, values);
    err = pdump_h5_dataset(h, group, name, type, 2, dims, false, &set);
    if (err == PDUMP_OK && n > 0)
        err = pdump_h5_transfer(h, set, name, type, H5S_ALL, H5S_ALL, n * width,
                                values);
    return pdump_h5_done(h, set, name, err);
}

/* Writes or compares field number f, whose values begin at `at` in every
 * row. */
static int put_field(const struct pdump_h5 *h, hid_t group,
                     const struct pdump_dump_detail *detail, int f, int at)
{
    const struct pdump_dump_field *field = &detail->fields[f];
    size_t width = (size_t)field->width, size = width * sizeof(int64_t);
    int64_t *column = malloc((size_t)detail->n_rows * size + 1);
    char link[PDUMP_H5_LINK_MAX];
    int err;

    if (!column)
        return pdump_no_memory();
    for (int64_t i = 0; i < detail->n_rows; i++)
        memcpy(column + (size_t)i * width,
               detail->values + i * detail->n_values + at, size);
    pdump_h5_field_link(field->name, f, link);
    err = put_wide(h, group, link,
                   field->kind == PDUMP_FIELD_REAL ? PDUMP_SCHEMA_REAL
                                                   : PDUMP_SCHEMA_INT64,
                   detail->n_rows, field->width, column);
    free(column);
    return err;
}

static int put_rows(const struct pdump_h5 *h, hid_t group,
                    const struct pdump_dump_detail *detail)
{
    int at = 0, err;

    err = pdump_h5_put_fields(h, group,
                              pdump_schema_table(PDUMP_TABLE_DETAIL_ROWS),
                              detail->rows, detail->n_rows);
    if (err == PDUMP_OK)
        err = pdump_h5_put_fields(h, group, &pdump_h5_labels, detail->labels,
                                  detail->n_labels);
    for (int f = 0; err == PDUMP_OK && f < detail->n_fields; f++) {
        err = put_field(h, group, detail, f, at);
        at += detail->fields[f].width;
    }
    return err;
}

static int put_detail(const struct pdump_h5 *h,
                      const struct pdump_dump_detail *detail, int number)
{
    char link[PDUMP_H5_LINK_MAX];
    hid_t group;
    int err;

    pdump_h5_table_link(detail->name, number, link);
    err = pdump_h5_group(h, h->file, link, &group);
    if (err < 0)
        return err;
    err = pdump_h5_put_table(h, group, PDUMP_H5_FIELDS,
                             pdump_schema_table(PDUMP_TABLE_FIELDS),
                             detail->fields, detail->n_fields);
    if (err == PDUMP_OK)
        err = put_rows(h, group, detail);
    H5Gclose(group);
    return err;
}

int pdump_h5_put_details(const struct pdump_h5 *h,
                         const struct pdump_dump *dump)
{
    int err;

    if (dump->n_details == 0)
        return PDUMP_OK;
    err = pdump_h5_put_table(h, h->file, PDUMP_H5_DETAILS,
                             pdump_schema_table(PDUMP_TABLE_DETAILS),
                             dump->details, dump->n_details);
    for (int i = 0; err == PDUMP_OK && i < dump->n_details; i++)
        err = put_detail(h, &dump->details[i], i);
    return err;
}
