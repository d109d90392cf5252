/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses and sorts the items of a view that are shown, and parses the names of
 * orders. */
#include "report/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct pdump_view_value *pdump_view_value(const struct pdump_view *view,
                                                int item, int metric)
{
    size_t n = (size_t)view->dump->n_metrics;

    return &view->values[(size_t)item * n + (size_t)metric];
}

static double percent_of(const struct pdump_view *view, int64_t part)
{
    int64_t total = view->key < 0 ? 0 : view->totals[view->key];

    if (total <= 0 || part == PDUMP_MISSING)
        return NAN;
    return 100.0 * (double)part / (double)total;
}

double pdump_view_percent(const struct pdump_view *view, int item)
{
    if (view->key < 0)
        return NAN;
    return percent_of(view, pdump_view_value(view, item, view->key)->sum);
}

double pdump_view_self_percent(const struct pdump_view *view, int item)
{
    if (view->key < 0)
        return NAN;
    return percent_of(view, pdump_view_value(view, item, view->key)->self);
}

/* An item for sorting: siblings together, then by key, then by name. */
struct sortable {
    int parent;
    int item;
    double key; /* -INFINITY if missing */
    const char *name;
};

static int compare_items(const void *left, const void *right)
{
    const struct sortable *a = left, *b = right;
    int by_name = strcmp(a->name, b->name);

    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    if (by_name != 0)
        return by_name;
    return a->item < b->item ? -1 : 1;
}

static double value_or_nan(int64_t value)
{
    return value == PDUMP_MISSING ? -INFINITY : (double)value;
}

static double metric_key(const struct pdump_view *v, int item,
                         const struct pdump_view_options *options)
{
    int metric = options->key >= 0 ? options->key : v->key;
    const struct pdump_view_value *value;

    if (metric < 0)
        return -INFINITY;
    value = pdump_view_value(v, item, metric);
    if (v->dump->metrics[metric].kind == PDUMP_GAUGE)
        return value_or_nan(value->max);
    return value_or_nan(options->order == PDUMP_VIEW_BY_SELF ? value->self
                                                             : value->sum);
}

static double sort_key(const struct pdump_view *v, int item,
                       const struct pdump_view_options *options)
{
    double figure;

    switch (options->order) {
    case PDUMP_VIEW_BY_SUM:
    case PDUMP_VIEW_BY_SELF:
        return metric_key(v, item, options);
    case PDUMP_VIEW_BY_VISITS:
        return (double)v->items[item].visits;
    case PDUMP_VIEW_BY_DERIVED:
        figure = v->figures[(size_t)item * (size_t)v->n_derived +
                            (size_t)options->key];
        return isnan(figure) ? -INFINITY : figure;
    case PDUMP_VIEW_BY_NAME:
        break;
    }
    return 0;
}

static const char *sort_name(const struct pdump_view *v, int region)
{
    return v->is_flat && v->flat_by == PDUMP_VIEW_FILES
               ? v->dump->regions[region].file
               : v->dump->regions[region].name;
}

/* Threads keep their order, because readers look for a thread by its number. */
static struct sortable *sort_items(const struct pdump_view *v,
                                   const struct pdump_view_options *options)
{
    struct sortable *list = malloc(((size_t)v->n_items + 1) * sizeof(*list));

    for (int i = 0; list && i < v->n_items; i++) {
        int region = v->items[i].region;

        list[i] = (struct sortable){
            .parent = v->items[i].parent,
            .item = i,
            .key = region < 0 ? 0 : sort_key(v, i, options),
            .name = region < 0 ? "" : sort_name(v, region),
        };
    }
    if (list)
        qsort(list, (size_t)v->n_items, sizeof(*list), compare_items);
    return list;
}

/* Like compare_items(), but over all items: an outer item comes before the
 * items in it. */
static int compare_all(const void *left, const void *right)
{
    const struct sortable *a = left, *b = right;
    int by_name = strcmp(a->name, b->name);

    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    if (by_name != 0 && a->key == 0)
        return by_name;
    return a->item < b->item ? -1 : 1;
}

/* Does not change the order of `list`. */
static int choose_items(const struct pdump_view *v, const struct sortable *list,
                        const struct pdump_view_options *options, bool *is_kept)
{
    size_t n = (size_t)v->n_items;
    struct sortable *all = malloc((n + 1) * sizeof(*all));
    int *order = malloc((n + 1) * sizeof(*order));
    int err = all && order ? PDUMP_OK : pdump_no_memory();

    if (err >= 0) {
        memcpy(all, list, n * sizeof(*all));
        if (options->top > 0)
            qsort(all, n, sizeof(*all), compare_all);
        for (size_t i = 0; i < n; i++)
            order[i] = all[i].item;
        err = pdump_view_keep(v, options, order, is_kept);
    }
    free(order);
    free(all);
    return err;
}

static bool is_shown(const struct pdump_view *v, int item,
                     const struct pdump_view_options *options)
{
    int depth = v->items[item].depth - options->by_thread;
    double percent;

    if (v->items[item].fold != PDUMP_VIEW_PLAIN)
        return false;
    if (options->depth > 0 && depth >= options->depth)
        return false;
    if (options->min_percent <= 0 || v->items[item].region < 0)
        return true;
    percent = pdump_view_percent(v, item);
    return isnan(percent) || percent >= options->min_percent;
}

/* Links children and siblings by item + 1: index 0 is the page, and the value 0
 * means none.  The list is linked from its end: the last item added comes
 * first. */
