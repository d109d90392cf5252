/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs the tables and rows of a dump. */
#include "job/pack_dump.h"

#include <stdlib.h>
#include <string.h>

static int tables_broken(void)
{
    return pdump_fail(PDUMP_EFORMAT, "a message of another rank is damaged");
}

void pdump_pack_entry(struct pdump_pack *p,
                      const struct pdump_schema_table *table, const void *entry)
{
    for (int i = 0; i < table->n_stored; i++) {
        const struct pdump_schema_field *field = &table->fields[i];

        if (field->type == PDUMP_SCHEMA_TEXT)
            pdump_pack_text(p, pdump_schema_text(field, entry));
        else
            pdump_pack_bytes(p, (const char *)entry + field->at,
                             pdump_schema_size(field->type));
    }
}

void pdump_unpack_entry(struct pdump_unpack *u,
                        const struct pdump_schema_table *table, void *entry)
{
    memset(entry, 0, table->size);
    for (int i = 0; i < table->n_stored; i++) {
        const struct pdump_schema_field *field = &table->fields[i];
        size_t size = pdump_schema_size(field->type);
        const void *bytes;

        if (field->type == PDUMP_SCHEMA_TEXT)
            pdump_schema_set_text(field, entry, pdump_unpack_text(u));
        else if ((bytes = pdump_unpack_bytes(u, size)))
            memcpy((char *)entry + field->at, bytes, size);
    }
}

static void pack_list(struct pdump_pack *p, enum pdump_table table,
                      const struct pdump_dump *dump)
{
    const char *entry;
    int n = pdump_schema_list(&pdump_schema[table], dump, &entry);

    pdump_pack_int(p, n);
    for (int i = 0; i < n; i++, entry += pdump_schema[table].size)
        pdump_pack_entry(p, &pdump_schema[table], entry);
}

/* The numbers that the entries of a message got in the builder. */
struct unpacking {
    struct pdump_unpack *u;
    struct pdump_builder *b;
    int *number[PDUMP_TABLES];
    int64_t n[PDUMP_TABLES]; /* so far */
};

/* Translates the fields that refer to other entries.  These must be known. */
static bool numbers_translate(const struct unpacking *x, enum pdump_table table,
                              void *entry)
{
    for (int i = 0; i < pdump_schema[table].n_stored; i++) {
        const struct pdump_schema_field *field = &pdump_schema[table].fields[i];
        ptrdiff_t of;
        int64_t old;

        if (!field->of)
            continue;
        of = field->of - pdump_schema;
        old = pdump_schema_int(field, entry);
        if (old >= x->n[of])
            return false;
        pdump_schema_set_int(field, entry, old < 0 ? -1 : x->number[of][old]);
    }
    return true;
}

/* Metadata of the first process that has a key count, except for sums. */
static int add_entry(struct unpacking *x, enum pdump_table table,
                     const union pdump_schema_entry *entry)
{
    return table == PDUMP_TABLE_METADATA
               ? pdump_builder_metadata_more(x->b, entry->pair.key,
                                             entry->pair.value)
               : pdump_builder_add(x->b, table, entry);
}

static int unpack_list(struct unpacking *x, enum pdump_table table)
{
    int64_t n = pdump_unpack_int(x->u);
    union pdump_schema_entry entry;

    if (x->u->is_bad || n < 0 || n > x->u->end - x->u->at)
        return tables_broken();
    x->number[table] = malloc(((size_t)n + 1) * sizeof(*x->number[table]));
    if (!x->number[table])
        return pdump_no_memory();
    while (x->n[table] < n) {
        int at;

        pdump_unpack_entry(x->u, &pdump_schema[table], &entry);
        if (x->u->is_bad || !numbers_translate(x, table, &entry))
            return tables_broken();
        at = add_entry(x, table, &entry);
        if (at < 0)
            return at;
        x->number[table][x->n[table]++] = at;
    }
    return PDUMP_OK;
}

/* Packs or unpacks all lists from `first` to `last`. */
static void pack_lists(struct pdump_pack *p, const struct pdump_dump *dump,
                       enum pdump_table first, enum pdump_table last)
{
    for (enum pdump_table t = first; t <= last; t++)
        pack_list(p, t, dump);
}

static int unpack_lists(struct pdump_unpack *u, struct pdump_builder *b,
                        enum pdump_table first, enum pdump_table last)
{
    struct unpacking x = { .u = u, .b = b };
    int err = PDUMP_OK;

    for (enum pdump_table t = first; err == PDUMP_OK && t <= last; t++)
        err = unpack_list(&x, t);
    for (int t = 0; t < PDUMP_TABLES; t++)
        free(x.number[t]);
    return err;
}

void pdump_pack_tree(struct pdump_pack *p, const struct pdump_dump *dump)
{
    pack_lists(p, dump, PDUMP_TABLE_METRICS, PDUMP_TABLE_NODES);
}

int pdump_unpack_tree(struct pdump_unpack *u, struct pdump_builder *b)
{
    return unpack_lists(u, b, PDUMP_TABLE_METRICS, PDUMP_TABLE_NODES);
}

void pdump_pack_processes(struct pdump_pack *p, const struct pdump_dump *dump)
{
    pack_lists(p, dump, PDUMP_TABLE_PROCESSES, PDUMP_TABLE_WARNINGS);
}

