/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a dump as lists of fields. */
#include "dump/dump_schema.h"

const char *const pdump_schema_metric_kinds[] = { "counter", "gauge", "user",
                                                  NULL };
const char *const pdump_schema_field_kinds[] = { "sum", "min", "max", "real",
                                                 NULL };

_Static_assert(sizeof(int) == 4 && sizeof(bool) == 1, "INT32, BYTE");

/* clang-format off */
#define FIELD(what, field, ...) \
    PDUMP_SCHEMA_FIELD(#field, struct pdump_dump_##what, field, __VA_ARGS__)
#define OF(table) .of = &pdump_schema[PDUMP_TABLE_##table]

/* Of the fields, the last n_computed follow from the others. */
#define TABLE(what, n_computed, ...) \
    .name = #what, .size = sizeof(struct pdump_dump_##what), \
    .fields = (const struct pdump_schema_field[]){ __VA_ARGS__ }, \
    .n_fields = COUNT(__VA_ARGS__), \
    .n_stored = COUNT(__VA_ARGS__) - (n_computed)
#define COUNT(...) \
    (sizeof((struct pdump_schema_field[]){ __VA_ARGS__ }) / \
     sizeof(struct pdump_schema_field))
#define IN_DUMP(list) \
    .list_at = offsetof(struct pdump_dump, list), \
    .count_at = offsetof(struct pdump_dump, n_##list)

const struct pdump_schema_table pdump_schema[PDUMP_TABLES] = {
    [PDUMP_TABLE_METRICS] = { IN_DUMP(metrics), TABLE(metric, 0,
        FIELD(metric, name),
        FIELD(metric, unit),
        FIELD(metric, source),
        FIELD(metric, about),
        FIELD(metric, kind, .words = pdump_schema_metric_kinds)) },
    [PDUMP_TABLE_REGIONS] = { IN_DUMP(regions), TABLE(region, 0,
        FIELD(region, name),
        FIELD(region, group),
        FIELD(region, file),
        FIELD(region, line)) },
    [PDUMP_TABLE_NODES] = { IN_DUMP(nodes), TABLE(node, 1,
        FIELD(node, parent, OF(NODES)),
        FIELD(node, region, OF(REGIONS)),
        FIELD(node, depth)) },
    [PDUMP_TABLE_PROCESSES] = { IN_DUMP(processes), TABLE(process, 0,
        FIELD(process, rank),
        FIELD(process, pid),
        FIELD(process, parent),
        FIELD(process, host),
        FIELD(process, command),
        FIELD(process, cpu),
        FIELD(process, cores)) },
    [PDUMP_TABLE_THREADS] = { IN_DUMP(threads), TABLE(thread, 0,
        FIELD(thread, process, OF(PROCESSES)),
        FIELD(thread, number),
        FIELD(thread, tid),
        FIELD(thread, name)) },
    [PDUMP_TABLE_METADATA] = { IN_DUMP(metadata), TABLE(pair, 0,
        FIELD(pair, key),
        FIELD(pair, value)) },
    [PDUMP_TABLE_WARNINGS] = { IN_DUMP(warnings), TABLE(warning, 0,
        FIELD(warning, text),
        FIELD(warning, count)) },
    [PDUMP_TABLE_DETAILS] = { IN_DUMP(details), TABLE(detail, 0,
        FIELD(detail, name),
        FIELD(detail, about),
        FIELD(detail, key)) },
    [PDUMP_TABLE_FIELDS] = { TABLE(field, 0,
        FIELD(field, name),
        FIELD(field, unit),
        FIELD(field, kind, .words = pdump_schema_field_kinds),
        FIELD(field, width)) },
    [PDUMP_TABLE_DETAIL_ROWS] = { TABLE(detail_row, 0,
        FIELD(detail_row, thread, OF(THREADS)),
        FIELD(detail_row, node, OF(NODES)),
        FIELD(detail_row, label)) },
    [PDUMP_TABLE_ROWS] = { TABLE(row, 1,
        FIELD(row, thread, OF(THREADS)),
        FIELD(row, node, OF(NODES)),
        FIELD(row, visits),
        PDUMP_SCHEMA_FIELD("open", struct pdump_dump_row, is_open),
        FIELD(row, parent, OF(ROWS))) },
    [PDUMP_TABLE_SAMPLES] = { TABLE(sample, 0,
        FIELD(sample, thread, OF(THREADS)),
        FIELD(sample, node, OF(NODES)),
        FIELD(sample, number),
        FIELD(sample, start)) },
    [PDUMP_TABLE_STATS] = { TABLE(rank_stat, 0,
        FIELD(rank_stat, n),
        FIELD(rank_stat, sum),
        FIELD(rank_stat, min),
        FIELD(rank_stat, max),
        FIELD(rank_stat, sumsq),
        FIELD(rank_stat, rank_of_min),
        FIELD(rank_stat, rank_of_max)) },
};
/* clang-format on */

int64_t pdump_schema_int(const struct pdump_schema_field *field,
                         const void *entry)
{
    const char *at = (const char *)entry + field->at;
    int64_t value;
    int32_t narrow;

    if (field->type == PDUMP_SCHEMA_INT32) {
        memcpy(&narrow, at, sizeof(narrow));
        return narrow;
    }
    memcpy(&value, at, sizeof(value));
    return value;
}

static const char *word_at(const char *const *words, int64_t value)
{
    int64_t n = 0;

    while (words[n] && n != value)
        n++;
    return words[n];
}

const char *pdump_schema_word(const struct pdump_schema_field *field,
                              const void *entry)
{
    return word_at(field->words, pdump_schema_int(field, entry));
}

const char *pdump_schema_value(const struct pdump_schema_field *field,
                               const void *entry, int64_t *number)
{
    if (field->type == PDUMP_SCHEMA_TEXT)
        return pdump_schema_text(field, entry);
    if (field->words)
        return pdump_schema_word(field, entry);
    *number = pdump_schema_int(field, entry);
    if (field->of && *number < 0)
        *number = PDUMP_MISSING;
    return NULL;
}

bool pdump_schema_set_int(const struct pdump_schema_field *field, void *entry,
                          int64_t value)
{
    char *at = (char *)entry + field->at;
    int32_t narrow = (int32_t)value;

    if (field->words && !word_at(field->words, value))
        return false;
    if (field->type == PDUMP_SCHEMA_INT64) {
        memcpy(at, &value, sizeof(value));
        return true;
    }
    if (narrow != value)
        return false;
    memcpy(at, &narrow, sizeof(narrow));
    return true;
}

int pdump_schema_keep(const struct pdump_schema_table *table, void *entry,
                      struct pdump_string_pool *pool)
{
    for (int i = 0; i < table->n_fields; i++) {
        const char *text;

        if (table->fields[i].type != PDUMP_SCHEMA_TEXT)
            continue;
        text = pdump_schema_text(&table->fields[i], entry);
        text = pdump_string_pool_keep(pool, text ? text : "",
                                      text ? strlen(text) : 0);
        if (!text)
            return pdump_no_memory();
        pdump_schema_set_text(&table->fields[i], entry, text);
    }
    return PDUMP_OK;
}

const struct pdump_schema_table *pdump_schema_table(enum pdump_table table)
{
    return &pdump_schema[table];
}

const char *pdump_schema_metric_kind(enum pdump_metric_kind kind)
{
    return pdump_schema_metric_kinds[kind];
}

int pdump_schema_list(const struct pdump_schema_table *table,
                      const struct pdump_dump *dump, const char **entries)
{
    int n;

    memcpy(entries, (const char *)dump + table->list_at, sizeof(*entries));
    memcpy(&n, (const char *)dump + table->count_at, sizeof(n));
    return n;
}
