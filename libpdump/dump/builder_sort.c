/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts the rows of a dump, and fills in parents and exclusive sums. */
#include "dump/builder_sort.h"

#include <stdlib.h>
#include <string.h>

/* Does one stable counting sort of the rows, by thread or by node.  The rows
 * come in the order `from` (NULL: as they are). */
static void sort_by(const struct pdump_dump *dump, const int64_t *from,
                    int64_t *to, int64_t *begin, int n_keys, bool is_thread)
{
    const struct pdump_dump_row *rows = dump->rows;

    memset(begin, 0, (size_t)(n_keys + 1) * sizeof(*begin));
    for (int64_t i = 0; i < dump->n_rows; i++)
        begin[(is_thread ? rows[i].thread : rows[i].node) + 1]++;
    for (int k = 0; k < n_keys; k++)
        begin[k + 1] += begin[k];
    for (int64_t i = 0; i < dump->n_rows; i++) {
        const struct pdump_dump_row *row = &rows[from ? from[i] : i];

        to[begin[is_thread ? row->thread : row->node]++] = row - rows;
    }
}

static void array_gather(void *array, size_t size, const int64_t *order,
                         int64_t n, char *scratch)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(scratch + (size_t)i * size,
               (char *)array + (size_t)order[i] * size, size);
    memcpy(array, scratch, (size_t)n * size);
}

/* Sorts by thread and node with two stable counting sorts: linear, and parents
 * come before children because their nodes do. */
static int sort_rows(struct pdump_dump *dump)
{
    int64_t n = dump->n_rows;
    int n_keys =
        dump->n_nodes > dump->n_threads ? dump->n_nodes : dump->n_threads;
    int64_t *begin = malloc(((size_t)n_keys + 1) * sizeof(*begin));
    int64_t *by_node = malloc((size_t)n * sizeof(*by_node));
    int64_t *order = malloc((size_t)n * sizeof(*order));
    char *scratch = malloc((size_t)n * sizeof(*dump->rows));
    int err = PDUMP_OK;

    if (!begin || !by_node || !order || !scratch) {
        err = pdump_no_memory();
        goto out;
    }
    sort_by(dump, NULL, by_node, begin, dump->n_nodes, false);
    sort_by(dump, by_node, order, begin, dump->n_threads, true);
    array_gather(dump->rows, sizeof(*dump->rows), order, n, scratch);
    for (int m = 0; m < dump->n_metrics; m++) {
        struct pdump_dump_column *c = &dump->columns[m];

        array_gather(c->sum, sizeof(*c->sum), order, n, scratch);
        array_gather(c->min, sizeof(*c->min), order, n, scratch);
        array_gather(c->max, sizeof(*c->max), order, n, scratch);
        array_gather(c->sumsq, sizeof(*c->sumsq), order, n, scratch);
    }
out:
    free(scratch);
    free(order);
    free(by_node);
    free(begin);
    return err;
}

static bool is_sorted(const struct pdump_dump *dump)
{
    for (int64_t i = 1; i < dump->n_rows; i++) {
        const struct pdump_dump_row *row = &dump->rows[i];

        if (row->thread < row[-1].thread ||
            (row->thread == row[-1].thread && row->node < row[-1].node))
            return false;
    }
    return true;
}

static int check_unique(const struct pdump_dump *dump)
{
    for (int64_t i = 1; i < dump->n_rows; i++) {
        const struct pdump_dump_row *row = &dump->rows[i];

        if (row->thread == row[-1].thread && row->node == row[-1].node)
            return pdump_fail(PDUMP_EFORMAT,
                              "node %d comes twice in thread %d of process %d",
                              row->node, dump->threads[row->thread].number,
                              dump->threads[row->thread].process);
    }
    return PDUMP_OK;
}

static int find_parents(struct pdump_dump *dump)
{
    /* The last row of each node so far; it is the parent row only if it has the
     * same thread. */
    int64_t *last = malloc(((size_t)dump->n_nodes + 1) * sizeof(*last));

    if (!last)
        return pdump_no_memory();
    for (int i = 0; i < dump->n_nodes; i++)
        last[i] = -1;
    for (int64_t i = 0; i < dump->n_rows; i++) {
        struct pdump_dump_row *row = &dump->rows[i];
        int parent = dump->nodes[row->node].parent;
        int64_t at = parent < 0 ? -1 : last[parent];

        row->parent = at >= 0 && dump->rows[at].thread == row->thread ? at : -1;
        last[row->node] = i;
    }
    free(last);
    return PDUMP_OK;
}

static int fill_exclusive(struct pdump_dump *dump)
{
    for (int m = 0; m < dump->n_metrics; m++) {
        struct pdump_dump_column *column = &dump->columns[m];
        size_t size = ((size_t)dump->n_rows + 1) * sizeof(*column->exclusive);
        int64_t *exclusive = realloc(column->exclusive, size);

        if (!exclusive)
            return pdump_no_memory();
        column->exclusive = exclusive;
        pdump_dump_exclusive(dump, m, exclusive);
    }
    return PDUMP_OK;
}

int pdump_builder_sort(struct pdump_dump *dump)
{
    int err = PDUMP_OK;

    if (!is_sorted(dump))
        err = sort_rows(dump);
    if (err == PDUMP_OK)
        err = check_unique(dump);
    if (err == PDUMP_OK)
        err = find_parents(dump);
    if (err == PDUMP_OK)
        err = fill_exclusive(dump);
    return err;
}
