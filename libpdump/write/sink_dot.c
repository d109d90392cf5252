/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call graph for graphviz, over all threads and ranks: a box per region,
 * whatever its callers, the redder the more time it has, and an arrow per
 * caller and callee.
 */
#include "base/utf8.h"
#include "write/call_graph.h"
#include "write/sink.h"

#include <math.h>

/* Regions below this are left out; otherwise the picture would not be
 * readable. */
static const double percent_min = 0.5;

struct drawing {
    const struct pdump_dump *tables;
    struct pdump_call_graph graph;
    int time;
};

/* Returns the percentage of the total time; NAN if there is none. */
static double node_percent(const struct drawing *d, const int64_t *values,
                           int at)
{
    int64_t value =
        values[(size_t)at * (size_t)d->graph.n_metrics + (size_t)d->time];
    int64_t total = d->graph.total[d->time];

    if (value == PDUMP_MISSING || total <= 0)
        return NAN;
    return 100 * (double)value / (double)total;
}

/* A region without a percentage is shown, because it is not known to be
 * small. */
static bool is_shown(const struct drawing *d, int at)
{
    return d->graph.places[at].is_used &&
           !(node_percent(d, d->graph.sum, at) < percent_min);
}

/* Graphviz draws an entity in a name, such as &lt;, as the character that it
 * stands for. */
static void put_name(FILE *f, const char *name)
{
    static const struct pdump_utf8_rules rules = { "", ' ', "\"\\", 80 };

    pdump_utf8_put(f, name, &rules);
}

static void put_percent(FILE *f, const char *before, double value,
                        const char *after)
{
    if (isnan(value))
        return;
    fprintf(f, "%s%.1f %%%s", before, value, after);
}

static void put_box(FILE *f, const struct drawing *d, int at)
{
    const struct pdump_call_graph_place *place = &d->graph.places[at];
    double share = node_percent(d, d->graph.sum, at) / 100;

    fprintf(f, "    n%d [label=\"", at);
    put_name(f, d->tables->regions[place->region].name);
    put_percent(f, "\\n", 100 * share, "");
    put_percent(f, "\\n(", node_percent(d, d->graph.self, at), " self)");
    fprintf(f, "\\n%lld x\"", (long long)place->visits);
    share = isnan(share) || share < 0 ? 0 : share > 1 ? 1 : share;
    fprintf(f, ", fillcolor=\"0.02 %.3f 1.000\"];\n", 0.8 * share);
}

static void put_arrow(FILE *f, const struct drawing *d, int i)
{
    const struct pdump_call_graph_call *call = &d->graph.calls[i];
    double share = node_percent(d, d->graph.call_sum, i);
    double width = isnan(share) || share < 0 ? 0 : share > 100 ? 100 : share;

    fprintf(f, "    n%d -> n%d [label=\"", call->from, call->to);
    put_percent(f, "", share, "\\n");
    fprintf(f, "%lld x\", penwidth=%.2f];\n", (long long)call->visits,
            0.5 + width / 25);
}

static void put_head(FILE *f, const struct drawing *d, int n_left_out)
{
    const char *command = pdump_dump_metadata(d->tables, "command");
    int64_t total = d->graph.total[d->time];

    fputs("// Percentages are of the time of all outermost regions, over all\n"
          "// threads and ranks; of arrows: the time in the callee when called "
          "from there.\n",
          f);
    fprintf(f, "// Left out: %d regions below %.1f %%.\n", n_left_out,
            percent_min);
    fputs("digraph {\n    label=\"", f);
    if (command) {
        put_name(f, command);
        fputs("\\n", f);
    }
    fprintf(f, "%.6g s in %d threads of %d processes\";\n",
            total == PDUMP_MISSING ? 0 : (double)total / 1e9,
            d->tables->n_threads, d->tables->n_processes);
    fputs("    node [shape=box, style=filled, fontname=\"sans-serif\"];\n"
          "    edge [fontname=\"sans-serif\", fontsize=10];\n",
          f);
}

static int put_graph(FILE *f, void *data)
{
    const struct drawing *d = data;
    const struct pdump_call_graph *g = &d->graph;
    int n_left_out = 0;

    for (int i = 0; i < g->n_places; i++)
        n_left_out += g->places[i].is_used && !is_shown(d, i);
    put_head(f, d, n_left_out);
    for (int i = 0; i < g->n_places; i++)
        if (is_shown(d, i))
            put_box(f, d, i);
    for (int i = 0; i < g->n_calls; i++)
        if (is_shown(d, g->calls[i].from) && is_shown(d, g->calls[i].to))
            put_arrow(f, d, i);
    fputs("}\n", f);
    return PDUMP_OK;
}

static int dot_write(struct pdump_stream *in, const struct pdump_new_file *file)
{
    struct drawing d = { .tables = in->tables,
                         .time = pdump_sink_time(in->tables) };
    int err = d.time < 0 ? d.time : pdump_call_graph_of(in, false, &d.graph);

    if (err < 0)
        return err;
    err = pdump_sink_print(file, put_graph, &d);
    pdump_call_graph_free(&d.graph);
    return err;
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".dot", .write = dot_write },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_dot = {
    .name = "dot",
    .about = "the call graph as a picture, for graphviz",
    .has_stacks = true,
    .parts = parts,
};
