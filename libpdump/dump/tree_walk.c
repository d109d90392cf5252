/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks trees that are given as the parents of their places. */
#include "dump/tree_walk.h"

#include <limits.h>
#include <stdlib.h>

void pdump_tree_walk_free(struct pdump_tree_walk *w)
{
    free(w->parent);
    free(w->child);
    free(w->next);
    *w = (struct pdump_tree_walk){ 0 };
}

static int *array_resize(int **array, int n)
{
    int *bigger = realloc(*array, (size_t)n * sizeof(*bigger));

    if (bigger)
        *array = bigger;
    return bigger;
}

static int make_room(struct pdump_tree_walk *w, int64_t n)
{
    if (n >= INT_MAX)
        return pdump_no_memory();
    w->n = (int)n;
    if (w->parent && w->n <= w->room)
        return PDUMP_OK;
    w->room = 0;
    if (!array_resize(&w->parent, w->n + 1) ||
        !array_resize(&w->child, w->n + 1) || !array_resize(&w->next, w->n + 1))
        return pdump_no_memory();
    w->room = w->n;
    return PDUMP_OK;
}

/* Links from the last place to the first, so that children keep their order. */
static void link_all(struct pdump_tree_walk *w)
{
    w->first = -1;
    w->at = -1;
    w->is_leaving = false;
    for (int i = 0; i < w->n; i++)
        w->child[i] = -1;
    for (int i = w->n - 1; i >= 0; i--) {
        int *head = w->parent[i] < 0 ? &w->first : &w->child[w->parent[i]];

        w->next[i] = *head;
        *head = i;
    }
}

int pdump_tree_walk_nodes(struct pdump_tree_walk *w,
                          const struct pdump_dump *dump)
{
    int err = make_room(w, dump->n_nodes);

    if (err < 0)
        return err;
    for (int i = 0; i < w->n; i++)
        w->parent[i] = dump->nodes[i].parent;
    link_all(w);
    return PDUMP_OK;
}

int64_t pdump_tree_walk_rows(struct pdump_tree_walk *w,
                             const struct pdump_dump *dump, int64_t first)
{
    int64_t end = first;
    int err;

    while (end < dump->n_rows &&
           dump->rows[end].thread == dump->rows[first].thread)
        end++;
    err = make_room(w, end - first);
    if (err < 0)
        return err;
    for (int i = 0; i < w->n; i++) {
        int64_t parent = dump->rows[first + i].parent;

        w->parent[i] = parent < 0 ? -1 : (int)(parent - first);
    }
    link_all(w);
    return end - first;
}

int pdump_tree_walk_step(struct pdump_tree_walk *w, bool *is_leaving)
{
    int next;

    if (w->at < 0)
        next = w->first;
    else if (!w->is_leaving)
        next = w->child[w->at];
    else
        next = w->next[w->at];
    if (next >= 0) {
        w->at = next;
        w->is_leaving = false;
    } else if (w->at >= 0) {
        w->at = w->is_leaving ? w->parent[w->at] : w->at;
        w->is_leaving = true;
    }
    *is_leaving = w->is_leaving;
    return w->at;
}
