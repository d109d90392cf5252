/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds recursion in a tree of nodes. */
#include "inner.h"

#include <stdlib.h>

/* First child and next sibling of every node; the first root. */
static int link_nodes(const struct pdump_dump *dump, int *child, int *sibling)
{
    int roots = -1;

    for (int i = 0; i < dump->n_nodes; i++)
        child[i] = -1;
    for (int i = dump->n_nodes - 1; i >= 0; i--) {
        int parent = dump->nodes[i].parent;
        int *head = parent < 0 ? &roots : &child[parent];

        sibling[i] = *head;
        *head = i;
    }
    return roots;
}

/* Walks the tree once: `open` counts the nodes of each kind between the root
 * and here. */
static void walk(const struct pdump_dump *dump, const int *kind,
                 const int *child, const int *sibling, int node, int *open,
                 bool *is_inner)
{
    while (node >= 0) {
        is_inner[node] = kind[node] >= 0 && open[kind[node]]++ > 0;
        if (child[node] >= 0) {
            node = child[node];
            continue;
        }
        while (node >= 0) {
            if (kind[node] >= 0)
                open[kind[node]]--;
            if (sibling[node] >= 0) {
                node = sibling[node];
                break;
            }
            node = dump->nodes[node].parent;
        }
    }
}

int pdump_inner_mark(const struct pdump_dump *dump, const int *kind,
                     int n_kinds, bool *is_inner)
{
    size_t n = (size_t)dump->n_nodes + 1;
    int *child = malloc(n * sizeof(*child));
    int *sibling = malloc(n * sizeof(*sibling));
    int *open = calloc((size_t)n_kinds + 1, sizeof(*open));
    int err = PDUMP_OK;

    if (child && sibling && open)
        walk(dump, kind, child, sibling, link_nodes(dump, child, sibling), open,
             is_inner);
    else
        err = pdump_no_memory();
    free(open);
    free(sibling);
    free(child);
    return err;
}
