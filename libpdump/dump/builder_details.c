/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of details of a dump under construction. */
#include "dump/builder_details.h"
#include "base/array.h"
#include "base/string_pool.h"
#include "dump/dump_schema.h"

void pdump_builder_details_free(struct pdump_builder_details *d)
{
    pdump_pair_index_free(&d->rows);
    pdump_pair_index_free(&d->labels);
}

static bool is_like(const struct pdump_dump_detail *a,
                    const struct pdump_dump_detail *b)
{
    if (a->n_fields != b->n_fields)
        return false;
    for (int f = 0; f < a->n_fields; f++)
        if (strcmp(a->fields[f].name, b->fields[f].name) != 0 ||
            a->fields[f].kind != b->fields[f].kind ||
            a->fields[f].width != b->fields[f].width)
            return false;
    return true;
}

static bool is_twice(const struct pdump_dump_detail *like, int f)
{
    for (int i = 0; i < f; i++)
        if (strcmp(like->fields[i].name, like->fields[f].name) == 0)
            return true;
    return false;
}

static int copy_fields(struct pdump_dump *dump,
                       const struct pdump_dump_detail *like,
                       struct pdump_dump_detail *out)
{
    if (like->n_fields < 1 || like->n_fields > PDUMP_BUILDER_DETAILS_VALUES_MAX)
        return pdump_fail(PDUMP_EFORMAT, "table %s has no fields, or too many",
                          like->name);
    out->fields = calloc((size_t)like->n_fields, sizeof(*out->fields));
    if (!out->fields)
        return pdump_no_memory();
    for (int f = 0; f < like->n_fields; f++) {
        struct pdump_dump_field *field = &out->fields[f];

        *field = like->fields[f];
        if (is_twice(like, f))
            return pdump_fail(PDUMP_EFORMAT, "table %s has field %s twice",
                              like->name, field->name);
        if (field->width < 1 ||
            field->width > PDUMP_BUILDER_DETAILS_VALUES_MAX - out->n_values)
            return pdump_fail(PDUMP_EFORMAT, "field %s of table %s is too wide",
                              field->name, like->name);
        if (pdump_schema_keep(&pdump_schema[PDUMP_TABLE_FIELDS], field,
                              dump->text) < 0)
            return PDUMP_ENOMEM;
        out->n_values += field->width;
    }
    out->n_fields = like->n_fields;
    return PDUMP_OK;
}

int pdump_builder_details_add(struct pdump_dump *dump,
                              const struct pdump_dump_detail *like)
{
    const struct pdump_dump_detail *old =
        pdump_dump_find_detail(dump, like->name);
    struct pdump_dump_detail new = { .name = like->name,
                                     .about = like->about,
                                     .key = like->key };
    int err;

    if (old)
        return is_like(old, like)
                   ? (int)(old - dump->details)
                   : pdump_fail(PDUMP_EFORMAT,
                                "table %s has other fields elsewhere",
                                like->name);
    err =
        pdump_schema_keep(&pdump_schema[PDUMP_TABLE_DETAILS], &new, dump->text);
    if (err == PDUMP_OK)
        err = pdump_array_make(&dump->details, dump->n_details, sizeof(new));
    if (err == PDUMP_OK)
        err = copy_fields(dump, like, &new);
    if (err < 0) {
        free(new.fields);
        return err;
    }
    dump->details[dump->n_details] = new;
    return dump->n_details++;
}

void pdump_builder_details_unite(const struct pdump_dump_detail *detail,
                                 int64_t *values, const int64_t *more)
{
    for (int f = 0; f < detail->n_fields; f++)
        for (int i = 0; i < detail->fields[f].width; i++, values++, more++)
            *values =
                pdump_field_united(detail->fields[f].kind, *values, *more);
}

static int label_of(struct pdump_builder_details *d, struct pdump_dump *dump,
                    int at, const char *text)
{
    struct pdump_dump_detail *detail = &dump->details[at];
    const char *kept = pdump_string_pool_keep(dump->text, text ? text : "",
                                              text ? strlen(text) : 0);
    int64_t old;
    int err;

    if (!kept)
        return pdump_no_memory();
    old = pdump_pair_index_find(&d->labels, (int64_t)(intptr_t)kept, at);
    if (old >= 0)
        return (int)old;
    err = pdump_array_make(&detail->labels, detail->n_labels,
                           sizeof(*detail->labels));
    if (err == PDUMP_OK)
        err = pdump_pair_index_put(&d->labels, (int64_t)(intptr_t)kept, at,
                                   detail->n_labels);
    if (err < 0)
        return err;
    detail->labels[detail->n_labels] = kept;
    return detail->n_labels++;
}

