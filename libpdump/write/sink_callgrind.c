/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Callgrind's format, for KCachegrind and callgrind_annotate: the own cost of
 * each region, and the cost of the regions that it calls, over all threads and
 * ranks.
 *
 * If lines were recorded, or stacks with lines, a function's own time is that
 * of its lines.  The time
 * that is in none of them, the counters and the calls are attributed to the
 * first line of the function.
 *
 * As in callgrind by default, visits of a region inside itself are another
 * function, name'2: readers add up calls, and would count them twice.
 */
#include "base/csv.h"
#include "base/metric_name.h"
#include "base/utf8.h"
#include "report/view/line_view.h"
#include "write/call_graph.h"
#include "write/sink.h"

#include <ctype.h>
#include <pdump.h>
#include <stdlib.h>
#include <string.h>

struct grinding {
    const struct pdump_dump *tables;
    struct pdump_call_graph graph;
    int *first_call; /* by place: list through next_call, or -1 */
    int *next_call;
    bool *is_named;      /* by place: its name has been written */
    int *file;           /* by region: the number of its file, counted from 1 */
    bool *is_file_named; /* by number of the file */
    bool *is_event;      /* by metric: it has a column */
    struct pdump_line_view lines;
    struct pdump_line_view stack_lines;
    const struct pdump_line_function **lines_of; /* by region, or NULL */
};

static const struct pdump_utf8_rules rules = { "", ' ', NULL, 0 };

/* Returns true if a metric that can decrease has a figure below 0.  In other
 * metrics, such figures are errors of clocks and estimates, and are written as
 * 0. */
static bool has_negative(const struct grinding *g, int metric)
{
    const struct pdump_dump_metric *one = &g->tables->metrics[metric];
    const struct pdump_call_graph *graph = &g->graph;
    size_t n = (size_t)graph->n_metrics;
    bool has = false;

    if (one->kind != PDUMP_USER && !pdump_metric_may_decrease(one->name))
        return false;
    for (size_t i = (size_t)metric; i < (size_t)graph->n_places * n; i += n)
        has = has || (graph->sum[i] < 0 && graph->sum[i] != PDUMP_MISSING) ||
              (graph->self[i] < 0 && graph->self[i] != PDUMP_MISSING);
    return has;
}

static int choose_events(struct grinding *g)
{
    g->is_event = calloc((size_t)g->graph.n_metrics + 1, sizeof(*g->is_event));
    if (!g->is_event)
        return pdump_no_memory();
    for (int m = 0; m < g->graph.n_metrics; m++)
        g->is_event[m] =
            g->tables->metrics[m].kind != PDUMP_GAUGE && !has_negative(g, m);
    return PDUMP_OK;
}

/* Writes a name with letters and digits only; the number distinguishes names
 * that become equal. */
static void put_event(FILE *f, const struct pdump_dump *dump, int metric)
{
    const char *name = dump->metrics[metric].name;
    bool is_changed = !*name;

    putc_unlocked(' ', f);
    if (!isalpha((unsigned char)*name))
        fputs_unlocked("event", f);
    for (; *name; name++) {
        bool is_good = *name == '_' || (isascii((unsigned char)*name) &&
                                        isalnum((unsigned char)*name));

        putc_unlocked(is_good ? *name : '_', f);
        is_changed = is_changed || !is_good;
    }
    if (strcmp(dump->metrics[metric].name, "time") == 0)
        fputs_unlocked("_ns", f);
    else if (is_changed)
        fprintf(f, "_%d", metric);
}

/* Writes the values (NULL: zeroes), with `cost` as the value of `metric`. */
static void put_costs_with(FILE *f, const struct grinding *g, int line,
                           const int64_t *values, int metric, int64_t cost)
{
    pdump_csv_put_int(f, line);
    for (int m = 0; m < g->graph.n_metrics; m++) {
        int64_t value = m == metric ? cost : values ? values[m] : 0;

        if (!g->is_event[m])
            continue;
        putc_unlocked(' ', f);
        pdump_csv_put_int(f, pdump_node_totals_positive(value));
    }
    putc_unlocked('\n', f);
}

static void put_costs(FILE *f, const struct grinding *g, int line,
                      const int64_t *values)
{
    put_costs_with(f, g, line, values, -1, 0);
}

static int64_t self_of(const struct pdump_line *line)
{
    return line->time > line->called ? line->time - line->called : 0;
}

/* The part of a function's own time that is in none of its lines.  Recording a
 * call counts for the caller in line times and for the function in region
 * times, so the lines may have a little more time than the function: then this
 * is 0.  If they have much more, the lines include other functions: then this
 * is negative. */
