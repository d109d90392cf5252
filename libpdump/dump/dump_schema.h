/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of a dump as lists of fields.  Code that copies whole entries, or
 * writes and reads each field under its name, walks these lists: a new field is
 * one row in dump_schema.c.
 *
 * Not here: values per metric (struct pdump_dump_column), the values of
 * details, and events.
 */
#ifndef PDUMP_DUMP_SCHEMA_H
#define PDUMP_DUMP_SCHEMA_H

#include "base/string_pool.h"
#include "dump/dump.h"

#include <stddef.h>
#include <string.h>

enum pdump_schema_type {
    PDUMP_SCHEMA_BYTE, /* bool */
    PDUMP_SCHEMA_INT32,
    PDUMP_SCHEMA_INT64,
    PDUMP_SCHEMA_REAL, /* double */
    PDUMP_SCHEMA_TEXT, /* const char * */
};

struct pdump_schema_field {
    const char *name;
    enum pdump_schema_type type;
    size_t at; /* offset in the structure */
    /* Names of the values 0, 1 ... of an enumeration, then NULL.  NULL for
     * other types. */
    const char *const *words;
    /* The table that the value is an index of; negative: no entry.  NULL for
     * other fields. */
    const struct pdump_schema_table *of;
};

/* clang-format off */
/* One row: the field's name, and where it is.  The arguments after it set
 * `words` or `of`. */
#define PDUMP_SCHEMA_FIELD(key, structure, field, ...) \
    { .name = key, .at = offsetof(structure, field), \
      .type = _Generic(((structure *)0)->field, \
                       bool: PDUMP_SCHEMA_BYTE, \
                       unsigned char: PDUMP_SCHEMA_BYTE, \
                       int: PDUMP_SCHEMA_INT32, \
                       unsigned: PDUMP_SCHEMA_INT32, /* enumerations */ \
                       int64_t: PDUMP_SCHEMA_INT64, \
                       double: PDUMP_SCHEMA_REAL, \
                       const char *: PDUMP_SCHEMA_TEXT), \
      __VA_ARGS__ }
/* clang-format on */

struct pdump_schema_table {
    const char *name; /* of one entry */
    size_t size;      /* of the structure */
    const struct pdump_schema_field *fields;
    int n_fields;
    int n_stored;    /* the builder computes the fields after these */
    size_t list_at;  /* offset of the list in struct pdump_dump */
    size_t count_at; /* of its length, an int; 0: pdump_dump has no such list */
};

/* A table whose entries refer to another table comes after that table. */
enum pdump_table {
    PDUMP_TABLE_METRICS,
    PDUMP_TABLE_REGIONS,
    PDUMP_TABLE_NODES,
    PDUMP_TABLE_PROCESSES,
    PDUMP_TABLE_THREADS,
    PDUMP_TABLE_METADATA,
    PDUMP_TABLE_WARNINGS,
    PDUMP_TABLE_DETAILS, /* without fields, labels and rows */
    PDUMP_TABLE_FIELDS,  /* of a table of details */
    PDUMP_TABLE_DETAIL_ROWS,
    PDUMP_TABLE_ROWS,
    PDUMP_TABLE_SAMPLES,
    PDUMP_TABLE_STATS, /* over ranks, of a metric */
    PDUMP_TABLES,
};
extern const struct pdump_schema_table pdump_schema[PDUMP_TABLES];

/* The same for modules.  The array itself is not exported, because the library
 * would then reach it through the loader's tables, too. */
PDUMP_SHARED const struct pdump_schema_table *pdump_schema_table(
    enum pdump_table table);

enum { PDUMP_SCHEMA_FIELDS_MAX = 8 }; /* of any table */

/* Names of the values of enum pdump_metric_kind and pdump_field_kind. */
extern const char *const pdump_schema_metric_kinds[];
extern const char *const pdump_schema_field_kinds[];
PDUMP_SHARED const char *pdump_schema_metric_kind(enum pdump_metric_kind kind);

/* An entry of any table that struct pdump_dump has as a list. */
union pdump_schema_entry {
    struct pdump_dump_metric metric;
    struct pdump_dump_region region;
    struct pdump_dump_node node;
    struct pdump_dump_process process;
    struct pdump_dump_thread thread;
    struct pdump_dump_pair pair;
    struct pdump_dump_warning warning;
    struct pdump_dump_detail detail;
};

static inline size_t pdump_schema_size(enum pdump_schema_type type)
{
    return type == PDUMP_SCHEMA_BYTE ? 1 : type == PDUMP_SCHEMA_INT32 ? 4 : 8;
}

/* Get or set a field that is a text. */
static inline const char *pdump_schema_text(
    const struct pdump_schema_field *field, const void *entry)
{
    const char *text;

    memcpy(&text, (const char *)entry + field->at, sizeof(text));
    return text;
}

static inline void pdump_schema_set_text(const struct pdump_schema_field *field,
                                         void *entry, const char *text)
{
    memcpy((char *)entry + field->at, &text, sizeof(text));
}

/* Get or set a field that is an INT32 or INT64.  The second returns false, and
 * sets nothing, if the value does not fit or is not in the enumeration. */
int64_t pdump_schema_int(const struct pdump_schema_field *field,
                         const void *entry);
bool pdump_schema_set_int(const struct pdump_schema_field *field, void *entry,
                          int64_t value);

/* Returns the name of an enumeration's value; NULL if it is none. */
const char *pdump_schema_word(const struct pdump_schema_field *field,
                              const void *entry);

/* Gets a field for a format of text: returns its text, or the name of its
 * value; or NULL, and *number is its integer, PDUMP_MISSING for "no entry". */
const char *pdump_schema_value(const struct pdump_schema_field *field,
                               const void *entry, int64_t *number);

/* Replaces every text of an entry by the pool's copy, and NULL by "". */
int pdump_schema_keep(const struct pdump_schema_table *table, void *entry,
                      struct pdump_string_pool *pool);

/* Returns the number of a table's entries, and the first one: const char, so
 * that `table->size` leads to the next. */
PDUMP_SHARED int pdump_schema_list(const struct pdump_schema_table *table,
                                   const struct pdump_dump *dump,
                                   const char **entries);

#endif
