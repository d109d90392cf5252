/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the .meta.csv of a CSV dump: table,index,key,value. */
#include "dump/builder_add.h"
#include "read/csv_layout.h"
#include "read/reader_csv_private.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* The records of one entry of a table, collected until the next entry
 * begins. */
struct thing {
    const struct pdump_schema_table *table; /* NULL: no entry yet */
    int64_t index;
    int64_t line;                               /* of its first record */
    const char *value[PDUMP_SCHEMA_FIELDS_MAX]; /* "" if there is no record */
    const char *detail; /* of a field: the number of its table */
};

static int check_range(const struct pdump_csv *csv, const struct thing *thing,
                       const char *key, int64_t value, int64_t min, int64_t max)
{
    if (value < min || value > max)
        return pdump_csv_fail(csv, "%s %lld: %s %lld is out of range",
                              thing->table->name, (long long)thing->index, key,
                              (long long)value);
    return PDUMP_OK;
}

/* Reads an integer between `min` and `max`; an empty text is 0. */
static int field_number(const struct pdump_csv *csv, const struct thing *thing,
                        const char *text, const char *key, int64_t min,
                        int64_t max, int64_t *out)
{
    int err = pdump_csv_int(csv, text, key, out);

    if (err < 0)
        return err;
    if (*out == PDUMP_MISSING)
        *out = 0;
    return check_range(csv, thing, key, *out, min, max);
}

static int set_field(const struct pdump_csv *csv, const struct thing *thing,
                     const struct pdump_schema_field *field, const char *text,
                     void *entry)
{
    int64_t value = 0;
    int err = PDUMP_OK;

    if (field->type == PDUMP_SCHEMA_TEXT) {
        pdump_schema_set_text(field, entry, text);
        return PDUMP_OK;
    }
    if (field->words)
        while (field->words[value] && strcmp(field->words[value], text) != 0)
            value++;
    else
        err = field_number(csv, thing, text, field->name, INT64_MIN, INT64_MAX,
                           &value);
    if (err < 0 || pdump_schema_set_int(field, entry, value))
        return err;
    if (!field->words)
        return check_range(csv, thing, field->name, value, INT_MIN, INT_MAX);
    return pdump_csv_fail(csv, "%s %lld: %s '%.40s' is unknown",
                          thing->table->name, (long long)thing->index,
                          field->name, text);
}

/* Makes the entry from its values. */
static int record_fill(const struct pdump_csv *csv, const struct thing *thing,
                       void *entry)
{
    const struct pdump_schema_table *table = thing->table;
    int err = PDUMP_OK;

    for (int i = 0; err == PDUMP_OK && i < table->n_stored; i++)
        err = set_field(csv, thing, &table->fields[i], thing->value[i], entry);
    return err;
}

/* Entries are numbered without gaps, and no entry comes twice. */
static int check_index(const struct pdump_csv *csv, const struct thing *thing,
                       int at)
{
    if (at >= 0 && at != thing->index)
        return pdump_csv_fail(csv, "%s %lld should be number %d",
                              thing->table->name, (long long)thing->index, at);
    return at;
}

#define HEAD(key, field) PDUMP_SCHEMA_FIELD(key, struct pdump_csv_load, field)
static const struct pdump_schema_field head_fields[] = {
    HEAD("format", format),      HEAD("version", version),
    HEAD("rows", n_rows),        HEAD("samples", n_samples),
    HEAD("statistics", n_stats), HEAD("details", n_details),
    HEAD("events", n_events),
};
enum { N_HEAD = sizeof(head_fields) / sizeof(head_fields[0]) };
static const struct pdump_schema_table head = { .name = "dump",
                                                .fields = head_fields,
                                                .n_stored = N_HEAD };

