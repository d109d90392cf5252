/* SPDX-License-Identifier: BSD-3-Clause */
/* PyPerfDump's CSV layout: region,event,value without a header, for scripts
 * that were written for it; rank in front if there are several processes. */
#include "base/csv.h"
#include "base/pair_index.h"
#include "dump/recursion.h"
#include "stream/node_totals.h"
#include "write/sink.h"

#include <stdlib.h>

/* A region in a process, which PyPerfDump calls a region. */
struct group {
    int number; /* in order of first mention */
    int process;
    int region;
    int64_t first_row; /* list through next_row, or -1 */
    int64_t last_row;
    int64_t first_sample; /* list through next_sample, or -1 */
    int64_t last_sample;
};

struct groups {
    struct group *group;
    int n;
    struct pdump_pair_index index; /* by process and region */
    int64_t *next_row;
    int64_t *next_sample;
    bool *is_inner; /* by node: inside a node of the same region */
};

static void free_groups(struct groups *g)
{
    pdump_pair_index_free(&g->index);
    free(g->group);
    free(g->next_row);
    free(g->next_sample);
    free(g->is_inner);
}

/* The figures of a region inside itself are included in those of the outer
 * one. */
static int find_inner(const struct pdump_dump *dump, struct groups *g)
{
    size_t n = (size_t)dump->n_nodes + 1;
    int *region = malloc(n * sizeof(*region));
    int err;

    g->is_inner = calloc(n, sizeof(*g->is_inner));
    if (!region || !g->is_inner) {
        free(region);
        return pdump_no_memory();
    }
    for (int i = 0; i < dump->n_nodes; i++)
        region[i] = dump->nodes[i].region;
    err = pdump_recursion_mark(dump, region, dump->n_regions, g->is_inner);
    free(region);
    return err;
}

/* Returns the group of a thread and node, which is added if it is new; NULL
 * without memory. */
static struct group *find_group(const struct pdump_dump *dump, struct groups *g,
                                int thread, int node)
{
    int process = dump->threads[thread].process;
    int region = dump->nodes[node].region;
    int64_t at = pdump_pair_index_find(&g->index, process, region);

    if (at >= 0)
        return &g->group[at];
    if ((g->n & (g->n - 1)) == 0) {
        size_t n = g->n ? 2 * (size_t)g->n : 1;
        struct group *group = realloc(g->group, n * sizeof(*group));

        if (!group)
            return NULL;
        g->group = group;
    }
    if (pdump_pair_index_put(&g->index, process, region, g->n) < 0)
        return NULL;
    g->group[g->n] = (struct group){ g->n, process, region, -1, -1, -1, -1 };
    return &g->group[g->n++];
}

static void append(int64_t *first, int64_t *last, int64_t *next, int64_t i)
{
    next[i] = -1;
    if (*first < 0)
        *first = i;
    else
        next[*last] = i;
    *last = i;
}

static int make_groups(const struct pdump_dump *dump, struct groups *g)
{
    int err = find_inner(dump, g);

    g->next_row = malloc(((size_t)dump->n_rows + 1) * sizeof(int64_t));
    g->next_sample = malloc(((size_t)dump->n_samples + 1) * sizeof(int64_t));
    if (err < 0 || !g->next_row || !g->next_sample)
        return pdump_no_memory();
    for (int64_t i = 0; i < dump->n_rows; i++) {
        struct group *group =
            find_group(dump, g, dump->rows[i].thread, dump->rows[i].node);

        if (!group)
            return pdump_no_memory();
        append(&group->first_row, &group->last_row, g->next_row, i);
    }
    for (int64_t i = 0; i < dump->n_samples; i++) {
        struct group *group =
            find_group(dump, g, dump->samples[i].thread, dump->samples[i].node);

        if (!group)
            return pdump_no_memory();
        append(&group->first_sample, &group->last_sample, g->next_sample, i);
    }
    return PDUMP_OK;
}

/* Adds up the threads and nodes of the region; PDUMP_MISSING if none has a
 * value.  For a gauge, returns the highest. */
static int64_t sum_of(const struct pdump_dump *dump, const struct groups *g,
                      const struct group *group, int metric)
{
    bool is_gauge = dump->metrics[metric].kind == PDUMP_GAUGE;
    int64_t sum = PDUMP_MISSING;

    for (int64_t i = group->first_row; i >= 0; i = g->next_row[i]) {
        int64_t value = pdump_dump_figure(dump, metric, i);

        if (!is_gauge && !g->is_inner[dump->rows[i].node])
            sum = pdump_node_totals_plus(sum, value);
        else if (is_gauge && value > sum)
            sum = value;
    }
    return sum;
}

static void begin_line(FILE *f, const struct pdump_dump *dump,
                       const struct group *group, const char *event)
{
    if (dump->n_processes > 1) {
        pdump_csv_put_int(f, dump->processes[group->process].rank);
        putc_unlocked(',', f);
    }
    pdump_csv_put_text(f, dump->regions[group->region].name);
    putc_unlocked(',', f);
    pdump_csv_put_text(f, event);
    putc_unlocked(',', f);
}

static void put_value(FILE *f, const struct pdump_dump *dump,
                      const struct group *group, int metric, int64_t value)
{
    if (value == PDUMP_MISSING)
        return;
    begin_line(f, dump, group, dump->metrics[metric].name);
    pdump_csv_put_int(f, value);
    putc_unlocked('\n', f);
}

/* Samples do not have all metrics: user metrics are missing. */
static bool has_sampled(const struct pdump_dump *dump, const struct groups *g,
                        const struct group *group, int metric)
{
    for (int64_t i = group->first_sample; i >= 0; i = g->next_sample[i])
        if (dump->sample_values[metric][i] != PDUMP_MISSING)
            return true;
    return false;
}

static void put_group(FILE *f, const struct pdump_dump *dump,
                      const struct groups *g, const struct group *group)
{
    int time = pdump_dump_find_metric(dump, "time");
    int64_t ns;

    for (int m = 0; m < dump->n_metrics; m++) {
        if (m == time)
            continue;
        if (!has_sampled(dump, g, group, m))
            put_value(f, dump, group, m, sum_of(dump, g, group, m));
        for (int64_t i = group->first_sample; i >= 0; i = g->next_sample[i])
            put_value(f, dump, group, m, dump->sample_values[m][i]);
    }
    ns = time < 0 ? PDUMP_MISSING : sum_of(dump, g, group, time);
    if (ns == PDUMP_MISSING)
        return;
    begin_line(f, dump, group, "Runtime");
    fprintf(f, "%.9f\n", (double)ns / 1e9);
}

static int by_process(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int put_lines(FILE *f, void *data)
{
    const struct pdump_dump *dump;
    struct groups groups = { 0 };
    int err = pdump_stream_whole(data, &dump);

    if (err == PDUMP_OK)
        err = make_groups(dump, &groups);
    if (err == PDUMP_OK && groups.n > 0)
        qsort(groups.group, (size_t)groups.n, sizeof(*groups.group),
              by_process);
    for (int i = 0; err == PDUMP_OK && i < groups.n; i++)
        put_group(f, dump, &groups, &groups.group[i]);
    free_groups(&groups);
    return err;
}

static int pyperfdump_write(struct pdump_stream *in, const char *path)
{
    return pdump_node_totals_print_rows(in, path, put_lines);
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".csv", .write = pyperfdump_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_pyperfdump = {
    .name = "csv-pyperfdump",
    .about = "PyPerfDump's layout: [rank,]region,event,value",
    .parts = parts,
};
