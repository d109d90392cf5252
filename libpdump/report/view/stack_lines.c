/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts the table of the lines of stacks. */
#include "report/view/stack_lines.h"
#include "dump/stacks.h"
#include "report/view/detail_groups.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 100000000 }; /* a larger number is not a line */

int pdump_stack_lines_number(const struct pdump_dump *tables, int node,
                             const char *label)
{
    const char *file = tables->regions[tables->nodes[node].region].file;
    const char *colon = strrchr(label, ':');
    size_t len = colon ? (size_t)(colon - label) : 0;
    long number = colon ? strtol(colon + 1, NULL, 10) : 0;

    if (strlen(file) != len || strncmp(file, label, len) != 0)
        return 0;
    return number > 0 && number < NUMBER_MAX ? (int)number : 0;
}

static int by_place(const void *a, const void *b)
{
    const struct pdump_stack_line *p = a, *q = b;

    if (p->thread != q->thread)
        return p->thread < q->thread ? -1 : 1;
    if (p->node != q->node)
        return p->node < q->node ? -1 : 1;
    return (p->number > q->number) - (p->number < q->number);
}

static int fill_lines(const struct pdump_dump *tables,
                      const struct pdump_dump_detail *d,
                      struct pdump_stack_lines *out)
{
    int stacks = pdump_dump_find_field(d, "self_stacks");
    int time = pdump_dump_find_field(d, "self_stack_time");

    out->lines = calloc((size_t)d->n_rows + 1, sizeof(*out->lines));
    if (!out->lines)
        return pdump_no_memory();
    for (int64_t i = 0; i < d->n_rows && stacks >= 0 && time >= 0; i++) {
        const struct pdump_dump_detail_row *row = &d->rows[i];
        const int64_t *values = d->values + i * d->n_values;

        if (row->node < 0 || values[stacks] <= 0)
            continue;
        out->lines[out->n++] = (struct pdump_stack_line){
            row->thread, row->node,
            pdump_stack_lines_number(tables, row->node, d->labels[row->label]),
            values[stacks], values[time]
        };
    }
    qsort(out->lines, (size_t)out->n, sizeof(*out->lines), by_place);
    return PDUMP_OK;
}

static int fill_usual(const struct pdump_dump *tables,
                      const struct pdump_dump_detail *d,
                      struct pdump_stack_lines *out)
{
    struct pdump_detail_groups groups;
    int64_t *most = calloc((size_t)tables->n_nodes + 1, sizeof(*most));
    int err = most ? pdump_detail_groups(
                         tables, d, PDUMP_BY_NODE | PDUMP_BY_LABEL, &groups)
                   : pdump_no_memory();

    for (int64_t i = 0; err >= 0 && i < groups.n; i++) {
        const struct pdump_detail_group *g = &groups.groups[i];
        int64_t stacks = pdump_detail_groups_int(&groups, g, "stacks");

        if (g->node < 0 || stacks <= most[g->node])
            continue;
        most[g->node] = stacks;
        out->usual[g->node] = d->labels[g->label];
    }
    if (err >= 0)
        pdump_detail_groups_free(&groups);
    free(most);
    return err;
}

int pdump_stack_lines(const struct pdump_dump *tables,
                      struct pdump_stack_lines *out)
{
    const struct pdump_dump_detail *d =
        pdump_dump_find_detail(tables, PDUMP_STACKS_TABLE);
    int err = PDUMP_OK;

    *out = (struct pdump_stack_lines){ 0 };
    out->usual = calloc((size_t)tables->n_nodes + 1, sizeof(*out->usual));
    if (!out->usual)
        err = pdump_no_memory();
    if (err >= 0 && d)
        err = fill_lines(tables, d, out);
    if (err >= 0 && d)
        err = fill_usual(tables, d, out);
    if (err < 0)
        pdump_stack_lines_free(out);
    return err;
}

void pdump_stack_lines_free(struct pdump_stack_lines *l)
{
    free(l->lines);
    free(l->usual);
    *l = (struct pdump_stack_lines){ 0 };
}

const struct pdump_stack_line *pdump_stack_lines_find(
    const struct pdump_stack_lines *l, int thread, int node, int64_t *n)
{
    const struct pdump_stack_line key = { thread, node, -1, 0, 0 };
    int64_t low = 0, high = l->n, last;

    while (low < high) {
        int64_t middle = low + (high - low) / 2;

        if (by_place(&l->lines[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (last = low; last < l->n && l->lines[last].thread == thread &&
                     l->lines[last].node == node;)
        last++;
    *n = last - low;
    return l->lines + low;
}