static int64_t rest_of(const struct pdump_line_function *fn, int64_t own)
{
    int64_t rest = own;

    for (int64_t i = 0; i < fn->n; i++)
        rest -= self_of(&fn->lines[i]);
    return rest < 0 && rest > -own / 100 ? 0 : rest;
}

/* Writes a function's own costs, by line if that shows where its time goes.  It
 * does not if the lines include other functions, regions or MPI calls, nor in
 * recursion. */
static void put_self(FILE *f, const struct grinding *g, int at)
{
    const struct pdump_call_graph_place *place = &g->graph.places[at];
    const struct pdump_line_function *fn = g->lines_of[place->region];
    const int64_t *self =
        g->graph.self + (size_t)at * (size_t)g->graph.n_metrics;
    int time = pdump_dump_find_metric(g->tables, "time");
    int line = g->tables->regions[place->region].line;
    int64_t rest = -1;

    if (fn && time >= 0)
        rest = rest_of(fn, pdump_node_totals_positive(self[time]));
    if (rest < 0) {
        put_costs(f, g, line, self);
        return;
    }
    put_costs_with(f, g, line, self, time, rest);
    for (int64_t i = 0; i < fn->n; i++)
        if (self_of(&fn->lines[i]) > 0)
            put_costs_with(f, g, fn->lines[i].number, NULL, time,
                           self_of(&fn->lines[i]));
}

/* Writes "fl=(1) name" the first time, "fl=(1)" later; likewise for
 * functions. */
static void put_place(FILE *f, struct grinding *g, int at, bool is_called)
{
    const struct pdump_call_graph_place *place = &g->graph.places[at];
    const struct pdump_dump_region *region = &g->tables->regions[place->region];
    int file = g->file[place->region];

    fprintf(f, "%s=(%d)", is_called ? "cfi" : "fl", file);
    if (!g->is_file_named[file]) {
        putc_unlocked(' ', f);
        pdump_utf8_put(f, region->file[0] ? region->file : "???", &rules);
        g->is_file_named[file] = true;
    }
    fprintf(f, "\n%s=(%d)", is_called ? "cfn" : "fn", at + 1);
    if (!g->is_named[at]) {
        putc_unlocked(' ', f);
        pdump_utf8_put(f, region->name, &rules);
        fputs_unlocked(place->is_inner ? "'2" : "", f);
        g->is_named[at] = true;
    }
    putc_unlocked('\n', f);
}

static void put_function(FILE *f, struct grinding *g, int at)
{
    const struct pdump_call_graph *graph = &g->graph;
    int line = g->tables->regions[graph->places[at].region].line;
    size_t n = (size_t)graph->n_metrics;

    putc_unlocked('\n', f);
    put_place(f, g, at, false);
    put_self(f, g, at);
    for (int i = g->first_call[at]; i >= 0; i = g->next_call[i]) {
        int to = graph->calls[i].to;

        if (!graph->places[to].is_used)
            continue;
        put_place(f, g, to, true);
        fputs_unlocked("calls=", f);
        pdump_csv_put_int(f,
                          pdump_node_totals_positive(graph->calls[i].visits));
        fprintf(f, " %d\n", g->tables->regions[graph->places[to].region].line);
        put_costs(f, g, line, graph->call_sum + (size_t)i * n);
    }
}

static void put_head(FILE *f, const struct grinding *g)
{
    const struct pdump_dump *dump = g->tables;
    const char *command = pdump_dump_metadata(dump, "command");

    fprintf(f, "# callgrind format\nversion: 1\ncreator: libpdump %s\n",
            pdump_version());
    if (command) {
        fputs("cmd: ", f);
        pdump_utf8_put(f, command, &rules);
        putc_unlocked('\n', f);
    }
    fprintf(f, "desc: Sums: over %d threads of %d processes\n", dump->n_threads,
            dump->n_processes);
    for (int m = 0; m < dump->n_metrics; m++)
        if (!g->is_event[m] && dump->metrics[m].kind != PDUMP_GAUGE) {
            fputs("desc: Left out, as it has figures below 0:", f);
            put_event(f, dump, m);
            putc_unlocked('\n', f);
        }
    fputs("positions: line\nevents:", f);
    for (int m = 0; m < dump->n_metrics; m++)
        if (g->is_event[m])
            put_event(f, dump, m);
    putc_unlocked('\n', f);
}

/* Writes what readers take as 100 %: the sum of the own costs of all
 * functions. */
