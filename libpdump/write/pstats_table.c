/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the tree of a dump to functions and their callers. */
#include "write/pstats_table.h"
#include "base/pair_index.h"
#include "dump/recursion.h"

#include <stdlib.h>
#include <string.h>

/* Data of the nodes during the conversion. */
struct fold {
    const struct pdump_dump *tables;
    int64_t *visits;
    int64_t *total; /* ns */
    int64_t *own;
    int *function;
    int *call;           /* or -1 for outermost nodes */
    bool *is_inner;      /* inside another visit of its function */
    bool *is_inner_call; /* inside another call of the same kind */
};

static void free_fold(struct fold *f)
{
    free(f->visits);
    free(f->total);
    free(f->own);
    free(f->function);
    free(f->call);
    free(f->is_inner);
    free(f->is_inner_call);
}

static int new_fold(const struct pdump_dump *tables, struct fold *f)
{
    size_t n = (size_t)tables->n_nodes + 1;

    f->tables = tables;
    f->visits = calloc(n, sizeof(*f->visits));
    f->total = calloc(n, sizeof(*f->total));
    f->own = calloc(n, sizeof(*f->own));
    f->function = calloc(n, sizeof(*f->function));
    f->call = calloc(n, sizeof(*f->call));
    f->is_inner = calloc(n, sizeof(*f->is_inner));
    f->is_inner_call = calloc(n, sizeof(*f->is_inner_call));
    if (!f->visits || !f->total || !f->own || !f->function || !f->call ||
        !f->is_inner || !f->is_inner_call)
        return pdump_no_memory();
    return PDUMP_OK;
}

/* Unsigned: a file may hold any numbers, so the sum may wrap. */
static void add(int64_t *to, int64_t value)
{
    if (value != PDUMP_MISSING)
        *to = (int64_t)((uint64_t)*to + (uint64_t)value);
}

static void subtract(int64_t *from, int64_t value)
{
    *from = (int64_t)((uint64_t)*from - (uint64_t)value);
}

/* Visits that were open when the dump was made count as calls. */
static void add_rows(const struct pdump_dump *dump, int time, struct fold *f)
{
    for (int64_t i = 0; i < dump->n_rows; i++) {
        const struct pdump_dump_row *row = &dump->rows[i];

        add(&f->visits[row->node], row->visits + row->is_open);
        if (time >= 0)
            add(&f->total[row->node], dump->columns[time].sum[i]);
    }
}

/* Statistics have the sums of all ranks; rows may be those of some. */
static void add_stats(const struct pdump_dump *dump, int time, struct fold *f)
{
    for (int i = 0; i < dump->n_nodes; i++) {
        if (dump->stats[dump->n_metrics][i].n > 0)
            f->visits[i] = dump->stats[dump->n_metrics][i].sum;
        if (time >= 0 && dump->stats[time][i].n > 0)
            f->total[i] = dump->stats[time][i].sum;
    }
}

static int fill_nodes(struct pdump_stream *in, struct fold *f)
{
    int time = pdump_dump_find_metric(in->tables, "time");
    const struct pdump_dump *piece;

    if (in->tables->stats)
        add_stats(in->tables, time, f);
    for (int i = 0; !in->tables->stats && i < in->n_pieces; i++) {
        int err = in->piece(in, i, &piece);

        if (err < 0)
            return err;
        add_rows(piece, time, f);
    }
    for (int i = 0; i < f->tables->n_nodes; i++)
        f->own[i] = f->total[i];
    for (int i = 0; i < f->tables->n_nodes; i++)
        if (f->tables->nodes[i].parent >= 0)
            subtract(&f->own[f->tables->nodes[i].parent], f->total[i]);
    return PDUMP_OK;
}

/* Returns true if the first `len` bytes of `name` are the Python module in that
 * file. */
static bool is_module_of(const char *name, size_t len, const char *file)
{
    static const char package[] = "__init__.py", script[] = "__main__";
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    size_t n = strlen(base);

    if (len == strlen(script) && strncmp(name, script, len) == 0)
        return true;
    if (strcmp(base, package) == 0)
        return true;
    if (n < 3 || strcmp(base + n - 3, ".py") != 0 || len < n - 3)
        return false;
    n -= 3;
    return strncmp(name + len - n, base, n) == 0 &&
           (len == n || name[len - n - 1] == '.');
}

/* Python's profilers identify functions by file, line and name: they call
 * "module:solve" just "solve". */
static struct pdump_pstats_table_function describe_function(
    const struct pdump_dump_region *region)
{
    struct pdump_pstats_table_function made = { .file = "~",
                                                .name = region->name };
    const char *colon = strchr(region->name, ':');

    if (!region->file[0])
        return made;
    made.file = region->file;
    made.line = region->line;
    if (colon && colon[1] && colon[1] != ':' &&
        is_module_of(region->name, (size_t)(colon - region->name),
                     region->file))
        made.name = colon + 1;
    return made;
}

struct named {
    struct pdump_pstats_table_function function;
    int region;
};

