/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folded stacks for flame graphs: a line "outer;inner COUNT" per node, with its
 * time without the nodes inside, in microseconds, over all threads and ranks.
 *
 * Every line has the names of all outer regions.  So that a deep recursion does
 * not fill the disk, everything below a path of PATH_MAX_BYTES becomes one
 * line.
 */
#include "base/csv.h"
#include "base/utf8.h"
#include "dump/tree_walk.h"
#include "stream/stack_weights.h"
#include "write/sink.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_BYTES = 4096, NS_PER_COUNT = 1000 };

struct folding {
    const struct pdump_dump *tables;
    struct pdump_node_totals totals;
    struct pdump_tree_walk walk;
    const int64_t *self; /* exclusive time, by node */
    int *stack;          /* nodes from the outermost one to the current one */
    int depth;
    size_t bytes;  /* of their names */
    int too_deep;  /* the first node of the stack that is not shown, or -1 */
    int64_t below; /* time in that node and below */
};

static const char *name_of(const struct folding *o, int node)
{
    return o->tables->regions[o->tables->nodes[node].region].name;
}

/* Writes the nodes of the stack; those that are too deep become one. */
static void put_line(FILE *f, const struct folding *o, int depth, int64_t ns)
{
    static const struct pdump_utf8_rules rules = { ";", ':', NULL, 0 };
    int64_t count = pdump_node_totals_positive(ns) / NS_PER_COUNT +
                    (ns > 0 && ns % NS_PER_COUNT >= NS_PER_COUNT / 2);

    if (count == 0)
        return;
    for (int i = 0; i < depth; i++) {
        if (i > 0)
            putc_unlocked(';', f);
        pdump_utf8_put(f, name_of(o, o->stack[i]), &rules);
    }
    if (depth < o->depth)
        fputs_unlocked(";(deeper)", f);
    putc_unlocked(' ', f);
    pdump_csv_put_int(f, count);
    putc_unlocked('\n', f);
}

static void enter_node(FILE *f, struct folding *o, int node)
{
    if (o->too_deep < 0 && o->bytes > PATH_MAX_BYTES) {
        o->too_deep = node;
        o->below = 0;
    }
    o->stack[o->depth++] = node;
    o->bytes += strlen(name_of(o, node)) + 1;
    if (o->too_deep >= 0)
        o->below = pdump_node_totals_plus(
            o->below, pdump_node_totals_positive(o->self[node]));
    else
        put_line(f, o, o->depth, o->self[node]);
}

static void leave_node(FILE *f, struct folding *o, int node)
{
    if (o->too_deep == node) {
        put_line(f, o, o->depth - 1, o->below);
        o->too_deep = -1;
    }
    o->depth--;
    o->bytes -= strlen(name_of(o, node)) + 1;
}

static int put_lines(FILE *f, void *data)
{
    struct folding *o = data;
    bool is_leaving;
    int node, err = pdump_tree_walk_nodes(&o->walk, o->tables);

    o->depth = 0;
    o->bytes = 0;
    o->too_deep = -1;
    while (err >= 0 &&
           (node = pdump_tree_walk_step(&o->walk, &is_leaving)) >= 0) {
        if (is_leaving)
            leave_node(f, o, node);
        else
            enter_node(f, o, node);
    }
    return err;
}

static int folded_write(struct pdump_stream *in,
                        const struct pdump_new_file *file)
{
    struct folding o = { .tables = in->tables };
    int time = pdump_sink_time(in->tables);
    int err = time < 0 ? time : pdump_node_totals_of(in, &o.totals);

    if (err >= 0)
        err = pdump_stack_weights_totals(in->tables, time, &o.totals);
    if (err < 0) {
        pdump_node_totals_free(&o.totals);
        return err;
    }
    o.self = o.totals.self + (size_t)time * (size_t)o.totals.n_nodes;
    o.stack = malloc(((size_t)o.totals.n_nodes + 1) * sizeof(*o.stack));
    err = o.stack ? pdump_sink_print(file, put_lines, &o) : pdump_no_memory();
    free(o.stack);
    pdump_tree_walk_free(&o.walk);
    pdump_node_totals_free(&o.totals);
    return err;
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".folded", .write = folded_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_folded = {
    .name = "folded",
    .about = "stacks with their time in microseconds, for flame graphs",
    .has_stacks = true,
    .parts = parts,
};
