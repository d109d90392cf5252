/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds stacks to a dump under construction. */
#include "dump/stacks.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The figures of a node on the current thread. */
struct figures {
    int64_t count;
    int64_t ns;
};

struct pdump_stacks {
    struct pdump_builder *builder;
    int count; /* the metrics */
    int time;
    int table;               /* of details, or -1 */
    struct figures *figures; /* by node */
    int n_nodes;
    int *touched; /* nodes with figures */
    int n_touched;
};

static const struct pdump_dump_metric metrics[] = {
    { PDUMP_STACKS_COUNT, "1", "stacks", "stacks taken by a clock",
      PDUMP_COUNTER },
    { PDUMP_STACKS_TIME, "ns", "stacks", "CPU time that the stacks stand for",
      PDUMP_COUNTER },
};

/* Those of the innermost frame are counted again in the "self" fields. */
static struct pdump_dump_field fields[] = {
    { "stacks", "1", PDUMP_FIELD_SUM, 1 },
    { "stack_time", "ns", PDUMP_FIELD_SUM, 1 },
    { "self_stacks", "1", PDUMP_FIELD_SUM, 1 },
    { "self_stack_time", "ns", PDUMP_FIELD_SUM, 1 },
};

bool pdump_stacks_are_in(const struct pdump_dump *dump)
{
    return pdump_dump_find_metric(dump, PDUMP_STACKS_COUNT) >= 0;
}

int pdump_stacks_new(struct pdump_builder *b, struct pdump_stacks **out)
{
    struct pdump_stacks *s = calloc(1, sizeof(*s));

    if (!s)
        return pdump_no_memory();
    s->builder = b;
    s->table = -1;
    s->count = pdump_builder_metric(b, &metrics[0]);
    s->time = pdump_builder_metric(b, &metrics[1]);
    if (s->count < 0 || s->time < 0) {
        int err = s->count < 0 ? s->count : s->time;

        pdump_stacks_free(s);
        return err;
    }
    *out = s;
    return PDUMP_OK;
}

void pdump_stacks_free(struct pdump_stacks *s)
{
    if (!s)
        return;
    free(s->figures);
    free(s->touched);
    free(s);
}

int pdump_stacks_function(struct pdump_stacks *s, const char *name,
                          const char *file, int line)
{
    return pdump_builder_region(
        s->builder, &(struct pdump_dump_region){ .name = name,
                                                 .group = PDUMP_STACKS_GROUP,
                                                 .file = file,
                                                 .line = line });
}

static int make_room(struct pdump_stacks *s)
{
    int n = pdump_builder_tables(s->builder)->n_nodes;

    if (n <= s->n_nodes)
        return PDUMP_OK;
    n *= 2;
    if (pdump_array_set(&s->figures, n, sizeof(*s->figures)) < 0)
        return PDUMP_ENOMEM;
    memset(s->figures + s->n_nodes, 0,
           (size_t)(n - s->n_nodes) * sizeof(*s->figures));
    s->n_nodes = n;
    return PDUMP_OK;
}

/* Counts the stacks in the node and in all nodes around it. */
static int count_stacks(struct pdump_stacks *s, int node, int64_t n, int64_t ns)
{
    const struct pdump_dump *tables = pdump_builder_tables(s->builder);

    for (; node >= 0; node = tables->nodes[node].parent) {
        struct figures *f = &s->figures[node];

        if (!f->count) {
            if (pdump_array_make(&s->touched, s->n_touched,
                                 sizeof(*s->touched)) < 0)
                return PDUMP_ENOMEM;
            s->touched[s->n_touched++] = node;
        }
        f->count += n;
        f->ns += ns;
    }
    return PDUMP_OK;
}

static int add_line(struct pdump_stacks *s,
                    const struct pdump_builder_details_place *place,
                    bool is_innermost, int64_t n, int64_t ns)
{
    const int64_t values[] = { n, ns, is_innermost ? n : 0,
                               is_innermost ? ns : 0 };

    if (s->table < 0)
        s->table = pdump_builder_detail(
            s->builder, &(struct pdump_dump_detail){
                            .name = PDUMP_STACKS_TABLE,
                            .about = "stacks by source line",
                            .key = "line",
                            .fields = fields,
                            .n_fields = sizeof(fields) / sizeof(fields[0]) });
    return s->table < 0
               ? s->table
               : pdump_builder_detail_row(s->builder, s->table, place, values);
}

int pdump_stacks_add(struct pdump_stacks *s, int thread, int node,
                     const struct pdump_stacks_frame *frames, int n,
                     int64_t count_of, int64_t ns)
{
    int err = PDUMP_OK;

    if (count_of <= 0)
        return PDUMP_OK;
    for (int i = 0; i < n && err >= 0; i++) {
        node = pdump_builder_node(s->builder, node, frames[i].function);
        if (node < 0)
            return node;
        if (frames[i].line)
            err = add_line(s,
                           &(struct pdump_builder_details_place){
                               thread, node, frames[i].line },
                           i == n - 1, count_of, ns);
    }
    if (err >= 0)
        err = make_room(s);
    return err < 0 ? err : count_stacks(s, node, count_of, ns);
}

/* A row of a thread that had no stack in it has none, which is known. */
static int put_values(struct pdump_stacks *s, int64_t row, int node)
{
    struct figures f =
        node < s->n_nodes ? s->figures[node] : (struct figures){ 0 };
    int err = pdump_builder_value(s->builder, row, s->count, f.count,
                                  PDUMP_MISSING, PDUMP_MISSING, NAN);

    return err < 0 ? err
                   : pdump_builder_value(s->builder, row, s->time, f.ns,
                                         PDUMP_MISSING, PDUMP_MISSING, NAN);
}

int pdump_stacks_put(struct pdump_stacks *s, int thread, int64_t first)
{
    const struct pdump_dump *tables = pdump_builder_tables(s->builder);
    int64_t n_rows = tables->n_rows;
    int err = PDUMP_OK;

    for (int64_t row = first; row < n_rows && err >= 0; row++)
        err = put_values(s, row, tables->rows[row].node);
    for (int i = 0; i < s->n_touched && err >= 0; i++) {
        int node = s->touched[i];
        int64_t row;

        if (!pdump_stacks_has_node(tables, node))
            continue;
        row = pdump_builder_row(s->builder, thread, node, 0, false);
        err = row < 0 ? (int)row : put_values(s, row, node);
    }
    for (int i = 0; i < s->n_touched; i++)
        s->figures[s->touched[i]] = (struct figures){ 0 };
    s->n_touched = 0;
    return err;
}
