/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups the rows of a table of details. */
#include "report/view/detail_groups.h"
#include "base/array.h"
#include "dump/builder_details.h"

static int rank_of(const struct pdump_dump *dump, int thread)
{
    return thread < 0 ? -1
                      : dump->processes[dump->threads[thread].process].rank;
}

static struct pdump_detail_group group_of(
    const struct pdump_dump *dump, const struct pdump_dump_detail_row *row,
    unsigned keys)
{
    struct pdump_detail_group g = { -1, -1, -1, -1, -1, 0, NULL };
    const struct pdump_dump_node *node =
        row->node < 0 ? NULL : &dump->nodes[row->node];

    if (keys & PDUMP_BY_RANK)
        g.rank = rank_of(dump, row->thread);
    if (keys & PDUMP_BY_NODE)
        g.node = row->node;
    if (node && (keys & (PDUMP_BY_CALLER | PDUMP_BY_NODE)))
        g.caller = node->parent;
    if (node && (keys & (PDUMP_BY_REGION | PDUMP_BY_NODE)))
        g.region = node->region;
    if (keys & PDUMP_BY_LABEL)
        g.label = row->label;
    return g;
}

static int64_t pair_key(int a, int b)
{
    return (int64_t)((uint64_t)(uint32_t)a << 32 | (uint32_t)b);
}

/* If the node is a key, caller and region follow from it. */
static int64_t place_of(const struct pdump_detail_group *g, unsigned keys)
{
    return keys & PDUMP_BY_NODE ? pair_key(g->node, -1)
                                : pair_key(g->caller, g->region);
}

static int add_group(struct pdump_detail_groups *view,
                     const struct pdump_detail_group *group,
                     const int64_t *values)
{
    size_t size = (size_t)view->detail->n_values * sizeof(*values);
    int err = pdump_array_make(&view->groups, view->n, sizeof(*group));

    if (err == PDUMP_OK)
        err = pdump_array_make(&view->values, view->n, size);
    if (err < 0)
        return err;
    memcpy(view->values + view->n * view->detail->n_values, values, size);
    view->groups[view->n] = *group;
    view->groups[view->n++].n_rows = 1;
    return PDUMP_OK;
}

int pdump_detail_groups(const struct pdump_dump *dump,
                        const struct pdump_dump_detail *detail, unsigned keys,
                        struct pdump_detail_groups *out)
{
    struct pdump_pair_index index = { 0 };
    int err = PDUMP_OK;

    *out = (struct pdump_detail_groups){ .detail = detail };
    for (int64_t i = 0; err == PDUMP_OK && i < detail->n_rows; i++) {
        struct pdump_detail_group group =
            group_of(dump, &detail->rows[i], keys);
        const int64_t *values = detail->values + i * detail->n_values;
        int64_t a = place_of(&group, keys),
                b = pair_key(group.rank, group.label);
        int64_t old = pdump_pair_index_find(&index, a, b);

        if (old < 0) {
            err = pdump_pair_index_put(&index, a, b, out->n);
            if (err == PDUMP_OK)
                err = add_group(out, &group, values);
            continue;
        }
        pdump_builder_details_unite(
            detail, out->values + old * detail->n_values, values);
        out->groups[old].n_rows++;
    }
    pdump_pair_index_free(&index);
    for (int64_t i = 0; i < out->n; i++)
        out->groups[i].values = out->values + i * detail->n_values;
    if (err < 0)
        pdump_detail_groups_free(out);
    return err;
}

void pdump_detail_groups_free(struct pdump_detail_groups *view)
{
    free(view->groups);
    free(view->values);
    *view = (struct pdump_detail_groups){ 0 };
}

/* Returns the field called `name`, and in *at the index of its first value. */
static const struct pdump_dump_field *find_field(
    const struct pdump_dump_detail *detail, const char *name, int *at)
{
    *at = 0;
    for (int f = 0; f < detail->n_fields; *at += detail->fields[f++].width)
        if (strcmp(detail->fields[f].name, name) == 0)
            return &detail->fields[f];
    return NULL;
}

struct figure {
    int64_t whole;
    double real;
};

/* Returns a value of a group; zeroes if there is no such field, or if it is the
 * MIN or MAX of nothing. */
static struct figure find_figure(const struct pdump_detail_groups *view,
                                 const struct pdump_detail_group *group,
                                 const char *name)
{
    int at;
    const struct pdump_dump_field *field = find_field(view->detail, name, &at);
    struct figure figure = { 0, 0 };

    if (!field || group->values[at] == pdump_field_nothing(field->kind))
        return figure;
    figure.whole = group->values[at];
    figure.real = (double)figure.whole;
    if (field->kind == PDUMP_FIELD_REAL) {
        figure.real = pdump_field_real(group->values[at]);
        figure.whole = (int64_t)figure.real;
    }
    return figure;
}

int64_t pdump_detail_groups_int(const struct pdump_detail_groups *view,
                                const struct pdump_detail_group *group,
                                const char *field)
{
    return find_figure(view, group, field).whole;
}

double pdump_detail_groups_real(const struct pdump_detail_groups *view,
                                const struct pdump_detail_group *group,
                                const char *field)
{
    return find_figure(view, group, field).real;
}

struct sorted {
    struct pdump_detail_group group;
    int64_t i;
    int64_t value;
    double real; /* if values are reals, otherwise 0 */
};

static int by_value(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;

    if (x->real != y->real)
        return x->real < y->real ? 1 : -1;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return (x->i > y->i) - (x->i < y->i);
}

bool pdump_detail_groups_sort(struct pdump_detail_groups *view,
                              const char *field)
{
    struct sorted *list = malloc(((size_t)view->n + 1) * sizeof(*list));
    int at;
    const struct pdump_dump_field *f = find_field(view->detail, field, &at);

    if (!f || !list) {
        free(list);
        return false;
    }
    for (int64_t i = 0; i < view->n; i++) {
        int64_t value = view->groups[i].values[at];
        bool is_real = f->kind == PDUMP_FIELD_REAL;

        list[i] = (struct sorted){ view->groups[i], i, is_real ? 0 : value,
                                   is_real ? pdump_field_real(value) : 0 };
    }
    qsort(list, (size_t)view->n, sizeof(*list), by_value);
    for (int64_t i = 0; i < view->n; i++)
        view->groups[i] = list[i].group;
    free(list);
    return true;
}
