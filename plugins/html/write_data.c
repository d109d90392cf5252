/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the data of the page as JSON that is safe inside a script element.
 *
 * The data is in columns, as in the other formats; model.js reads them.
 */
#include "write_data.h"
#include "write_details.h"
#include "write_lines.h"
#include "write_memory.h"
#include "write_timeline.h"

#include "base/json.h"
#include "dump/dump_schema.h"
#include "dump/reading_cost.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Writes the separator of list entries, except before the first. */
static void comma(FILE *f, bool is_first)
{
    if (!is_first)
        putc_unlocked(',', f);
}

static void put_notes(FILE *f, const struct pdump_dump *t)
{
    fputs("\"metadata\":[", f);
    for (int i = 0; i < t->n_metadata; i++) {
        fputs(i ? ",[" : "[", f);
        pdump_json_string(f, "", t->metadata[i].key);
        putc_unlocked(',', f);
        pdump_json_string(f, "", t->metadata[i].value);
        putc_unlocked(']', f);
    }
    fputs("],\n\"warnings\":[", f);
    for (int i = 0; i < t->n_warnings; i++) {
        fputs(i ? ",[" : "[", f);
        pdump_json_string(f, "", t->warnings[i].text);
        fprintf(f, ",%" PRId64 "]", t->warnings[i].count);
    }
    putc_unlocked(']', f);
}

static void put_processes(FILE *f, const struct pdump_dump *t,
                          const struct pdump_stream *in)
{
    enum { SHOWN_MAX = 1000 };
    const char *ranks = pdump_dump_metadata(t, "ranks");

    fprintf(f, ",\n\"ranks\":%d,\"threads\":%d,\"processes\":[",
            in->n_ranks ? in->n_ranks
            : ranks     ? atoi(ranks)
                        : 0,
            t->n_threads);
    for (int i = 0; i < t->n_processes && i < SHOWN_MAX; i++) {
        const struct pdump_dump_process *p = &t->processes[i];

        fprintf(f, "%s[%d,%" PRId64 ",", i ? "," : "", p->rank, p->pid);
        pdump_json_string(f, "", p->host);
        putc_unlocked(',', f);
        pdump_json_string(f, "", p->command);
        putc_unlocked(',', f);
        pdump_json_string(f, "", p->cpu);
        putc_unlocked(']', f);
    }
    putc_unlocked(']', f);
}

static void put_metrics(FILE *f, const struct pdump_dump *t)
{
    fputs(",\n\"metrics\":[", f);
    for (int i = 0; i < t->n_metrics; i++) {
        fputs(i ? ",{\"name\":" : "{\"name\":", f);
        pdump_json_string(f, "", t->metrics[i].name);
        fputs(",\"unit\":", f);
        pdump_json_string(f, "", t->metrics[i].unit);
        fputs(",\"about\":", f);
        pdump_json_string(f, "", t->metrics[i].about);
        fprintf(f, ",\"kind\":\"%s\",\"readingCost\":%g}",
                pdump_schema_metric_kind(t->metrics[i].kind),
                pdump_reading_cost(t, i));
    }
    putc_unlocked(']', f);
}

/* Marks the regions all of whose nodes are omitted; NULL if there are none.
 * Regions without nodes, such as markers, are not marked.  Given: free(). */
static bool *hidden_regions(const struct figures *g)
{
    const struct pdump_dump *t = g->tables;
    bool *is_hidden = g->n_hidden > 0
                          ? calloc((size_t)t->n_regions + 1, sizeof(*is_hidden))
                          : NULL;

    for (int i = 0; is_hidden && i < t->n_nodes; i++)
        if (g->number[i] < 0)
            is_hidden[t->nodes[i].region] = true;
    for (int i = 0; is_hidden && i < t->n_nodes; i++)
        if (g->number[i] >= 0)
            is_hidden[t->nodes[i].region] = false;
    return is_hidden;
}

/* Keeps the numbering: an omitted region gets an entry with an empty name. */
static void put_regions(FILE *f, const struct figures *g)
{
    const struct pdump_dump *t = g->tables;
    bool *is_hidden = hidden_regions(g);

    fputs(",\n\"regions\":[", f);
    for (int i = 0; i < t->n_regions; i++) {
        comma(f, i == 0);
        if (is_hidden && is_hidden[i]) {
            fputs("[\"\"]", f);
            continue;
        }
        putc_unlocked('[', f);
        pdump_json_string(f, "", t->regions[i].name);
        putc_unlocked(',', f);
        pdump_json_string(f, "", t->regions[i].group);
        putc_unlocked(',', f);
        pdump_json_string(f, "", t->regions[i].file);
        fprintf(f, ",%d]", t->regions[i].line);
    }
    putc_unlocked(']', f);
    free(is_hidden);
}