static int new_row(struct pdump_dump_detail *detail,
                   const struct pdump_dump_detail_row *row,
                   const int64_t *values)
{
    size_t size = (size_t)detail->n_values * sizeof(*values);
    int err =
        pdump_array_make(&detail->rows, detail->n_rows, sizeof(*detail->rows));

    if (err == PDUMP_OK)
        err = pdump_array_make(&detail->values, detail->n_rows, size);
    if (err < 0)
        return err;
    memcpy(detail->values + detail->n_rows * detail->n_values, values, size);
    detail->rows[detail->n_rows++] = *row;
    return PDUMP_OK;
}

static int64_t bytes_of(const struct pdump_dump_detail *detail)
{
    return (int64_t)sizeof(*detail->rows) + detail->n_values * 8;
}

int64_t pdump_builder_details_bytes(const struct pdump_dump_detail *detail)
{
    int64_t n = detail->n_rows * bytes_of(detail);

    for (int i = 0; i < detail->n_labels; i++)
        n += (int64_t)strlen(detail->labels[i]) + 1;
    return n;
}

/* Computes the two keys of a row in the index. */
static void keys_of(int at, const struct pdump_dump_detail_row *row,
                    int64_t keys[2])
{
    keys[0] = (int64_t)((uint64_t)row->thread << 32 | (uint32_t)row->node);
    keys[1] = (int64_t)at << 32 | (uint32_t)row->label;
}

/* Returns true if a row with this place exists.  Does not store the label. */
static bool is_there(const struct pdump_builder_details *d,
                     const struct pdump_dump *dump, int at,
                     const struct pdump_builder_details_place *place)
{
    const char *kept =
        pdump_string_pool_find(dump->text, place->label, strlen(place->label));
    struct pdump_dump_detail_row row = { .thread = place->thread,
                                         .node = place->node };
    int64_t keys[2];

    if (!kept)
        return false;
    row.label =
        (int)pdump_pair_index_find(&d->labels, (int64_t)(intptr_t)kept, at);
    keys_of(at, &row, keys);
    return row.label >= 0 &&
           pdump_pair_index_find(&d->rows, keys[0], keys[1]) >= 0;
}

static int add_row(struct pdump_builder_details *d, struct pdump_dump *dump,
                   int at, const struct pdump_builder_details_place *place,
                   const int64_t *values)
{
    struct pdump_dump_detail *detail = &dump->details[at];
    struct pdump_dump_detail_row row = {
        .thread = place->thread,
        .node = place->node,
        .label = label_of(d, dump, at, place->label),
    };
    int64_t keys[2], old;

    if (row.label < 0)
        return row.label;
    keys_of(at, &row, keys);
    old = pdump_pair_index_find(&d->rows, keys[0], keys[1]);
    if (old >= 0) {
        pdump_builder_details_unite(
            detail, detail->values + old * detail->n_values, values);
        return PDUMP_OK;
    }
    if (pdump_pair_index_put(&d->rows, keys[0], keys[1], detail->n_rows) < 0)
        return PDUMP_ENOMEM;
    d->n_bytes += bytes_of(detail) + (int64_t)strlen(place->label);
    return new_row(detail, &row, values);
}

int pdump_builder_details_row(struct pdump_builder_details *d,
                              struct pdump_dump *dump, int at,
                              const struct pdump_builder_details_place *place,
                              const int64_t *values)
{
    struct pdump_builder_details_place other = { place->thread, place->node,
                                                 PDUMP_BUILDER_DETAILS_OTHER };
    int err;

    if (at < 0 || at >= dump->n_details || place->thread < -1 ||
        place->thread >= dump->n_threads || place->node < -1 ||
        place->node >= dump->n_nodes)
        return pdump_fail(PDUMP_EINVAL, "no table %d, thread %d or node %d", at,
                          place->thread, place->node);
    if (d->max == 0 || d->n_bytes < d->max || is_there(d, dump, at, place))
        return add_row(d, dump, at, place, values);
    err = add_row(d, dump, at, &other, values);
    return err < 0 ? err : 1;
}
