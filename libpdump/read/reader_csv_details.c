/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the details of a CSV dump: a line per value. */
#include "dump/builder_details.h"
#include "dump/dump_schema.h"
#include "read/csv_layout.h"
#include "read/reader_csv_private.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int pdump_csv_load_detail(struct pdump_csv_load *load,
                          const struct pdump_dump_detail *table)
{
    struct pdump_csv_detail new = { .table = *table, .number = -1 };

    if (pdump_schema_keep(&pdump_schema[PDUMP_TABLE_DETAILS], &new.table,
                          load->text) < 0 ||
        pdump_csv_load_room(&load->details, load->n_tables, sizeof(new)) < 0)
        return PDUMP_ENOMEM;
    load->details[load->n_tables] = new;
    return load->n_tables++;
}

int pdump_csv_load_field(struct pdump_csv_load *load,
                         const struct pdump_csv *csv, int detail,
                         const struct pdump_dump_field *field)
{
    struct pdump_dump_detail *table = &load->details[detail].table;
    struct pdump_dump_field new = *field;

    for (int i = 0; i < table->n_fields; i++)
        if (strcmp(table->fields[i].name, field->name) == 0)
            return pdump_csv_fail(csv,
                                  "field '%.60s' of table '%.60s' comes "
                                  "twice",
                                  field->name, table->name);
    if (pdump_schema_keep(&pdump_schema[PDUMP_TABLE_FIELDS], &new, load->text) <
            0 ||
        pdump_csv_load_room(&table->fields, table->n_fields, sizeof(new)) < 0)
        return PDUMP_ENOMEM;
    table->fields[table->n_fields] = new;
    return table->n_fields++;
}

void pdump_csv_load_free_details(struct pdump_csv_load *load)
{
    for (int i = 0; i < load->n_tables; i++)
        free(load->details[i].table.fields);
    free(load->details);
}

/* The row whose lines are being read. */
struct detail_row {
    struct pdump_csv_detail *detail; /* NULL: no row yet */
    struct pdump_builder_details_place place;
    int64_t *values;
};

/* Adds the row.  If its lines are not next to each other, the builder unites
 * the parts: values that a part does not mention are neutral. */
static int row_flush(struct pdump_csv_load *load,
                     const struct pdump_columns *in, struct detail_row *row)
{
    int err = PDUMP_OK;

    if (row->detail)
        err = pdump_builder_detail_row(load->b, row->detail->number,
                                       &row->place, row->values);
    row->detail = NULL;
    return err < 0 && err != PDUMP_ENOMEM
               ? pdump_csv_fail(&in->csv, "the details are not of this dump")
               : err;
}

static void row_clear(struct detail_row *row)
{
    const struct pdump_dump_detail *table = &row->detail->table;
    int64_t *value = row->values;

    for (int k = 0; k < table->n_fields; k++)
        for (int i = 0; i < table->fields[k].width; i++)
            *value++ = pdump_field_nothing(table->fields[k].kind);
}

static struct pdump_csv_detail *find_table(const struct pdump_csv_load *load,
                                           const char *name)
{
    for (int i = 0; i < load->n_tables; i++)
        if (strcmp(load->details[i].table.name, name) == 0)
            return &load->details[i];
    return NULL;
}

/* Finds the row of a line.  If that is another row, adds the last one and
 * begins a new one. */
static int find_row(struct pdump_csv_load *load, const struct pdump_columns *in,
                    struct detail_row *row)
{
    const char *name = pdump_columns_text(in, PDUMP_COLUMN_TABLE);
    struct pdump_csv_detail *detail = find_table(load, name);
    struct pdump_builder_details_place place;
    int err;

    if (!detail)
        return pdump_csv_fail(&in->csv, "there is no table '%.80s'", name);
    err = pdump_columns_thread(in, load, &place.thread);
    if (err == PDUMP_OK)
        err = pdump_columns_node(in, load, &place.node);
    if (err == PDUMP_OK)
        err = pdump_csv_load_keep(
            load, pdump_columns_text(in, PDUMP_COLUMN_LABEL), &place.label);
    if (err < 0 ||
        (row->detail == detail && row->place.thread == place.thread &&
         row->place.node == place.node && row->place.label == place.label))
        return err;
    err = row_flush(load, in, row);
    row->detail = detail;
    row->place = place;
    row_clear(row);
    return err;
}

