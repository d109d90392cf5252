/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes or compares everything but rows, samples and events. */
#include "columns.h"
#include "write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the bytes of all texts, and the offset of each. */
static int put_texts(const struct pdump_h5 *h, hid_t group,
                     const struct pdump_schema_field *field, size_t size,
                     const char *array, int64_t n)
{
    int64_t *begin = malloc(((size_t)n + 1) * sizeof(*begin));
    char *bytes = NULL, offsets[64];
    int err = begin ? PDUMP_OK : pdump_no_memory();

    if (err < 0)
        return err;
    begin[0] = 0;
    for (int64_t i = 0; i < n; i++)
        begin[i + 1] =
            begin[i] +
            (int64_t)strlen(pdump_schema_text(field, array + i * size));
    bytes = malloc((size_t)begin[n] + 1);
    if (!bytes)
        err = pdump_no_memory();
    for (int64_t i = 0; bytes && i < n; i++)
        memcpy(bytes + begin[i], pdump_schema_text(field, array + i * size),
               (size_t)(begin[i + 1] - begin[i]));
    snprintf(offsets, sizeof(offsets), "%s_ptr", field->name);
    if (err == PDUMP_OK)
        err = pdump_h5_put(h, group, field->name, PDUMP_SCHEMA_BYTE, begin[n],
                           bytes);
    if (err == PDUMP_OK)
        err = pdump_h5_put(h, group, offsets, PDUMP_SCHEMA_INT64, n + 1, begin);
    free(bytes);
    free(begin);
    return err;
}

static int put_numbers(const struct pdump_h5 *h, hid_t group,
                       const struct pdump_schema_field *field, size_t size,
                       const char *array, int64_t n)
{
    size_t width = pdump_schema_size(field->type);
    char *column = malloc((size_t)n * width + 1);
    int err;

    if (!column)
        return pdump_no_memory();
    for (int64_t i = 0; i < n; i++)
        memcpy(column + i * width, array + i * size + field->at, width);
    err = pdump_h5_put(h, group, field->name, field->type, n, column);
    free(column);
    return err;
}

int pdump_h5_put_fields(const struct pdump_h5 *h, hid_t group,
                        const struct pdump_schema_table *table,
                        const void *array, int64_t n)
{
    int err = PDUMP_OK;

    for (int i = 0; err == PDUMP_OK && i < table->n_fields; i++) {
        const struct pdump_schema_field *field = &table->fields[i];

        err = field->type == PDUMP_SCHEMA_TEXT
                  ? put_texts(h, group, field, table->size, array, n)
                  : put_numbers(h, group, field, table->size, array, n);
    }
    return err;
}

int pdump_h5_put_table(const struct pdump_h5 *h, hid_t place, const char *name,
                       const struct pdump_schema_table *table,
                       const void *array, int64_t n)
{
    hid_t group;
    int err = pdump_h5_group(h, place, name, &group);

    if (err < 0)
        return err;
    err = pdump_h5_put_fields(h, group, table, array, n);
    H5Gclose(group);
    return err;
}

static int put_stats(const struct pdump_h5 *h, const struct pdump_dump *dump)
{
    char link[PDUMP_H5_LINK_MAX] = "visits";
    hid_t group;
    int err = pdump_h5_group(h, h->file, PDUMP_H5_STATISTICS, &group);

    if (err < 0)
        return err;
    err = pdump_h5_put_table(h, group, link,
                             pdump_schema_table(PDUMP_TABLE_STATS),
                             dump->stats[dump->n_metrics], dump->n_nodes);
    for (int m = 0; err == PDUMP_OK && m < dump->n_metrics; m++) {
        pdump_h5_link(dump->metrics[m].name, m, link);
        err = pdump_h5_put_table(h, group, link,
                                 pdump_schema_table(PDUMP_TABLE_STATS),
                                 dump->stats[m], dump->n_nodes);
    }
    H5Gclose(group);
    return err;
}

static int put_head(const struct pdump_h5 *h, const struct pdump_stream *in)
{
    int err = pdump_h5_put_attribute(h, PDUMP_H5_FORMAT, PDUMP_H5_VERSION);

    if (err == PDUMP_OK)
        err = pdump_h5_put_attribute(h, PDUMP_H5_MISSING, PDUMP_MISSING);
    if (err == PDUMP_OK)
        err = pdump_h5_put_attribute(h, PDUMP_H5_N_RANKS, in->n_ranks);
    return err;
}

int pdump_h5_put_tables(const struct pdump_h5 *h, const struct pdump_stream *in)
{
    const struct pdump_dump *dump = in->tables;
    int err = put_head(h, in);

    for (int i = 0; err == PDUMP_OK && i < PDUMP_H5_PLACES; i++) {
        const struct pdump_schema_table *table =
            pdump_schema_table(pdump_h5_places[i].table);
        const char *entries;
        int n = pdump_schema_list(table, dump, &entries);

        err = pdump_h5_put_table(h, h->file, pdump_h5_places[i].group, table,
                                 entries, n);
    }
    if (err == PDUMP_OK && dump->stats)
        err = put_stats(h, dump);
    return err < 0 ? err : pdump_h5_put_details(h, dump);
}