static int add_head(struct pdump_csv_load *load, const struct pdump_csv *csv,
                    const struct thing *thing)
{
    int err = record_fill(csv, thing, load);

    if (err == PDUMP_OK && strcmp(load->format, "libpdump") != 0)
        err = pdump_csv_fail(csv, "the format is '%.40s', not libpdump",
                             load->format);
    if (err == PDUMP_OK && load->version > PDUMP_CSV_VERSION)
        err = pdump_csv_fail(csv, "version %lld is newer than this libpdump",
                             (long long)load->version);
    for (int i = 1; err == PDUMP_OK && i < N_HEAD; i++)
        err =
            check_range(csv, thing, head_fields[i].name,
                        pdump_schema_int(&head_fields[i], load), 0, INT64_MAX);
    load->has_meta = true;
    return err;
}

static int add_thread(struct pdump_csv_load *load, const struct pdump_csv *csv,
                      const struct thing *thing,
                      const struct pdump_dump_thread *thread)
{
    if (pdump_pair_index_find(&load->processes, thread->process, 0) < 0)
        return pdump_csv_fail(csv, "thread %lld: there is no process %d",
                              (long long)thing->index, thread->process);
    return pdump_csv_load_thread(load, thread);
}

static int add_region(struct pdump_csv_load *load,
                      const struct pdump_dump_region *region)
{
    int at =
        pdump_csv_load_room(&load->regions, load->n_regions, sizeof(*region));

    if (at == PDUMP_OK)
        at = pdump_builder_region(load->b, region);
    if (at == load->n_regions)
        load->regions[load->n_regions++] = *region;
    return at;
}

/* Nodes of a file may have any numbers, so they have no entry. */
static int add_node(struct pdump_csv_load *load, struct pdump_csv *csv,
                    const struct thing *thing)
{
    struct pdump_csv_node node = { .id = thing->index, .line = csv->line };
    int64_t region;
    int err = field_number(csv, thing, thing->value[1], "region", 0,
                           load->n_regions - 1, &region);

    if (err == PDUMP_OK)
        err = pdump_csv_int(csv, thing->value[0], "parent", &node.parent);
    if (err < 0)
        return err;
    node.region = load->regions[region];
    return pdump_csv_load_node(load, csv, &node);
}

static int add_field(struct pdump_csv_load *load, const struct pdump_csv *csv,
                     const struct thing *thing)
{
    struct pdump_dump_field field;
    int64_t detail;
    int err = field_number(csv, thing, thing->detail, "detail", 0,
                           load->n_tables - 1, &detail);

    if (err == PDUMP_OK)
        err = record_fill(csv, thing, &field);
    if (err == PDUMP_OK)
        err = check_range(csv, thing, "width", field.width, 1, INT_MAX);
    return err < 0 ? err : pdump_csv_load_field(load, csv, (int)detail, &field);
}

static int add_warning(struct pdump_csv_load *load, const struct pdump_csv *csv,
                       const struct thing *thing,
                       const struct pdump_dump_warning *warning)
{
    int err = check_range(csv, thing, "count", warning->count, 0, INT64_MAX);

    return err < 0 ? err
                   : pdump_builder_add(load->b, PDUMP_TABLE_WARNINGS, warning);
}

static int add_entry(struct pdump_csv_load *load, const struct pdump_csv *csv,
                     const struct thing *thing)
{
    union pdump_schema_entry e;
    int at;

    memset(&e, 0, sizeof(e));
    at = record_fill(csv, thing, &e);
    if (at < 0)
        return at;
    switch (thing->table - pdump_schema) {
    case PDUMP_TABLE_METRICS:
        at = pdump_csv_load_metric(load, &e.metric);
        break;
    case PDUMP_TABLE_REGIONS:
        at = add_region(load, &e.region);
        break;
    case PDUMP_TABLE_PROCESSES:
        at = pdump_csv_load_process(load, thing->index, &e.process);
        break;
    case PDUMP_TABLE_THREADS:
        at = add_thread(load, csv, thing, &e.thread);
        break;
    case PDUMP_TABLE_DETAILS:
        at = pdump_csv_load_detail(load, &e.detail);
        break;
    default:
        return add_warning(load, csv, thing, &e.warning);
    }
    return check_index(csv, thing, at);
}

