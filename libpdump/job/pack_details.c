/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs tables of details.  Most values of a row are empty (bins of
 * histograms), so a bit mask says which ones follow. */
#include "dump/builder_details.h"
#include "job/pack_dump.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORD = 64 }; /* bits */

static int details_broken(void)
{
    return pdump_fail(PDUMP_EFORMAT, "a message of another rank is damaged");
}

/* Returns a row in which nothing was counted.  Given: free(). */
static int64_t *empty_row(const struct pdump_dump_detail *detail)
{
    int64_t *row = malloc(((size_t)detail->n_values + 1) * sizeof(*row));
    int at = 0;

    for (int f = 0; row && f < detail->n_fields; f++)
        for (int i = 0; i < detail->fields[f].width; i++)
            row[at++] = pdump_field_nothing(detail->fields[f].kind);
    return row;
}

static void pack_values(struct pdump_pack *p, const int64_t *values,
                        const int64_t *empty, int n)
{
    for (int first = 0; first < n; first += WORD) {
        uint64_t bits = 0;

        for (int i = first; i < n && i < first + WORD; i++)
            bits |= (uint64_t)(values[i] != empty[i]) << (i - first);
        pdump_pack_int(p, (int64_t)bits);
        for (int i = first; i < n && i < first + WORD; i++)
            if (values[i] != empty[i])
                pdump_pack_int(p, values[i]);
    }
}

static void pack_table(struct pdump_pack *p,
                       const struct pdump_dump_detail *detail)
{
    int64_t *empty = empty_row(detail);

    p->is_bad = p->is_bad || !empty;
    pdump_pack_entry(p, &pdump_schema[PDUMP_TABLE_DETAILS], detail);
    pdump_pack_int(p, detail->n_fields);
    for (int f = 0; f < detail->n_fields; f++)
        pdump_pack_entry(p, &pdump_schema[PDUMP_TABLE_FIELDS],
                         &detail->fields[f]);
    pdump_pack_int(p, detail->n_labels);
    for (int i = 0; i < detail->n_labels; i++)
        pdump_pack_text(p, detail->labels[i]);
    pdump_pack_int(p, detail->n_rows);
    for (int64_t i = 0; !p->is_bad && i < detail->n_rows; i++) {
        pdump_pack_bytes(p, &detail->rows[i], sizeof(detail->rows[i]));
        pack_values(p, detail->values + i * detail->n_values, empty,
                    detail->n_values);
    }
    free(empty);
}

void pdump_pack_details(struct pdump_pack *p, const struct pdump_dump *dump,
                        bool has_warnings)
{
    pdump_pack_int(p, dump->n_details);
    for (int i = 0; i < dump->n_details; i++)
        pack_table(p, &dump->details[i]);
    pdump_pack_int(p, has_warnings ? dump->n_warnings : 0);
    for (int i = 0; has_warnings && i < dump->n_warnings; i++)
        pdump_pack_entry(p, &pdump_schema[PDUMP_TABLE_WARNINGS],
                         &dump->warnings[i]);
}

/* A table while it is unpacked into the builder. */
struct table {
    struct pdump_dump_detail like; /* its strings are in the message */
    int number;                    /* in the builder; -1: left out */
    int first_thread;              /* or -1 */
    int64_t *empty;
    int64_t *values;
    int64_t n_other; /* rows that exceeded the limit */
};

static int unpack_fields(struct pdump_unpack *u, struct pdump_dump_detail *like)
{
    int64_t n = pdump_unpack_int(u);

    if (u->is_bad || n < 1 || n > PDUMP_BUILDER_DETAILS_VALUES_MAX)
        return details_broken();
    like->fields = calloc((size_t)n, sizeof(*like->fields));
    if (!like->fields)
        return pdump_no_memory();
    like->n_fields = (int)n;
    for (int f = 0; f < like->n_fields; f++) {
        struct pdump_dump_field *field = &like->fields[f];

        pdump_unpack_entry(u, &pdump_schema[PDUMP_TABLE_FIELDS], field);
        if (u->is_bad || field->kind > PDUMP_FIELD_REAL || field->width < 1 ||
            field->width > PDUMP_BUILDER_DETAILS_VALUES_MAX - like->n_values)
            return details_broken();
        like->n_values += field->width;
    }
    return PDUMP_OK;
}