static int read_value(const struct pdump_columns *in,
                      enum pdump_field_kind kind, int64_t *out)
{
    const char *text = pdump_columns_text(in, PDUMP_COLUMN_VALUE);
    double real;
    int err;

    if (kind == PDUMP_FIELD_REAL) {
        err = pdump_csv_real(&in->csv, text, "value", &real);
        if (err == PDUMP_OK)
            *out = pdump_field_bits(real);
        return err;
    }
    err = pdump_csv_int(&in->csv, text, "value", out);
    if (err == PDUMP_OK && *text == '\0')
        *out = pdump_field_nothing(kind);
    return err;
}

static int read_line(struct pdump_csv_load *load,
                     const struct pdump_columns *in, struct detail_row *row)
{
    const char *name = pdump_columns_text(in, PDUMP_COLUMN_FIELD);
    const struct pdump_dump_detail *table;
    int64_t index, at = 0;
    int err = find_row(load, in, row);

    if (err == PDUMP_OK)
        err = pdump_columns_int(in, PDUMP_COLUMN_INDEX, 0, INT_MAX, 0, &index);
    if (err < 0)
        return err;
    table = &row->detail->table;
    for (int k = 0; k < table->n_fields; at += table->fields[k++].width) {
        const struct pdump_dump_field *field = &table->fields[k];

        if (strcmp(field->name, name) != 0)
            continue;
        if (index < field->width)
            return read_value(in, field->kind, &row->values[at + index]);
        return pdump_csv_fail(&in->csv, "index %lld is out of range",
                              (long long)index);
    }
    return pdump_csv_fail(&in->csv, "table '%.60s' has no field '%.60s'",
                          table->name, name);
}

static int read_lines(struct pdump_csv_load *load, struct pdump_columns *in,
                      struct detail_row *row)
{
    static const enum pdump_column needed[] = {
        PDUMP_COLUMN_TABLE, PDUMP_COLUMN_PROCESS, PDUMP_COLUMN_THREAD,
        PDUMP_COLUMN_NODE,  PDUMP_COLUMN_LABEL,   PDUMP_COLUMN_FIELD,
        PDUMP_COLUMN_INDEX, PDUMP_COLUMN_VALUE,
    };
    int64_t n = 0;
    int err = pdump_columns_need(in, needed, 8);

    for (; err >= 0 && (err = pdump_columns_next(in)) > 0; n++)
        err = read_line(load, in, row);
    if (err == 0)
        err = row_flush(load, in, row);
    if (err == 0 && n != load->n_details)
        err = pdump_csv_fail(
            &in->csv, "%lld lines, but the %s beside it says %lld",
            (long long)n, PDUMP_CSV_META, (long long)load->n_details);
    return err;
}

/* The message of the builder says what is wrong; this adds the file. */
static int in_file(const char *path)
{
    char why[300];

    snprintf(why, sizeof(why), "%s", pdump_last_error());
    return pdump_fail(PDUMP_EFORMAT, "%s: %s", path, why);
}

/* Builds all tables, including those without rows.  Returns the largest number
 * of values in a row. */
static int build_tables(struct pdump_csv_load *load, const char *path)
{
    int most = 0;

    for (int i = 0; i < load->n_tables; i++) {
        struct pdump_csv_detail *detail = &load->details[i];
        int n = 0;

        detail->number = pdump_builder_detail(load->b, &detail->table);
        if (detail->number == PDUMP_EFORMAT)
            return in_file(path);
        if (detail->number < 0)
            return detail->number;
        if (detail->number != i)
            return pdump_fail(PDUMP_EFORMAT, "%s: table '%.80s' comes twice",
                              path, detail->table.name);
        for (int k = 0; k < detail->table.n_fields; k++)
            n += detail->table.fields[k].width;
        most = n > most ? n : most;
    }
    return most;
}

int pdump_csv_load_details(struct pdump_csv_load *load, const char *path)
{
    struct pdump_columns in = { 0 };
    struct detail_row row = { 0 };
    int err = build_tables(load, path);

    if (err < 0 || load->n_details == 0)
        return err < 0 ? err : PDUMP_OK;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return pdump_builder_warning(load->b,
                                     "the file of the details is missing", 1);
    row.values = malloc(((size_t)err + 1) * sizeof(*row.values));
    err = row.values ? pdump_columns_open(&in, load, path) : pdump_no_memory();
    if (err == PDUMP_OK)
        err = read_lines(load, &in, &row);
    pdump_columns_close(&in);
    free(row.values);
    return err;
}
