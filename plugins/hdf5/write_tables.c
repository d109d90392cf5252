/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes or compares everything but rows, samples and events. */
#include "columns.h"
#include "write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const struct pdump_h5_field *field,
                           const char *structure)
{
    const char *text;

    memcpy(&text, structure + field->at, sizeof(text));
    return text;
}

/* Writes the bytes of all texts, and the offset of each. */
static int put_texts(const struct pdump_h5 *h, hid_t group,
                     const struct pdump_h5_field *field, size_t size,
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
            begin[i] + (int64_t)strlen(text_of(field, array + i * size));
    bytes = malloc((size_t)begin[n] + 1);
    if (!bytes)
        err = pdump_no_memory();
    for (int64_t i = 0; bytes && i < n; i++)
        memcpy(bytes + begin[i], text_of(field, array + i * size),
               (size_t)(begin[i + 1] - begin[i]));
    snprintf(offsets, sizeof(offsets), "%s_ptr", field->name);
    if (err == PDUMP_OK)
        err =
            pdump_h5_put(h, group, field->name, PDUMP_H5_BYTE, begin[n], bytes);
    if (err == PDUMP_OK)
        err = pdump_h5_put(h, group, offsets, PDUMP_H5_INT64, n + 1, begin);
    free(bytes);
    free(begin);
    return err;
}

static int put_numbers(const struct pdump_h5 *h, hid_t group,
                       const struct pdump_h5_field *field, size_t size,
                       const char *array, int64_t n)
{
    size_t width = pdump_h5_size(field->type);
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
                        const struct pdump_h5_table *table, const void *array,
                        int64_t n)
{
    int err = PDUMP_OK;

    for (int i = 0; err == PDUMP_OK && i < table->n_fields; i++) {
        const struct pdump_h5_field *field = &table->fields[i];

        err = field->is_text
                  ? put_texts(h, group, field, table->size, array, n)
                  : put_numbers(h, group, field, table->size, array, n);
    }
    return err;
}

int pdump_h5_put_table(const struct pdump_h5 *h, hid_t place, const char *name,
                       const struct pdump_h5_table *table, const void *array,
                       int64_t n)
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
    err = pdump_h5_put_table(h, group, link, &pdump_h5_stats,
                             dump->stats[dump->n_metrics], dump->n_nodes);
    for (int m = 0; err == PDUMP_OK && m < dump->n_metrics; m++) {
        pdump_h5_link(dump->metrics[m].name, m, link);
        err = pdump_h5_put_table(h, group, link, &pdump_h5_stats,
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
    const struct {
        const struct pdump_h5_table *table;
        const void *array;
        int64_t n;
    } tables[] = {
        { &pdump_h5_metadata, dump->metadata, dump->n_metadata },
        { &pdump_h5_warnings, dump->warnings, dump->n_warnings },
        { &pdump_h5_metrics, dump->metrics, dump->n_metrics },
        { &pdump_h5_regions, dump->regions, dump->n_regions },
        { &pdump_h5_nodes, dump->nodes, dump->n_nodes },
        { &pdump_h5_ranks, dump->processes, dump->n_processes },
        { &pdump_h5_threads, dump->threads, dump->n_threads },
    };
    int err = put_head(h, in);

    for (size_t i = 0;
         err == PDUMP_OK && i < sizeof(tables) / sizeof(tables[0]); i++)
        err = pdump_h5_put_table(h, h->file, tables[i].table->group,
                                 tables[i].table, tables[i].array, tables[i].n);
    if (err == PDUMP_OK && dump->stats)
        err = put_stats(h, dump);
    return err < 0 ? err : pdump_h5_put_details(h, dump);
}