static void put_totals(FILE *f, const struct grinding *g)
{
    fputs("\ntotals:", f);
    for (int m = 0; m < g->graph.n_metrics; m++) {
        int64_t total = 0;

        if (!g->is_event[m])
            continue;
        for (int i = 0; i < g->graph.n_places; i++)
            total = pdump_node_totals_plus(
                total,
                pdump_node_totals_positive(
                    g->graph.self[(size_t)i * (size_t)g->graph.n_metrics +
                                  (size_t)m]));
        putc_unlocked(' ', f);
        pdump_csv_put_int(f, pdump_node_totals_positive(total));
    }
    putc_unlocked('\n', f);
}

static int put_profile(FILE *f, void *data)
{
    struct grinding *g = data;

    put_head(f, g);
    for (int i = 0; i < g->graph.n_places; i++)
        if (g->graph.places[i].is_used)
            put_function(f, g, i);
    put_totals(f, g);
    return PDUMP_OK;
}

/* Equal file names are one string in a dump, so files are compared by
 * address. */
static int number_files(struct grinding *g)
{
    struct pdump_pair_index index = { 0 };
    int n = 0, err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < g->tables->n_regions; i++) {
        int64_t name = (int64_t)(intptr_t)g->tables->regions[i].file;
        int64_t at = pdump_pair_index_find(&index, name, 0);

        if (at < 0) {
            at = ++n;
            err = pdump_pair_index_put(&index, name, 0, at);
        }
        g->file[i] = (int)at;
    }
    pdump_pair_index_free(&index);
    return err;
}

static void use_lines(struct grinding *g, const struct pdump_line_view *lines)
{
    for (int64_t i = 0; i < lines->n; i++) {
        const struct pdump_line_function *fn = &lines->functions[i];

        if (fn->region >= 0 &&
            strcmp(fn->file, g->tables->regions[fn->region].file) == 0)
            g->lines_of[fn->region] = fn;
    }
}

/* Lines are used for regions that are in the same file as their lines, and that
 * are not recursive. */
static int find_lines(struct grinding *g)
{
    int err = pdump_line_view(g->tables, &g->lines);

    if (err >= 0)
        err = pdump_line_view_stacks(g->tables, &g->stack_lines);
    use_lines(g, &g->lines);
    use_lines(g, &g->stack_lines);
    for (int i = 0; err >= 0 && i < g->graph.n_places; i++)
        if (g->graph.places[i].is_inner && g->graph.places[i].is_used)
            g->lines_of[g->graph.places[i].region] = NULL;
    return err;
}

static int prepare_calls(struct grinding *g)
{
    size_t places = (size_t)g->graph.n_places + 1;
    size_t regions = (size_t)g->tables->n_regions + 2;
    int err;

    g->first_call = malloc(places * sizeof(*g->first_call));
    g->next_call =
        malloc(((size_t)g->graph.n_calls + 1) * sizeof(*g->next_call));
    g->is_named = calloc(places, sizeof(*g->is_named));
    g->file = calloc(regions, sizeof(*g->file));
    g->is_file_named = calloc(regions, sizeof(*g->is_file_named));
    g->lines_of = calloc(regions, sizeof(*g->lines_of));
    if (!g->first_call || !g->next_call || !g->is_named || !g->file ||
        !g->is_file_named || !g->lines_of)
        return pdump_no_memory();
    for (int i = 0; i < g->graph.n_places; i++)
        g->first_call[i] = -1;
    for (int i = g->graph.n_calls - 1; i >= 0; i--) {
        g->next_call[i] = g->first_call[g->graph.calls[i].from];
        g->first_call[g->graph.calls[i].from] = i;
    }
    err = number_files(g);
    return err < 0 ? err : find_lines(g);
}

static int callgrind_write(struct pdump_stream *in,
                           const struct pdump_new_file *file)
{
    struct grinding g = { .tables = in->tables };
    int err = pdump_call_graph_of(in, true, &g.graph);

    if (err < 0)
        return err;
    err = choose_events(&g);
    if (err >= 0)
        err = prepare_calls(&g);
    if (err >= 0)
        err = pdump_sink_print(file, put_profile, &g);
    free(g.is_event);
    free(g.first_call);
    free(g.next_call);
    free(g.is_named);
    free(g.file);
    free(g.is_file_named);
    free(g.lines_of);
    pdump_line_view_free(&g.lines);
    pdump_line_view_free(&g.stack_lines);
    pdump_call_graph_free(&g.graph);
    return err;
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".callgrind", .write = callgrind_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_callgrind = {
    .name = "callgrind",
    .about = "who calls whom, for KCachegrind and callgrind_annotate",
    .has_stacks = true,
    .parts = parts,
};
