/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the file of a CSV dump with everything that is not in its other
 * files. */
#include "write/sink_csv.h"

#include "base/csv.h"
#include "dump/dump_schema.h"
#include "read/csv_layout.h"

#include <stdlib.h>

static void begin_row(FILE *f, const char *table, int64_t index,
                      const char *key)
{
    pdump_csv_put_text(f, table);
    putc_unlocked(',', f);
    pdump_csv_put_int(f, index);
    putc_unlocked(',', f);
    pdump_csv_put_text(f, key);
    putc_unlocked(',', f);
}

static void put_text(FILE *f, const char *table, int64_t index, const char *key,
                     const char *value)
{
    begin_row(f, table, index, key);
    pdump_csv_put_text(f, value);
    putc_unlocked('\n', f);
}

static void put_int(FILE *f, const char *table, int64_t index, const char *key,
                    int64_t value)
{
    begin_row(f, table, index, key);
    pdump_csv_put_int(f, value);
    putc_unlocked('\n', f);
}

static void put_entry(FILE *f, enum pdump_table table, int64_t index,
                      const void *entry)
{
    const struct pdump_schema_table *t = &pdump_schema[table];

    for (int i = 0; i < t->n_stored; i++) {
        int64_t number = 0;
        const char *text = pdump_schema_value(&t->fields[i], entry, &number);

        if (text)
            put_text(f, t->name, index, t->fields[i].name, text);
        else
            put_int(f, t->name, index, t->fields[i].name, number);
    }
}

static void put_list(FILE *f, enum pdump_table table,
                     const struct pdump_dump *dump)
{
    const char *entry;
    int n = pdump_schema_list(&pdump_schema[table], dump, &entry);

    for (int i = 0; i < n; i++, entry += pdump_schema[table].size)
        put_entry(f, table, i, entry);
}

/* Returns true if a reader that numbers regions in the order of nodes gets the
 * same numbers. */
static bool is_natural(const struct pdump_dump *dump)
{
    int n = 0;

    for (int i = 0; i < dump->n_nodes; i++) {
        if (dump->nodes[i].region > n)
            return false;
        n += dump->nodes[i].region == n;
    }
    return n == dump->n_regions;
}

/* Writes only regions and nodes that the rows do not show: none in nearly every
 * dump. */
static void put_tree(FILE *f, const struct pdump_dump *dump,
                     const bool *has_row, int n)
{
    if (n < dump->n_nodes || !is_natural(dump))
        put_list(f, PDUMP_TABLE_REGIONS, dump);
    for (int i = 0; n < dump->n_nodes && i < dump->n_nodes; i++)
        if (!has_row[i])
            put_entry(f, PDUMP_TABLE_NODES, i, &dump->nodes[i]);
}

/* Marks the nodes that have a row.  Returns their number. */
static int find_rows(struct pdump_stream *in, bool *has_row)
{
    int n = 0;

    for (int i = 0; in->has_row && i < in->tables->n_nodes; i++) {
        has_row[i] = in->has_row[i];
        n += has_row[i];
    }
    for (int i = 0; !in->has_row && i < in->n_pieces; i++) {
        const struct pdump_dump *piece;
        int err = in->piece(in, i, &piece);

        if (err < 0)
            return err;
        for (int64_t row = 0; row < piece->n_rows; row++) {
            n += !has_row[piece->rows[row].node];
            has_row[piece->rows[row].node] = true;
        }
    }
    return n;
}

/* Fields are numbered across all tables, in order. */
static void put_details(FILE *f, const struct pdump_dump *dump)
{
    int n = 0;

    for (int i = 0; i < dump->n_details; i++) {
        const struct pdump_dump_detail *detail = &dump->details[i];

        put_entry(f, PDUMP_TABLE_DETAILS, i, detail);
        for (int k = 0; k < detail->n_fields; k++, n++) {
            put_int(f, "field", n, "detail", i);
            put_entry(f, PDUMP_TABLE_FIELDS, n, &detail->fields[k]);
        }
    }
}

static int64_t count_stats(const struct pdump_dump *dump)
{
    int64_t n = 0;

    for (int i = 0; i < dump->n_nodes; i++)
        n += pdump_csv_n_stats(dump, i);
    return n;
}

int pdump_csv_put_meta(FILE *f, void *stream)
{
    struct pdump_stream *in = stream;
    const struct pdump_dump *dump = in->tables;
    bool *has_row = calloc((size_t)dump->n_nodes + 1, sizeof(*has_row));
    int n = has_row ? find_rows(in, has_row) : pdump_no_memory();

    if (n < 0) {
        free(has_row);
        return n;
    }
    fputs(PDUMP_CSV_META_HEADER "\n", f);
    put_text(f, "dump", 0, "format", "libpdump");
    put_int(f, "dump", 0, "version", PDUMP_CSV_VERSION);
    put_int(f, "dump", 0, "rows", in->row_ptr[in->n_pieces]);
    put_int(f, "dump", 0, "samples", in->sample_ptr[in->n_pieces]);
    if (in->event_ptr[in->n_pieces] > 0)
        put_int(f, "dump", 0, "events", in->event_ptr[in->n_pieces]);
    if (dump->stats)
        put_int(f, "dump", 0, "statistics", count_stats(dump));
    if (dump->n_details > 0)
        put_int(f, "dump", 0, "details", pdump_csv_n_details(dump));
    put_list(f, PDUMP_TABLE_METRICS, dump);
    put_list(f, PDUMP_TABLE_PROCESSES, dump);
    put_list(f, PDUMP_TABLE_THREADS, dump);
    put_tree(f, dump, has_row, n);
    free(has_row);
    put_details(f, dump);
    for (int i = 0; i < dump->n_metadata; i++)
        put_text(f, "metadata", i, dump->metadata[i].key,
                 dump->metadata[i].value);
    put_list(f, PDUMP_TABLE_WARNINGS, dump);
    return PDUMP_OK;
}
