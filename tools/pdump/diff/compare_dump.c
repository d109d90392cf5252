/* SPDX-License-Identifier: BSD-3-Clause */
/* Combines two runs into one dump that the page shows as a comparison. */
#include "diff/compare_dump.h"
#include "diff/compare.h"

#include "dump/builder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct work {
    struct pdump_dump *const *pair;
    int *metrics; /* of the second run; those that both have */
    int n_metrics;
    struct pdump_builder *b;
    int64_t *rows; /* by node; -1: none yet */
};

static int choose_metrics(struct work *w)
{
    const struct pdump_dump *d = w->pair[1];

    w->metrics = calloc((size_t)d->n_metrics + 1, sizeof(*w->metrics));
    if (!w->metrics)
        return pdump_no_memory();
    for (int m = 0; m < d->n_metrics; m++)
        if (d->metrics[m].kind != PDUMP_GAUGE &&
            pdump_dump_find_metric(w->pair[0], d->metrics[m].name) >= 0)
            w->metrics[w->n_metrics++] = m;
    return w->n_metrics > 0
               ? PDUMP_OK
               : pdump_fail(PDUMP_ENOENT, "the runs have no metric in common");
}

/* Adds the metrics, with `after` behind their names. */
static int add_copies(struct work *w, const char *after)
{
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < w->n_metrics; i++) {
        struct pdump_dump_metric metric = w->pair[1]->metrics[w->metrics[i]];
        char *name = NULL;

        if (asprintf(&name, "%s%s", metric.name, after) < 0)
            return pdump_no_memory();
        metric.name = name;
        err = pdump_builder_metric(w->b, &metric);
        free(name);
    }
    return err;
}

static int add_metrics(struct work *w)
{
    int err;

    err = add_copies(w, "");
    if (err >= 0)
        err = add_copies(w, " (before)");
    if (err >= 0)
        err = pdump_builder_metric(
            w->b, &(struct pdump_dump_metric){ .name = "visits (before)",
                                               .unit = "1",
                                               .source = "",
                                               .about = "" });
    return err < 0 ? err : add_copies(w, " (verdict)");
}

static int add_frame(struct work *w, const struct pdump_dump *tree,
                     char *const *names)
{
    const struct pdump_dump *after = w->pair[1];
    struct pdump_dump_process process = { .host = "", .command = "" };
    char text[16];
    int err;

    snprintf(text, sizeof(text), "%d", w->n_metrics);
    pdump_builder_metadata(w->b, "compare_before", names[0]);
    pdump_builder_metadata(w->b, "compare_after", names[1]);
    pdump_builder_metadata(w->b, "compare_metrics", text);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < w->pair[i]->n_warnings; k++)
            pdump_builder_warning(w->b, w->pair[i]->warnings[k].text,
                                  w->pair[i]->warnings[k].count);
    if (after->n_processes > 0)
        process.command = after->processes[0].command;
    err = pdump_builder_process(w->b, &process);
    if (err >= 0)
        err = pdump_builder_thread(w->b,
                                   &(struct pdump_dump_thread){ .name = "" });
    for (int i = 0; err >= 0 && i < tree->n_regions; i++)
        err = pdump_builder_region(w->b, &tree->regions[i]);
    for (int i = 0; err >= 0 && i < tree->n_nodes; i++)
        err = pdump_builder_node(w->b, tree->nodes[i].parent,
                                 tree->nodes[i].region);
    w->rows = malloc(((size_t)tree->n_nodes + 1) * sizeof(*w->rows));
    for (int i = 0; w->rows && i < tree->n_nodes; i++)
        w->rows[i] = -1;
    return !w->rows ? pdump_no_memory() : err;
}

static int put(struct work *w, int64_t row, int metric, double value)
{
    return pdump_builder_value(w->b, row, metric, llround(value), PDUMP_MISSING,
                               PDUMP_MISSING, NAN);
}

/* Adds the values of one metric of both runs. */
static int add_values(struct work *w, int metric, const struct compare *c)
{
    int err = PDUMP_OK;

    for (int i = 0; err >= 0 && i < c->n_lines; i++) {
        const struct compare_side *side = c->lines[i].side;
        int64_t *row = &w->rows[c->lines[i].node];

        if (*row < 0) {
            *row = pdump_builder_row(
                w->b, 0, c->lines[i].node,
                side[1].n > 0 ? llround(side[1].visits) : 0, false);
            err = *row < 0 ? (int)*row : PDUMP_OK;
            if (err >= 0 && side[0].n > 0)
                err = put(w, *row, 2 * w->n_metrics, side[0].visits);
        }
        if (err >= 0 && side[1].n > 0)
            err = put(w, *row, metric, side[1].sum);
        if (err >= 0 && side[0].n > 0)
            err = put(w, *row, w->n_metrics + metric, side[0].sum);
        if (err >= 0)
            err = put(w, *row, 2 * w->n_metrics + 1 + metric,
                      c->lines[i].verdict);
    }
    return err;
}

static int build(struct work *w, char *const *names, struct pdump_dump **out)
{
    int err = add_metrics(w);

    for (int i = 0; err >= 0 && i < w->n_metrics; i++) {
        struct compare c;

        err = compare_make(w->pair, (int[]){ 1, 1 },
                           w->pair[1]->metrics[w->metrics[i]].name, &c);
        if (err < 0)
            break;
        /* Each comparison unites the same trees, so all get the same
         * numbers. */
        if (i == 0)
            err = add_frame(w, c.tree, names);
        if (err >= 0)
            err = add_values(w, i, &c);
        compare_free(&c);
    }
    return err < 0 ? err : pdump_builder_finish(w->b, out);
}

int compare_dump_make(struct pdump_dump *const *pair, char *const *names,
                      struct pdump_dump **out)
{
    struct work w = { .pair = pair };
    int err = choose_metrics(&w);

    if (err >= 0)
        err = pdump_builder_new(&w.b);
    if (err >= 0)
        err = build(&w, names, out);
    pdump_builder_free(w.b);
    free(w.metrics);
    free(w.rows);
    return err;
}
