/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the details of a node to rows of the dump's tables. */
#include "record/symbols.h"
#include "snapshot/snapshot_private.h"

#include <stdio.h>
#include <string.h>

enum { SITE_MAX = PDUMP_PLACE_MAX };

static int details_damaged(void)
{
    return pdump_fail(PDUMP_EFORMAT,
                      "the store is damaged: a table of details is wrong");
}

/* Copies of the strings of a record, which end even if the record is
 * damaged. */
struct names {
    char name[sizeof(((struct pdump_table_record *)0)->name) + 1];
    char key[sizeof(((struct pdump_table_record *)0)->key) + 1];
    char about[sizeof(((struct pdump_table_record *)0)->about) + 1];
    struct {
        char name[sizeof(((struct pdump_table_field *)0)->name) + 1];
        char unit[sizeof(((struct pdump_table_field *)0)->unit) + 1];
    } field[PDUMP_DETAIL_FIELDS_MAX];
};

#define COPY(to, from) snprintf(to, sizeof(to), "%.*s", (int)sizeof(from), from)

static int add_table(struct pdump_snapshot *s,
                     const struct pdump_table_record *rec)
{
    struct pdump_dump_field fields[PDUMP_DETAIL_FIELDS_MAX];
    struct pdump_dump_detail detail = { .fields = fields,
                                        .n_fields = (int)rec->n_fields };
    struct names names;
    uint32_t n_values = 0;

    if (rec->n_fields < 1 || rec->n_fields > PDUMP_DETAIL_FIELDS_MAX ||
        !rec->name[0])
        return details_damaged();
    COPY(names.name, rec->name);
    COPY(names.key, rec->key);
    COPY(names.about, rec->about);
    for (uint32_t f = 0; f < rec->n_fields; f++) {
        const struct pdump_table_field *field = &rec->fields[f];

        if (field->kind > PDUMP_FIELD_REAL || field->width < 1 ||
            field->width > PDUMP_DETAIL_WORDS_MAX)
            return details_damaged();
        COPY(names.field[f].name, field->name);
        COPY(names.field[f].unit, field->unit);
        fields[f] = (struct pdump_dump_field){
            .name = names.field[f].name,
            .unit = names.field[f].unit,
            .kind = (enum pdump_field_kind)field->kind,
            .width = (int)field->width,
        };
        n_values += field->width;
    }
    if (n_values != rec->n_values || n_values > PDUMP_DETAIL_WORDS_MAX)
        return details_damaged();
    detail.name = names.name;
    detail.key = names.key;
    detail.about = names.about;
    return pdump_builder_detail(s->builder, &detail);
}

/* Converts ticks to nanoseconds; a missing value stays missing. */
static int64_t in_ns(const struct pdump_table_field *field, double scale,
                     int64_t value)
{
    if (!field->is_ticks || scale == 1.0)
        return value;
    if (field->kind == PDUMP_FIELD_REAL)
        return pdump_field_bits(pdump_field_real(value) * scale * scale);
    if ((field->kind == PDUMP_FIELD_MIN && value == INT64_MAX) ||
        (field->kind == PDUMP_FIELD_MAX && value == INT64_MIN))
        return value;
    return pdump_snapshot_scaled(scale, value);
}

/* A row whose values are all initial was never used, because its visit was
 * rewound. */
static bool is_empty(const struct pdump_table_record *table,
                     const int64_t *values)
{
    for (uint32_t f = 0; f < table->n_fields; f++)
        for (uint32_t i = 0; i < table->fields[f].width; i++, values++)
            if (*values != pdump_field_nothing(
                               (enum pdump_field_kind)table->fields[f].kind))
                return false;
    return true;
}

/* Returns "file.c:12 (function)" in `buf` for a place in code, otherwise the
 * text itself. */
static const char *name_site(struct pdump_snapshot *s, const char *text,
                             char *buf, size_t len)
{
    struct pdump_symbol symbol;

    if (!strstr(text, "+0x"))
        return text;
    pdump_snapshot_name(s, text, buf, len, &symbol);
    if (symbol.line > 0)
        snprintf(buf, len, "%s:%d (%s)", symbol.file, symbol.line,
                 symbol.function);
    return buf;
}

static int add_row(struct pdump_snapshot *s,
                   const struct pdump_table_record *table,
                   const struct pdump_builder_details_place *place,
                   int64_t *values)
{
    int detail, at = 0;

    if (is_empty(table, values))
        return PDUMP_OK;
    detail = add_table(s, table);
    if (detail < 0)
        return detail;
    for (uint32_t f = 0; f < table->n_fields; f++)
        for (uint32_t i = 0; i < table->fields[f].width; i++, at++)
            values[at] = in_ns(&table->fields[f], s->scale[0], values[at]);
    return pdump_builder_detail_row(s->builder, detail, place, values);
}

int pdump_snapshot_details(struct pdump_snapshot *s,
                           struct pdump_thread_record *thread, int index,
                           uint32_t ref, int node)
{
    const struct pdump_node *owner = pdump_store_at(s->base, ref);
    const struct pdump_detail_record *rec;
    int err = PDUMP_OK;

    for (ref = atomic_load_explicit(&owner->details, memory_order_acquire);
         ref && err >= 0; ref = rec->next) {
        struct pdump_builder_details_place place = { .thread = index,
                                                     .node = node };
        int64_t values[PDUMP_DETAIL_WORDS_MAX];
        const struct pdump_table_record *table;
        char site[SITE_MAX];

        if (!pdump_snapshot_step(s))
            return PDUMP_EFORMAT;
        rec = pdump_store_at(s->base, ref);
        table = pdump_store_at(s->base, rec->table);
        /* In a truncated store, records beyond the end are zeroes. */
        if (!rec->table || !rec->label || !table->n_values)
            continue;
        if (table->n_values > PDUMP_DETAIL_WORDS_MAX ||
            table->n_fields > PDUMP_DETAIL_FIELDS_MAX)
            return details_damaged();
        place.label = pdump_store_at(s->base, rec->label);
        if (table->has_sites)
            place.label = name_site(s, place.label, site, sizeof(site));
        pdump_snapshot_copy(
            s->base, thread,
            ref + (uint32_t)offsetof(struct pdump_detail_record, figures) / 8,
            table->n_values, values);
        err = add_row(s, table, &place, values);
    }
    return err;
}
