/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the .meta.csv of a CSV dump: table,index,key,value. */
#include "read/csv_layout.h"
#include "read/reader_csv_private.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { KEYS_MAX = 7 };

/* The records of one entry of a table, collected until the next entry
 * begins. */
struct thing {
    const struct table *table; /* NULL: no entry yet */
    int64_t index;
    int64_t line;                /* of its first record */
    const char *value[KEYS_MAX]; /* "" if there is no record */
};

struct table {
    const char *name;
    const char *keys[KEYS_MAX];
    /* Adds a complete entry. */
    int (*add)(struct pdump_csv_load *load, struct pdump_csv *csv,
               const struct thing *thing);
};

/* Reads an integer between `min` and `max`; an empty text is 0. */
static int number(const struct pdump_csv *csv, const struct thing *thing,
                  int key, int64_t min, int64_t max, int64_t *out)
{
    const char *name = thing->table->keys[key];
    int err = pdump_csv_int(csv, thing->value[key], name, out);

    if (err < 0)
        return err;
    if (*out == PDUMP_MISSING)
        *out = 0;
    if (*out < min || *out > max)
        return pdump_csv_fail(csv, "%s %lld: %s %lld is out of range",
                              thing->table->name, (long long)thing->index, name,
                              (long long)*out);
    return PDUMP_OK;
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

static int add_dump(struct pdump_csv_load *load, struct pdump_csv *csv,
                    const struct thing *thing)
{
    int64_t version;
    int err = number(csv, thing, 1, 0, INT_MAX, &version);

    if (err == PDUMP_OK && strcmp(thing->value[0], "libpdump") != 0)
        err = pdump_csv_fail(csv, "the format is '%.40s', not libpdump",
                             thing->value[0]);
    if (err == PDUMP_OK && version > PDUMP_CSV_VERSION)
        err = pdump_csv_fail(csv, "version %d is newer than this libpdump",
                             (int)version);
    if (err == PDUMP_OK)
        err = number(csv, thing, 2, 0, INT64_MAX, &load->n_rows);
    if (err == PDUMP_OK)
        err = number(csv, thing, 3, 0, INT64_MAX, &load->n_samples);
    if (err == PDUMP_OK)
        err = number(csv, thing, 4, 0, INT64_MAX, &load->n_stats);
    if (err == PDUMP_OK)
        err = number(csv, thing, 5, 0, INT64_MAX, &load->n_details);
    if (err == PDUMP_OK)
        err = number(csv, thing, 6, 0, INT64_MAX, &load->n_events);
    load->has_meta = true;
    return err;
}

static int add_metric(struct pdump_csv_load *load, struct pdump_csv *csv,
                      const struct thing *thing)
{
    struct pdump_dump_metric metric = {
        .name = thing->value[0],
        .unit = thing->value[1],
        .source = thing->value[2],
        .about = thing->value[3],
    };

    for (metric.kind = PDUMP_COUNTER; metric.kind <= PDUMP_USER; metric.kind++)
        if (strcmp(thing->value[4], pdump_csv_kind_name(metric.kind)) == 0)
            return check_index(csv, thing,
                               pdump_csv_load_metric(load, &metric));
    return pdump_csv_fail(csv, "metric %lld: kind '%.40s' is unknown",
                          (long long)thing->index, thing->value[4]);
}

static int add_process(struct pdump_csv_load *load, struct pdump_csv *csv,
                       const struct thing *thing)
{
    struct pdump_dump_process process = {
        .host = thing->value[3],
        .command = thing->value[4],
        .cpu = thing->value[5],
        .cores = thing->value[6],
    };
    int64_t rank;
    int err = number(csv, thing, 0, INT_MIN, INT_MAX, &rank);

    if (err == PDUMP_OK)
        err = number(csv, thing, 1, INT64_MIN, INT64_MAX, &process.pid);
    if (err == PDUMP_OK)
        err = number(csv, thing, 2, INT64_MIN, INT64_MAX, &process.parent);
    if (err < 0)
        return err;
    process.rank = (int)rank;
    return check_index(csv, thing,
                       pdump_csv_load_process(load, thing->index, &process));
}

static int add_thread(struct pdump_csv_load *load, struct pdump_csv *csv,
                      const struct thing *thing)
{
    struct pdump_dump_thread thread = { .name = thing->value[3] };
    int64_t process, n;
    int err = number(csv, thing, 0, 0, INT_MAX, &process);

    if (err == PDUMP_OK)
        err = number(csv, thing, 1, INT_MIN, INT_MAX, &n);
    if (err == PDUMP_OK)
        err = number(csv, thing, 2, INT64_MIN, INT64_MAX, &thread.tid);
    if (err < 0)
        return err;
    if (pdump_pair_index_find(&load->processes, process, 0) < 0)
        return pdump_csv_fail(csv, "thread %lld: there is no process %lld",
                              (long long)thing->index, (long long)process);
    thread.process = (int)process;
    thread.number = (int)n;
    return check_index(csv, thing, pdump_csv_load_thread(load, &thread));
}

static int add_region(struct pdump_csv_load *load, struct pdump_csv *csv,
                      const struct thing *thing)
{
    struct pdump_dump_region region = {
        .name = thing->value[0],
        .group = thing->value[1],
        .file = thing->value[2],
    };
    int64_t line;
    int err = number(csv, thing, 3, INT_MIN, INT_MAX, &line);

    if (err < 0)
        return err;
    region.line = (int)line;
    err = pdump_csv_load_room(&load->regions, load->n_regions, sizeof(region));
    if (err < 0)
        return err;
    err = check_index(csv, thing, pdump_builder_region(load->b, &region));
    if (err >= 0)
        load->regions[load->n_regions++] = region;
    return err;
}

static int add_node(struct pdump_csv_load *load, struct pdump_csv *csv,
                    const struct thing *thing)
{
    struct pdump_csv_node node = { .id = thing->index, .line = csv->line };
    int64_t region;
    int err = number(csv, thing, 1, 0, load->n_regions - 1, &region);

    if (err == PDUMP_OK)
        err = pdump_csv_int(csv, thing->value[0], "parent", &node.parent);
    if (err < 0)
        return err;
    node.region = load->regions[region];
    return pdump_csv_load_node(load, csv, &node);
}

static int add_detail(struct pdump_csv_load *load, struct pdump_csv *csv,
                      const struct thing *thing)
{
    const struct pdump_dump_detail detail = { .name = thing->value[0],
                                              .about = thing->value[1],
                                              .key = thing->value[2] };

    return check_index(csv, thing, pdump_csv_load_detail(load, &detail));
}

static int add_field(struct pdump_csv_load *load, struct pdump_csv *csv,
                     const struct thing *thing)
{
    struct pdump_dump_field field = { .name = thing->value[1],
                                      .unit = thing->value[2] };
    int64_t detail, width;
    int err = number(csv, thing, 0, 0, load->n_tables - 1, &detail);

    if (err == PDUMP_OK)
        err = number(csv, thing, 4, 1, INT_MAX, &width);
    if (err < 0)
        return err;
    field.width = (int)width;
    for (field.kind = 0; field.kind <= PDUMP_FIELD_REAL; field.kind++)
        if (strcmp(thing->value[3], pdump_csv_field_kind(field.kind)) == 0)
            return pdump_csv_load_field(load, csv, (int)detail, &field);
    return pdump_csv_fail(csv, "field %lld: kind '%.40s' is unknown",
                          (long long)thing->index, thing->value[3]);
}

static int add_warning(struct pdump_csv_load *load, struct pdump_csv *csv,
                       const struct thing *thing)
{
    int64_t count;
    int err = number(csv, thing, 1, 0, INT64_MAX, &count);

    return err < 0 ? err
                   : pdump_builder_warning(load->b, thing->value[0], count);
}

static const struct table tables[] = {
    { "dump",
      { "format", "version", "rows", "samples", "statistics", "details",
        "events" },
      add_dump },
    { "metric", { "name", "unit", "source", "about", "kind" }, add_metric },
    { "process",
      { "rank", "pid", "parent", "host", "command", "cpu", "cores" },
      add_process },
    { "thread", { "process", "number", "tid", "name" }, add_thread },
    { "region", { "name", "group", "file", "line" }, add_region },
    { "node", { "parent", "region" }, add_node },
    { "detail", { "name", "about", "key" }, add_detail },
    { "field", { "detail", "name", "unit", "kind", "width" }, add_field },
    { "warning", { "text", "count" }, add_warning },
};

/* Returns NULL for a table of a later version, and for the metadata. */
static const struct table *find_table(const char *name)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        if (strcmp(tables[i].name, name) == 0)
            return &tables[i];
    return NULL;
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
    at = thing->table->add(load, csv, thing);
    csv->line = line;
    thing->table = NULL;
    return at < 0 ? at : PDUMP_OK;
}

static int take_record(struct pdump_csv_load *load, struct pdump_csv *csv,
                       struct thing *thing)
{
    const struct table *table = find_table(csv->cells[0]);
    const char *key = csv->cells[2];
    const char *value = csv->cells[3];
    int64_t index;
    int err = pdump_csv_int(csv, csv->cells[1], "index", &index);

    if (err == PDUMP_OK && (table != thing->table || index != thing->index)) {
        err = finish_thing(load, csv, thing);
        *thing = (struct thing){ table, index, csv->line, { 0 } };
        for (int k = 0; k < KEYS_MAX; k++)
            thing->value[k] = "";
    }
    if (err < 0)
        return err;
    if (strcmp(csv->cells[0], "metadata") == 0)
        return pdump_builder_metadata(load->b, key, value);
    for (int k = 0; table && k < KEYS_MAX && table->keys[k]; k++)
        if (strcmp(table->keys[k], key) == 0)
            return pdump_csv_load_keep(load, value, &thing->value[k]);
    return PDUMP_OK;
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
