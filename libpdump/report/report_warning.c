/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings shown above a report: those of the run, and those that follow from
 * the dump. */
#include "report/report_warning.h"
#include "dump/ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The cost of visits in ns, and their number. */
struct effort {
    double ns, visits;
};

static void add_effort(struct effort *e, double cost, int64_t visits)
{
    e->ns += cost * (double)visits;
    e->visits += (double)visits;
}

/* `cost` is indexed by region of the dump. */
static struct effort effort_of(const struct pdump_dump *dump,
                               const double *cost)
{
    struct effort e = { 0, 0 };

    for (int i = 0; dump->stats && i < dump->n_nodes; i++)
        add_effort(&e, cost[dump->nodes[i].region],
                   dump->stats[dump->n_metrics][i].sum);
    for (int64_t r = 0; !dump->stats && r < dump->n_rows; r++)
        add_effort(&e, cost[dump->nodes[dump->rows[r].node].region],
                   dump->rows[r].visits);
    return e;
}

bool pdump_report_overhead_is_of_wall(const struct pdump_dump *dump)
{
    return dump->n_threads == 1 && !dump->stats &&
           strtod(pdump_dump_metadata_or_none(dump, "wall_time_ns"), NULL) > 0;
}

/* Returns the time in ns that is 100 % for the overhead. */
static double whole_time(const struct pdump_view *view, int time)
{
    return pdump_report_overhead_is_of_wall(view->dump)
               ? strtod(pdump_dump_metadata_or_none(view->dump, "wall_time_ns"),
                        NULL)
               : (double)view->totals[time];
}

double pdump_report_overhead(const struct pdump_view *view, double *cost)
{
    const struct pdump_dump *dump = view->dump;
    int time = pdump_dump_find_metric(dump, "time");
    double *costs = calloc((size_t)dump->n_regions + 1, sizeof(*costs));
    struct effort e = { 0, 0 };
    double percent;

    for (int i = 0; costs && i < dump->n_regions; i++)
        costs[i] = pdump_dump_visit_cost(dump, i);
    if (costs)
        e = effort_of(dump, costs);
    free(costs);
    *cost = e.visits > 0 ? e.ns / e.visits : 0;
    if (!(*cost > 0) || time < 0 || !(whole_time(view, time) > 0))
        return NAN;
    percent = 100 * e.ns / whole_time(view, time);
    return percent < 100 ? percent : 100;
}

static void tell_overhead(const struct pdump_view *view,
                          pdump_report_tell *tell, void *data)
{
    double cost, percent = pdump_report_overhead(view, &cost);
    char text[200];

    if (!(percent >= 1) ||
        strcmp(pdump_dump_metadata_or_none(view->dump, "overhead"),
               "subtracted") == 0)
        return;
    snprintf(text, sizeof(text),
             "measuring took about %.0f ns per visit, %.0f %% of the time: "
             "short regions look longer than they are",
             cost, percent);
    tell(data, text, 1);
}

/* Appends the ranks from..to to a list; "..." if it gets too long. */
static void append_range(char *list, size_t len, int from, int to)
{
    size_t n = strlen(list);
    const char *comma = n > 0 ? "," : "";

    if (from > to || n + 40 > len) {
        if (from <= to && n > 0 && list[n - 1] != '.')
            strcpy(list + n, ",...");
    } else if (from == to) {
        snprintf(list + n, len - n, "%s%d", comma, from);
    } else {
        snprintf(list + n, len - n, "%s%d%c%d", comma, from,
                 to == from + 1 ? ',' : '-', to);
    }
}

/* A file may claim 10^9 ranks: loops only over those in the dump. */
static void tell_ranks(const struct pdump_ranks *ranks, int n_job,
                       pdump_report_tell *tell, void *data)
{
    char text[300], which[128] = "";
    int before = -1, n = n_job;

    for (int i = 0; i < ranks->n && ranks->number[i] < n_job; i++) {
        append_range(which, sizeof(which), before + 1, ranks->number[i] - 1);
        before = ranks->number[i];
        n--;
    }
    append_range(which, sizeof(which), before + 1, n_job - 1);
    if (n <= 0 || ranks->n == 0 || ranks->n >= n_job)
        return;
    snprintf(text, sizeof(text),
             "rank%s %s of %d %s not here: figures are those of the others",
             n == 1 ? "" : "s", which, n_job, n == 1 ? "is" : "are");
    tell(data, text, 1);
}

/* Returns true if any thread of rank i has a value. */
static bool has_metric(const struct pdump_dump *dump,
                       const struct pdump_ranks *ranks, int i, int metric)
{
    const struct pdump_dump_column *c = &dump->columns[metric];

    for (int t = ranks->begin[i]; t < ranks->begin[i + 1]; t++) {
        int thread = ranks->thread[t];

        for (int64_t r = ranks->row[thread]; r < ranks->row[thread + 1]; r++)
            if (c->sum[r] != PDUMP_MISSING || c->max[r] != PDUMP_MISSING)
                return true;
    }
    return false;
}

static bool has_rows(const struct pdump_ranks *ranks, int i)
{
    for (int t = ranks->begin[i]; t < ranks->begin[i + 1]; t++) {
        int thread = ranks->thread[t];

        if (ranks->row[thread] < ranks->row[thread + 1])
            return true;
    }
    return false;
}

/* `numbers` has room for every rank. */
static void tell_metric(const struct pdump_dump *dump,
                        const struct pdump_ranks *ranks, int metric,
                        bool are_runs, int *numbers, pdump_report_tell *tell,
                        void *data)
{
    struct pdump_ranks without = { .number = numbers };
    char text[400], which[128];
    int n_all = 0;

    for (int i = 0; i < ranks->n; i++) {
        if (!has_rows(ranks, i))
            continue;
        n_all++;
        if (!has_metric(dump, ranks, i, metric))
            numbers[without.n++] = ranks->number[i];
    }
    /* If no rank counted the metric, the run itself has warned about it. */
    if (without.n == 0 || without.n == n_all)
        return;
    snprintf(text, sizeof(text), "%.100s was not counted by %s%s %s",
             dump->metrics[metric].name, are_runs ? "run" : "rank",
             without.n == 1 ? "" : "s",
             pdump_ranks_text(&without, which, sizeof(which)));
    tell(data, text, 1);
}

int pdump_report_warnings(const struct pdump_view *view, bool is_part,
                          bool are_runs, pdump_report_tell *tell, void *data)
{
    const struct pdump_dump *dump = view->dump;
    struct pdump_ranks ranks;
    int *numbers, err = pdump_ranks_of(dump, &ranks);

    if (err < 0)
        return err;
    numbers = malloc(((size_t)ranks.n + 1) * sizeof(*numbers));
    if (!numbers) {
        pdump_ranks_free(&ranks);
        return pdump_no_memory();
    }
    for (int i = 0; i < dump->n_warnings; i++)
        tell(data, dump->warnings[i].text, dump->warnings[i].count);
    if (!dump->stats && !is_part && !are_runs)
        tell_ranks(&ranks, pdump_ranks_of_job(dump, &ranks), tell, data);
    for (int m = 0; !dump->stats && m < dump->n_metrics; m++)
        tell_metric(dump, &ranks, m, are_runs, numbers, tell, data);
    tell_overhead(view, tell, data);
    free(numbers);
    pdump_ranks_free(&ranks);
    return PDUMP_OK;
}