static void put_tree(FILE *f, const struct figures *g)
{
    const struct pdump_dump *t = g->tables;
    bool is_first = true;

    put_regions(f, g);
    fprintf(f, ",\n\"hidden\":%" PRId64 ",\"nodes\":[", g->n_hidden);
    for (int i = 0; i < t->n_nodes; i++) {
        int parent = t->nodes[i].parent;

        if (g->number[i] < 0)
            continue;
        fprintf(f, "%s%d,%d", is_first ? "" : ",",
                parent < 0 ? -1 : g->number[parent], t->nodes[i].region);
        is_first = false;
    }
    putc_unlocked(']', f);
}

enum figure { SUM, SELF, MIN, MAX, RANKS, RANK_OF_MIN, RANK_OF_MAX, N_FIGURES };

static int64_t figure_of(const struct figures *g, int metric, int node,
                         enum figure figure)
{
    const struct pdump_dump_rank_stat *stat = &g->stats[metric][node];

    if (stat->n <= 0)
        return figure == RANKS ? 0 : PDUMP_MISSING;
    switch (figure) {
    case SELF:
        return metric < g->tables->n_metrics ? g->self[metric][node]
                                             : PDUMP_MISSING;
    case MIN:
        return stat->min;
    case MAX:
        return stat->max;
    case RANKS:
        return stat->n;
    case RANK_OF_MIN:
        return stat->rank_of_min;
    case RANK_OF_MAX:
        return stat->rank_of_max;
    default:
        return stat->sum;
    }
}

/* Writes the figures of one metric, or of the visits. */
static void put_figures(FILE *f, const struct figures *g, int metric)
{
    static const char *const names[N_FIGURES] = {
        "sum", "self", "min", "max", "ranks", "rank_of_min", "rank_of_max"
    };

    putc_unlocked('{', f);
    for (int figure = 0; figure < N_FIGURES; figure++) {
        bool is_first = true;

        fprintf(f, "%s\"%s\":[", figure ? ",\n" : "", names[figure]);
        for (int i = 0; i < g->tables->n_nodes; i++) {
            if (g->number[i] < 0)
                continue;
            comma(f, is_first);
            pdump_json_int(f, "", figure_of(g, metric, i, (enum figure)figure));
            is_first = false;
        }
        putc_unlocked(']', f);
    }
    putc_unlocked('}', f);
}

static void put_map(FILE *f, const struct figures *g)
{
    if (g->n_bins == 0) {
        fputs(",\n\"map\":null", f);
        return;
    }
    fputs(",\n\"map\":{\"nodes\":[", f);
    for (int i = 0; i < g->n_rows; i++)
        fprintf(f, "%s%d", i ? "," : "", g->number[g->rows[i]]);
    fputs("],\"ranks\":[", f);
    for (int i = 0; i < g->n_bins; i++)
        fprintf(f, "%s%d", i ? "," : "", g->first_rank[i]);
    fputs("],\"values\":[", f);
    for (int m = 0; m < g->tables->n_metrics; m++) {
        fputs(m ? ",\n[" : "[", f);
        for (int i = 0; i < g->n_rows * g->n_bins; i++) {
            comma(f, i == 0);
            if (isnan(g->map[m][i]))
                fputs("null", f);
            else
                fprintf(f, "%.6g", g->map[m][i]);
        }
        putc_unlocked(']', f);
    }
    fputs("]}", f);
}

static void put_steps(FILE *f, const struct figures *g)
{
    fputs(",\n\"steps\":[", f);
    for (int i = 0; i < g->n_steps; i++) {
        const struct figures_steps *s = &g->steps[i];

        fprintf(f, "%s{\"node\":%d,\"per_bin\":%" PRId64 ",\"values\":[",
                i ? ",\n" : "", g->number[s->node], s->per_bin);
        for (int m = 0; m < g->tables->n_metrics; m++) {
            fputs(m ? ",[" : "[", f);
            for (int k = 0; k < s->n; k++) {
                const struct pdump_dump_rank_stat *stat = &s->stats[m][k];

                comma(f, k == 0);
                if (stat->n > 0)
                    fprintf(f, "[%.6g,%" PRId64 ",%" PRId64 "]",
                            pdump_rank_stat_mean(stat), stat->min, stat->max);
                else
                    fputs("null", f);
            }
            putc_unlocked(']', f);
        }
        fputs("]}", f);
    }
    putc_unlocked(']', f);
}

int html_write_data(FILE *f, const struct figures *figures,
                    struct pdump_stream *in)
{
    const struct pdump_dump *t = figures->tables;
    int err;

    fputs("{\"version\":1,\n", f);
    put_notes(f, t);
    put_processes(f, t, in);
    put_metrics(f, t);
    put_tree(f, figures);
    fputs(",\n\"visits\":", f);
    put_figures(f, figures, t->n_metrics);
    fputs(",\n\"figures\":[", f);
    for (int m = 0; m < t->n_metrics; m++) {
        fputs(m ? ",\n" : "", f);
        put_figures(f, figures, m);
    }
    putc_unlocked(']', f);
    put_map(f, figures);
    put_steps(f, figures);
    html_write_details(f, t);
    html_write_lines(f, t);
    html_write_memory(f, t);
    err = html_write_timeline(f, figures, in);
    fputs("}\n", f);
    return err;
}
