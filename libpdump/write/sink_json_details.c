/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes entries and the tables of details in a JSON document. */
#include "write/sink_json_details.h"
#include "base/json.h"
#include "dump/builder_details.h"

void pdump_json_put_fields(FILE *f, enum pdump_table table, const void *entry)
{
    for (int i = 0; i < pdump_schema[table].n_fields; i++) {
        const struct pdump_schema_field *field = &pdump_schema[table].fields[i];
        int64_t number = 0;
        const char *text = pdump_schema_value(field, entry, &number);

        fprintf(f, "%s\"%s\": ", i ? ", " : "{", field->name);
        if (text)
            pdump_json_string(f, "", text);
        else
            pdump_json_int(f, "", number);
    }
}

static void put_fields(FILE *f, const struct pdump_dump_detail *detail)
{
    fputs_unlocked(", \"fields\": [", f);
    for (int i = 0; i < detail->n_fields; i++) {
        fputs_unlocked(i ? ", " : "", f);
        pdump_json_put_fields(f, PDUMP_TABLE_FIELDS, &detail->fields[i]);
        putc_unlocked('}', f);
    }
    putc_unlocked(']', f);
}

/* A missing value is null, as in all tables. */
static void put_value(FILE *f, const char *before, enum pdump_field_kind kind,
                      int64_t value)
{
    if (kind == PDUMP_FIELD_REAL)
        pdump_json_real(f, before, pdump_field_real(value));
    else if (kind == PDUMP_FIELD_MIN && value == INT64_MAX)
        pdump_json_int(f, before, PDUMP_MISSING);
    else
        pdump_json_int(f, before, value);
}

static void put_row(FILE *f, const struct pdump_dump_detail *detail,
                    int64_t row)
{
    const struct pdump_dump_detail_row *r = &detail->rows[row];
    const int64_t *value = detail->values + row * detail->n_values;

    pdump_json_int(f,
                   "{\"thread\": ", r->thread < 0 ? PDUMP_MISSING : r->thread);
    pdump_json_int(f, ", \"node\": ", r->node < 0 ? PDUMP_MISSING : r->node);
    pdump_json_string(f, ", \"label\": ", detail->labels[r->label]);
    fputs_unlocked(", \"values\": {", f);
    for (int i = 0; i < detail->n_fields; i++) {
        const struct pdump_dump_field *field = &detail->fields[i];

        pdump_json_string(f, i ? ", " : "", field->name);
        fputs_unlocked(field->width > 1 ? ": [" : ": ", f);
        for (int k = 0; k < field->width; k++)
            put_value(f, k ? ", " : "", field->kind, *value++);
        if (field->width > 1)
            putc_unlocked(']', f);
    }
    fputs_unlocked("}}", f);
}

void pdump_json_put_details(FILE *f, const struct pdump_dump *dump)
{
    if (dump->n_details == 0)
        return;
    fputs_unlocked(",\n  \"details\": [", f);
    for (int i = 0; i < dump->n_details; i++) {
        const struct pdump_dump_detail *detail = &dump->details[i];

        fputs_unlocked(i ? ",\n    " : "\n    ", f);
        pdump_json_put_fields(f, PDUMP_TABLE_DETAILS, detail);
        put_fields(f, detail);
        fputs_unlocked(", \"rows\": [", f);
        for (int64_t row = 0; row < detail->n_rows; row++) {
            fputs_unlocked(row ? ",\n      " : "\n      ", f);
            put_row(f, detail, row);
        }
        fputs_unlocked("]}", f);
    }
    putc_unlocked(']', f);
}