/* Returns NULL for a table of a later version, and for the metadata. */
static const struct pdump_schema_table *find_table(const char *name)
{
    static const enum pdump_table tables[] = {
        PDUMP_TABLE_METRICS, PDUMP_TABLE_PROCESSES, PDUMP_TABLE_THREADS,
        PDUMP_TABLE_REGIONS, PDUMP_TABLE_NODES,     PDUMP_TABLE_DETAILS,
        PDUMP_TABLE_FIELDS,  PDUMP_TABLE_WARNINGS,
    };

    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        if (strcmp(pdump_schema[tables[i]].name, name) == 0)
            return &pdump_schema[tables[i]];
    return strcmp(head.name, name) == 0 ? &head : NULL;
}

/* An error is reported for the line where the entry begins, not for the line
 * where it is found. */
static int finish_thing(struct pdump_csv_load *load, struct pdump_csv *csv,
                        struct thing *thing)
{
    int64_t line = csv->line;
    int at;

    if (!thing->table)
        return PDUMP_OK;
    csv->line = thing->line;
    at = thing->table == &head ? add_head(load, csv, thing)
         : thing->table == &pdump_schema[PDUMP_TABLE_NODES]
             ? add_node(load, csv, thing)
         : thing->table == &pdump_schema[PDUMP_TABLE_FIELDS]
             ? add_field(load, csv, thing)
             : add_entry(load, csv, thing);
    csv->line = line;
    thing->table = NULL;
    return at < 0 ? at : PDUMP_OK;
}

static int take_record(struct pdump_csv_load *load, struct pdump_csv *csv,
                       struct thing *thing)
{
    const struct pdump_schema_table *table = find_table(csv->cells[0]);
    const char *key = csv->cells[2];
    const char *value = csv->cells[3];
    int64_t index;
    int err = pdump_csv_int(csv, csv->cells[1], "index", &index);

    if (err == PDUMP_OK && (table != thing->table || index != thing->index)) {
        err = finish_thing(load, csv, thing);
        *thing = (struct thing){
            .table = table, .index = index, .line = csv->line, .detail = ""
        };
        for (int k = 0; k < PDUMP_SCHEMA_FIELDS_MAX; k++)
            thing->value[k] = "";
    }
    if (err < 0)
        return err;
    if (strcmp(csv->cells[0], "metadata") == 0)
        return pdump_builder_metadata(load->b, key, value);
    for (int k = 0; table && k < table->n_stored; k++)
        if (strcmp(table->fields[k].name, key) == 0)
            return pdump_csv_load_keep(load, value, &thing->value[k]);
    return strcmp(key, "detail") == 0
               ? pdump_csv_load_keep(load, value, &thing->detail)
               : PDUMP_OK;
}

static int read_records(struct pdump_csv_load *load, struct pdump_csv *csv)
{
    struct thing thing = { 0 };
    int err;

    while ((err = pdump_csv_next(csv)) > 0) {
        if (csv->n_cells != 4)
            return pdump_csv_fail(csv, "%d cells instead of 4", csv->n_cells);
        if (csv->line == 1 && strcmp(csv->cells[0], "table") == 0)
            continue;
        err = take_record(load, csv, &thing);
        if (err < 0)
            return err;
    }
    if (err == 0)
        err = finish_thing(load, csv, &thing);
    if (err == 0 && !load->has_meta)
        err = pdump_csv_fail(csv, "no table 'dump': not a file of libpdump");
    return err;
}

int pdump_csv_load_meta(struct pdump_csv_load *load, const char *path)
{
    struct pdump_csv csv;
    int err;

    if (access(path, F_OK) != 0 && errno == ENOENT)
        return PDUMP_OK;
    err = pdump_csv_open(&csv, path);
    if (err < 0)
        return err;
    err = read_records(load, &csv);
    pdump_csv_close(&csv);
    return err;
}
