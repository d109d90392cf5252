/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects the items of a view to show: the hot path, the first n, those of some
 * regions. */
#include "report/view/view.h"

#include <stdlib.h>
#include <string.h>

static int64_t sum_of(const struct pdump_view *v, int item)
{
    return pdump_view_value(v, item, v->key)->sum;
}

/* Finds the largest child of each item, by item + 1: index 0 is the page, and
 * the value 0 means none. */
static int *find_largest(const struct pdump_view *v)
{
    int *largest = calloc((size_t)v->n_items + 1, sizeof(*largest));

    for (int i = 0; largest && i < v->n_items; i++) {
        int *best = &largest[v->items[i].parent + 1];

        if (v->items[i].fold != PDUMP_VIEW_PLAIN)
            continue;
        if (*best == 0 || sum_of(v, i) > sum_of(v, *best - 1))
            *best = i + 1;
    }
    return largest;
}

int pdump_view_hot_path(const struct pdump_view *view, int *out)
{
    int *largest, n = 0;

    if (view->is_flat || view->key < 0)
        return 0;
    largest = find_largest(view);
    if (!largest)
        return pdump_no_memory();
    for (int at = largest[0]; at != 0; at = largest[at]) {
        int64_t sum = sum_of(view, at - 1);

        if (sum <= 0 ||
            (n > 0 && (double)sum < (double)sum_of(view, out[n - 1]) / 2))
            break;
        out[n++] = at - 1;
    }
    free(largest);
    return n;
}

/* Keeps an item, and all items around it. */
static void keep_item(const struct pdump_view *v, int item, bool *out)
{
    for (; item >= 0 && !out[item]; item = v->items[item].parent)
        out[item] = true;
}

static int keep_hot(const struct pdump_view *v, bool *out)
{
    int *path = malloc(((size_t)v->n_items + 1) * sizeof(*path));
    int n = path ? pdump_view_hot_path(v, path) : pdump_no_memory();

    for (int i = 0; i < n; i++)
        out[path[i]] = true;
    free(path);
    return n;
}

/* Several regions may share an item: the rows and nodes say which. */
static void find_chosen(const struct pdump_view *v, const bool *regions,
                        bool *out)
{
    const struct pdump_dump *dump = v->dump;

    for (int64_t r = 0; r < dump->n_rows; r++)
        if (regions[dump->nodes[dump->rows[r].node].region])
            out[v->row_item[r]] = true;
    for (int i = 0; v->node_item && i < dump->n_nodes; i++)
        if (v->node_item[i] >= 0 && regions[dump->nodes[i].region])
            out[v->node_item[i]] = true;
}

/* Parents have smaller numbers than their children, so one pass is enough. */
static int keep_regions(const struct pdump_view *v, const bool *regions,
                        bool *out)
{
    bool *is_in = calloc((size_t)v->n_items + 1, sizeof(*is_in));

    if (!is_in)
        return pdump_no_memory();
    find_chosen(v, regions, is_in);
    for (int i = 0; i < v->n_items; i++) {
        int parent = v->items[i].parent;

        is_in[i] = is_in[i] || (parent >= 0 && is_in[parent]);
        if (is_in[i])
            keep_item(v, i, out);
    }
    free(is_in);
    return PDUMP_OK;
}

/* Keeps the first n of the items that are left. */
static int keep_top(const struct pdump_view *v, int n, const int *order,
                    bool *out)
{
    bool *is_left = malloc(((size_t)v->n_items + 1) * sizeof(*is_left));

    if (!is_left)
        return pdump_no_memory();
    memcpy(is_left, out, (size_t)v->n_items * sizeof(*is_left));
    memset(out, 0, (size_t)v->n_items * sizeof(*out));
    for (int i = 0; i < v->n_items && n > 0; i++) {
        if (!is_left[order[i]] || v->items[order[i]].region < 0)
            continue;
        n--;
        keep_item(v, order[i], out);
    }
    free(is_left);
    return PDUMP_OK;
}

int pdump_view_keep(const struct pdump_view *view,
                    const struct pdump_view_options *options, const int *order,
                    bool *out)
{
    bool is_part = options->is_hot || options->regions;
    int err = PDUMP_OK;

    for (int i = 0; i < view->n_items; i++)
        out[i] = !is_part;
    if (options->is_hot)
        err = keep_hot(view, out);
    if (err >= 0 && options->regions)
        err = keep_regions(view, options->regions, out);
    if (err >= 0 && options->top > 0)
        err = keep_top(view, options->top, order, out);
    return err < 0 ? err : PDUMP_OK;
}