int pdump_unpack_processes(struct pdump_unpack *u, struct pdump_builder *b)
{
    return unpack_lists(u, b, PDUMP_TABLE_PROCESSES, PDUMP_TABLE_WARNINGS);
}

void pdump_pack_rows(struct pdump_pack *p, const struct pdump_dump *dump)
{
    size_t rows = (size_t)dump->n_rows, samples = (size_t)dump->n_samples;

    pdump_pack_int(p, dump->n_rows);
    pdump_pack_int(p, dump->n_samples);
    pdump_pack_bytes(p, dump->rows, rows * sizeof(*dump->rows));
    pdump_pack_bytes(p, dump->samples, samples * sizeof(*dump->samples));
    for (int m = 0; m < dump->n_metrics; m++) {
        const struct pdump_dump_column *c = &dump->columns[m];

        pdump_pack_bytes(p, c->sum, rows * sizeof(*c->sum));
        pdump_pack_bytes(p, c->min, rows * sizeof(*c->min));
        pdump_pack_bytes(p, c->max, rows * sizeof(*c->max));
        pdump_pack_bytes(p, c->sumsq, rows * sizeof(*c->sumsq));
        pdump_pack_bytes(p, c->exclusive, rows * sizeof(*c->exclusive));
        pdump_pack_bytes(p, dump->sample_values[m], samples * sizeof(int64_t));
    }
    pdump_pack_int(p, dump->n_lanes);
    pdump_pack_bytes(p, dump->lanes,
                     (size_t)dump->n_lanes * sizeof(*dump->lanes));
    for (int i = 0; i < dump->n_lanes; i++)
        pdump_pack_bytes(p, dump->lanes[i].bytes,
                         (size_t)dump->lanes[i].n_bytes);
}

/* Numbers in a message are used as indexes: checks that none is out of
 * range. */
static bool threads_renumber(struct pdump_dump *piece, int first_thread)
{
    for (int64_t i = 0; i < piece->n_rows; i++) {
        struct pdump_dump_row *row = &piece->rows[i];

        row->thread += first_thread;
        if (row->thread < first_thread || row->thread >= piece->n_threads ||
            row->node < 0 || row->node >= piece->n_nodes || row->parent >= i)
            return false;
    }
    for (int64_t i = 0; i < piece->n_samples; i++) {
        struct pdump_dump_sample *sample = &piece->samples[i];

        sample->thread += first_thread;
        if (sample->thread < first_thread ||
            sample->thread >= piece->n_threads || sample->node < 0 ||
            sample->node >= piece->n_nodes)
            return false;
    }
    return true;
}

/* The content of events is checked by their reader. */
static bool unpack_lanes(struct pdump_unpack *u, int first_thread,
                         struct pdump_dump *piece)
{
    int64_t n = pdump_unpack_int(u);

    if (n < 0 || n > u->end - u->at)
        return false;
    piece->n_lanes = (int)n;
    piece->lanes =
        (void *)pdump_unpack_bytes(u, (size_t)n * sizeof(*piece->lanes));
    for (int i = 0; !u->is_bad && i < piece->n_lanes; i++) {
        struct pdump_dump_lane *lane = &piece->lanes[i];

        lane->thread += first_thread;
        if (lane->thread < first_thread || lane->thread >= piece->n_threads ||
            lane->n_bytes < 0 || lane->n_bytes > u->end - u->at)
            return false;
        lane->bytes = (void *)pdump_unpack_bytes(u, (size_t)lane->n_bytes);
        lane->room = lane->n_bytes;
    }
    return true;
}

int pdump_unpack_rows(struct pdump_unpack *u, int first_thread,
                      struct pdump_dump *piece)
{
    int64_t n_rows = pdump_unpack_int(u), n_samples = pdump_unpack_int(u);
    size_t rows = (size_t)n_rows, samples = (size_t)n_samples;

    if (n_rows < 0 || n_samples < 0 || n_rows > u->end - u->at ||
        n_samples > u->end - u->at)
        return tables_broken();
    piece->n_rows = n_rows;
    piece->n_samples = n_samples;
    /* The buffer was allocated for this message, so it may be changed. */
    piece->rows = (void *)pdump_unpack_bytes(u, rows * sizeof(*piece->rows));
    piece->samples =
        (void *)pdump_unpack_bytes(u, samples * sizeof(*piece->samples));
    for (int m = 0; m < piece->n_metrics; m++) {
        struct pdump_dump_column *c = &piece->columns[m];

        c->sum = (void *)pdump_unpack_bytes(u, rows * sizeof(*c->sum));
        c->min = (void *)pdump_unpack_bytes(u, rows * sizeof(*c->min));
        c->max = (void *)pdump_unpack_bytes(u, rows * sizeof(*c->max));
        c->sumsq = (void *)pdump_unpack_bytes(u, rows * sizeof(*c->sumsq));
        c->exclusive =
            (void *)pdump_unpack_bytes(u, rows * sizeof(*c->exclusive));
        piece->sample_values[m] =
            (void *)pdump_unpack_bytes(u, samples * sizeof(int64_t));
    }
    return u->is_bad || !threads_renumber(piece, first_thread) ||
                   !unpack_lanes(u, first_thread, piece) || u->is_bad
               ? tables_broken()
               : PDUMP_OK;
}