static int unpack_labels(struct pdump_unpack *u, struct pdump_dump_detail *like)
{
    int64_t n = pdump_unpack_int(u);

    if (u->is_bad || n < 0 || n > u->end - u->at)
        return details_broken();
    like->labels = calloc((size_t)n + 1, sizeof(*like->labels));
    if (!like->labels)
        return pdump_no_memory();
    like->n_labels = (int)n;
    for (int i = 0; i < like->n_labels; i++)
        like->labels[i] = pdump_unpack_text(u);
    return u->is_bad ? details_broken() : PDUMP_OK;
}

static void unpack_values(struct pdump_unpack *u, struct table *t)
{
    int n = t->like.n_values;

    for (int first = 0; first < n; first += WORD) {
        uint64_t bits = (uint64_t)pdump_unpack_int(u);

        for (int i = first; i < n && i < first + WORD; i++)
            t->values[i] =
                bits >> (i - first) & 1 ? pdump_unpack_int(u) : t->empty[i];
    }
}

static int unpack_row(struct pdump_unpack *u, struct pdump_builder *b,
                      struct table *t)
{
    const struct pdump_dump_detail_row *row =
        pdump_unpack_bytes(u, sizeof(*row));
    struct pdump_builder_details_place place;
    int err;

    unpack_values(u, t);
    if (u->is_bad || row->label < 0 || row->label >= t->like.n_labels)
        return details_broken();
    place = (struct pdump_builder_details_place){ -1, row->node,
                                                  t->like.labels[row->label] };
    if (t->first_thread >= 0 && row->thread >= 0)
        place.thread = t->first_thread + row->thread;
    if (t->number < 0)
        return PDUMP_OK;
    err = pdump_builder_detail_row(b, t->number, &place, t->values);
    t->n_other += err > 0;
    return err < 0 ? err : PDUMP_OK;
}

static int unpack_rows(struct pdump_unpack *u, struct pdump_builder *b,
                       struct table *t)
{
    int64_t n = pdump_unpack_int(u);
    int err = u->is_bad || n < 0 ? details_broken() : PDUMP_OK;

    for (int64_t i = 0; err >= 0 && i < n; i++)
        err = unpack_row(u, b, t);
    return err;
}

/* Finds the table in the builder, or adds a warning. */
static int find_place(struct pdump_builder *b, struct table *t)
{
    char text[160];

    t->number = pdump_builder_detail(b, &t->like);
    if (t->number != PDUMP_EFORMAT)
        return t->number < 0 ? t->number : PDUMP_OK;
    t->number = -1;
    snprintf(text, sizeof(text), PDUMP_BUILDER_DETAILS_REFUSED, t->like.name);
    return pdump_builder_warning(b, text, 1);
}

static int unpack_table(struct pdump_unpack *u, struct pdump_builder *b,
                        int first_thread)
{
    struct table t = { .first_thread = first_thread };
    int err;

    pdump_unpack_entry(u, &pdump_schema[PDUMP_TABLE_DETAILS], &t.like);
    err = unpack_fields(u, &t.like);
    if (err >= 0)
        err = unpack_labels(u, &t.like);
    if (err >= 0)
        err = find_place(b, &t);
    if (err >= 0) {
        t.empty = empty_row(&t.like);
        t.values = empty_row(&t.like);
        err = t.empty && t.values ? unpack_rows(u, b, &t) : pdump_no_memory();
    }
    if (err >= 0 && t.n_other > 0)
        err = pdump_builder_warning(
            b, "details without room for their labels, now (other)", t.n_other);
    free(t.empty);
    free(t.values);
    free(t.like.labels);
    free(t.like.fields);
    return err;
}

int pdump_unpack_details(struct pdump_unpack *u, struct pdump_builder *b,
                         int first_thread)
{
    int64_t n = pdump_unpack_int(u);
    int err = PDUMP_OK;

    for (int64_t i = 0; err >= 0 && !u->is_bad && i < n; i++)
        err = unpack_table(u, b, first_thread);
    n = pdump_unpack_int(u);
    for (int64_t i = 0; err >= 0 && !u->is_bad && i < n; i++) {
        struct pdump_dump_warning warning;

        pdump_unpack_entry(u, &pdump_schema[PDUMP_TABLE_WARNINGS], &warning);
        err = pdump_builder_add(b, PDUMP_TABLE_WARNINGS, &warning);
    }
    return u->is_bad ? details_broken() : err;
}