static void link_items(const struct pdump_view *v, const struct sortable *list,
                       const struct pdump_view_options *options,
                       const bool *is_kept, int *child, int *sibling)
{
    for (int i = v->n_items - 1; i >= 0; i--) {
        int parent = list[i].parent;

        if (!is_kept[list[i].item] || !is_shown(v, list[i].item, options)) {
            if (parent >= 0)
                v->items[parent].is_cut = true;
            continue;
        }
        v->items[list[i].item].is_last = child[parent + 1] == 0;
        sibling[list[i].item + 1] = child[parent + 1];
        child[parent + 1] = list[i].item + 1;
    }
}

/* Walks depth first along the links: a tree may be deeper than a C stack. */
static void walk_tree(struct pdump_view *v, const int *child,
                      const int *sibling)
{
    int at = child[0];

    while (at != 0) {
        v->shown[v->n_shown++] = at - 1;
        if (child[at] != 0) {
            at = child[at];
            continue;
        }
        while (at != 0 && sibling[at] == 0)
            at = v->items[at - 1].parent + 1;
        at = sibling[at];
    }
}

/* Returns the percentage below which a brief view leaves items out: none if
 * there is only one of them, whose place the hint would take, or if no item
 * would be left. */
static double fold_percent(const struct pdump_view *v)
{
    int n_small = 0, n_large = 0, n_folded = 0;

    for (int i = 0; i < v->n_items; i++) {
        double percent = pdump_view_percent(v, i);

        if (v->items[i].region < 0)
            continue;
        if (v->items[i].fold != PDUMP_VIEW_PLAIN)
            n_folded++;
        else if (percent < PDUMP_VIEW_FOLD_PERCENT)
            n_small++;
        else
            n_large++;
    }
    return n_large == 0 || n_small + n_folded < 2 ? 0 : PDUMP_VIEW_FOLD_PERCENT;
}

int pdump_view_n_left_out(const struct pdump_view *view)
{
    int n = -view->n_shown;

    for (int i = 0; i < view->n_items; i++)
        n += view->items[i].region >= 0;
    for (int i = 0; i < view->n_shown; i++)
        n += view->items[view->shown[i]].region < 0;
    return n;
}

static int arrange(struct pdump_view *view,
                   const struct pdump_view_options *options)
{
    size_t n = (size_t)view->n_items + 1;
    struct sortable *list = sort_items(view, options);
    int *child = calloc(n, sizeof(*child));
    int *sibling = calloc(n, sizeof(*sibling));
    bool *is_kept = malloc(n * sizeof(*is_kept));
    int err = PDUMP_OK;

    view->shown = malloc(n * sizeof(*view->shown));
    if (!list || !child || !sibling || !is_kept || !view->shown) {
        err = pdump_no_memory();
        goto out;
    }
    err = choose_items(view, list, options, is_kept);
    if (err < 0)
        goto out;
    link_items(view, list, options, is_kept, child, sibling);
    walk_tree(view, child, sibling);
out:
    free(is_kept);
    free(sibling);
    free(child);
    free(list);
    return err;
}

int pdump_view_arrange(struct pdump_view *view,
                       const struct pdump_view_options *options)
{
    struct pdump_view_options how = *options;

    if (!options->is_brief)
        return arrange(view, options);
    pdump_view_fold(view);
    if (how.top == 0 && how.min_percent < fold_percent(view))
        how.min_percent = PDUMP_VIEW_FOLD_PERCENT;
    return arrange(view, &how);
}

static int find_derived(const struct pdump_dump *dump, const char *name)
{
    int n = pdump_derived_count(), found = -1;
    struct pdump_derived *list = malloc((size_t)n * sizeof(*list));

    if (!list)
        return -1;
    n = pdump_derived_find(dump, list, n);
    for (int i = 0; i < n && found < 0; i++) {
        if (strcasecmp(list[i].recipe->name, name) == 0)
            found = i;
    }
    free(list);
    return found;
}

const char *pdump_view_short_name(const char *name)
{
    const char *colons = strstr(name, "::");

    if (strncmp(name, "PAPI_", 5) == 0 && name[5] != '\0')
        return name + 5;
    if (colons && colons[2] != '\0')
        return colons + 2;
    return name;
}

static int find_loosely(const struct pdump_dump *dump, const char *name)
{
    for (int i = 0; i < dump->n_metrics; i++) {
        const char *full = dump->metrics[i].name;

        if (strcasecmp(full, name) == 0 ||
            strcasecmp(pdump_view_short_name(full), name) == 0)
            return i;
    }
    return -1;
}

/* The orders that are not metrics. */
static const struct word {
    const char *name;
    enum pdump_view_order order;
} words[] = {
    { "self", PDUMP_VIEW_BY_SELF },
    { "visits", PDUMP_VIEW_BY_VISITS },
    { "name", PDUMP_VIEW_BY_NAME },
};

static bool find_word(const char *name, enum pdump_view_order *order)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(words[i].name, name) == 0) {
            *order = words[i].order;
            return true;
        }
    }
    return false;
}

int pdump_view_find(const struct pdump_dump *dump, const char *name,
                    bool *is_derived)
{
    int found = pdump_dump_find_metric(dump, name);

    if (found < 0)
        found = find_loosely(dump, name);
    *is_derived = found < 0;
    if (found < 0)
        found = find_derived(dump, name);
    if (found < 0)
        return pdump_fail(PDUMP_ENOENT, "there is no metric \"%s\"", name);
    return found;
}

int pdump_view_sort_by(const struct pdump_dump *dump, const char *name,
                       struct pdump_view_options *options)
{
    enum pdump_view_order order;
    bool is_derived;
    int key = -1;

    if (!find_word(name, &order)) {
        key = pdump_view_find(dump, name, &is_derived);
        if (key < 0)
            return key;
        order = is_derived ? PDUMP_VIEW_BY_DERIVED : PDUMP_VIEW_BY_SUM;
    }
    options->order = order;
    options->key = key;
    return PDUMP_OK;
}