static int compare_functions(const void *a, const void *b)
{
    const struct pdump_pstats_table_function *x =
        &((const struct named *)a)->function;
    const struct pdump_pstats_table_function *y =
        &((const struct named *)b)->function;
    int order = strcmp(x->file, y->file);

    if (order == 0)
        order = (x->line > y->line) - (x->line < y->line);
    return order ? order : strcmp(x->name, y->name);
}

/* Regions with the same file, line and name become one function. */
static int number_functions(const struct pdump_dump *tables,
                            struct pdump_pstats_table *out, int *of_region)
{
    size_t n = (size_t)tables->n_regions + 1;
    struct named *all = malloc(n * sizeof(*all));

    out->functions = calloc(n, sizeof(*out->functions));
    if (!all || !out->functions) {
        free(all);
        return pdump_no_memory();
    }
    for (int i = 0; i < tables->n_regions; i++)
        all[i] = (struct named){ describe_function(&tables->regions[i]), i };
    qsort(all, n - 1, sizeof(*all), compare_functions);
    for (int i = 0; i < tables->n_regions; i++) {
        if (i == 0 || compare_functions(&all[i - 1], &all[i]) != 0)
            out->functions[out->n_functions++] = all[i].function;
        of_region[all[i].region] = out->n_functions - 1;
    }
    free(all);
    return PDUMP_OK;
}

static int find_functions(struct fold *f, struct pdump_pstats_table *out)
{
    size_t n = (size_t)f->tables->n_regions + 1;
    int *of_region = malloc(n * sizeof(*of_region));
    int err = of_region ? number_functions(f->tables, out, of_region)
                        : pdump_no_memory();

    for (int i = 0; err >= 0 && i < f->tables->n_nodes; i++)
        f->function[i] = of_region[f->tables->nodes[i].region];
    free(of_region);
    return err < 0 ? err
                   : pdump_recursion_mark(f->tables, f->function,
                                          out->n_functions, f->is_inner);
}

static int number_calls(struct fold *f, struct pdump_pair_index *index,
                        struct pdump_pstats_table *out)
{
    for (int i = 0; i < f->tables->n_nodes; i++) {
        int parent = f->tables->nodes[i].parent;
        int caller = parent < 0 ? -1 : f->function[parent];
        int64_t at = pdump_pair_index_find(index, caller, f->function[i]);

        f->call[i] = (int)at;
        if (parent < 0)
            f->call[i] = -1;
        if (parent < 0 || at >= 0)
            continue;
        if (pdump_pair_index_put(index, caller, f->function[i], out->n_calls) <
            0)
            return PDUMP_ENOMEM;
        f->call[i] = out->n_calls;
        out->calls[out->n_calls++] = (struct pdump_pstats_table_call){
            .caller = caller,
            .callee = f->function[i],
        };
    }
    return PDUMP_OK;
}

static int find_calls(struct fold *f, struct pdump_pstats_table *out)
{
    struct pdump_pair_index index = { 0 };
    int err;

    out->calls = calloc((size_t)f->tables->n_nodes + 1, sizeof(*out->calls));
    if (!out->calls)
        return pdump_no_memory();
    err = number_calls(f, &index, out);
    pdump_pair_index_free(&index);
    return err < 0 ? err
                   : pdump_recursion_mark(f->tables, f->call, out->n_calls,
                                          f->is_inner_call);
}

static void add_node(const struct fold *f, int node, bool is_inner,
                     struct pdump_pstats_table_figures *to)
{
    add(&to->calls, f->visits[node]);
    add(&to->own, f->own[node]);
    if (is_inner)
        return;
    add(&to->primitive, f->visits[node]);
    add(&to->total, f->total[node]);
}

static int by_callee(const void *a, const void *b)
{
    const struct pdump_pstats_table_call *x = a, *y = b;

    if (x->callee != y->callee)
        return x->callee < y->callee ? -1 : 1;
    return (x->caller > y->caller) - (x->caller < y->caller);
}

static void sum_up(const struct fold *f, struct pdump_pstats_table *out)
{
    for (int i = 0; i < f->tables->n_nodes; i++) {
        add_node(f, i, f->is_inner[i], &out->functions[f->function[i]].figures);
        if (f->call[i] >= 0)
            add_node(f, i, f->is_inner_call[i],
                     &out->calls[f->call[i]].figures);
    }
    if (out->n_calls > 0)
        qsort(out->calls, (size_t)out->n_calls, sizeof(*out->calls), by_callee);
}

int pdump_pstats_table_of(struct pdump_stream *in,
                          struct pdump_pstats_table *out)
{
    struct fold f = { 0 };
    int err = new_fold(in->tables, &f);

    *out = (struct pdump_pstats_table){ 0 };
    if (err >= 0)
        err = fill_nodes(in, &f);
    if (err >= 0)
        err = find_functions(&f, out);
    if (err >= 0)
        err = find_calls(&f, out);
    if (err >= 0)
        sum_up(&f, out);
    free_fold(&f);
    return err;
}

void pdump_pstats_table_free(struct pdump_pstats_table *p)
{
    free(p->functions);
    free(p->calls);
}
