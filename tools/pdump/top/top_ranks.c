/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the processes of a run side by side: a line for each rank. */
#include "top/top_ranks.h"
#include "top/live_change.h"

#include "report/grid.h"

#include <stdlib.h>
#include <string.h>

struct line {
    int rank;
    int64_t pid;
    int n_threads;
    double value;    /* per second; of time: 1 is one thread */
    double visits;   /* per second */
    double most;     /* part of `value` in the region with the most */
    char region[80]; /* that region */
};

/* What the lines show. */
struct subject {
    char title[64]; /* of the metric */
    char unit[16];
    bool is_time;
};

static int by_rank(const void *left, const void *right)
{
    const struct line *a = left, *b = right;

    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->pid > b->pid) - (a->pid < b->pid);
}

static int by_value(const void *left, const void *right)
{
    const struct line *a = left, *b = right;

    return a->value != b->value ? (a->value < b->value) - (a->value > b->value)
                                : by_rank(left, right);
}

static int by_visits(const void *left, const void *right)
{
    const struct line *a = left, *b = right;

    return a->visits != b->visits
               ? (a->visits < b->visits) - (a->visits > b->visits)
               : by_rank(left, right);
}

/* Returns the counter that `sort` names; the time, if it names an order. */
static int metric_of(const struct pdump_dump *dump, const char *sort)
{
    bool is_derived = false;
    int metric, time = pdump_dump_find_metric(dump, "time");

    if (strcmp(sort, "self") == 0 || strcmp(sort, "visits") == 0 ||
        strcmp(sort, "name") == 0)
        return time;
    metric = pdump_view_find(dump, sort, &is_derived);
    if (metric >= 0 &&
        (is_derived || dump->metrics[metric].kind == PDUMP_GAUGE))
        return time;
    return metric;
}

static void find_most(const struct pdump_view *view, int metric,
                      double per_second, struct line *line)
{
    int64_t most = 0;

    for (int i = 0; i < view->n_items; i++) {
        int64_t self = pdump_view_value(view, i, metric)->self;
        char buf[sizeof(line->region)];

        line->visits += (double)view->items[i].visits;
        if (self == PDUMP_MISSING || self <= most)
            continue;
        most = self;
        snprintf(line->region, sizeof(line->region), "%s",
                 pdump_view_name(view, i, buf, sizeof(buf)));
    }
    line->most = (double)most * per_second;
}

static int fill(const struct live_process *p, const struct live_change *change,
                struct subject *subject, const char *sort, struct line *line)
{
    const struct pdump_dump *added = change->added;
    struct pdump_view_options options = { .is_flat = true, .key = -1 };
    struct pdump_view *view;
    int metric = metric_of(added, sort), err;
    double per_second = 1 / change->seconds;

    if (metric < 0)
        return PDUMP_ENOENT;
    err = pdump_view_new(added, &options, &view);
    if (err < 0)
        return err;
    subject->is_time = strcmp(added->metrics[metric].name, "time") == 0;
    snprintf(subject->title, sizeof(subject->title), "%.50s%s",
             pdump_view_short_name(added->metrics[metric].name),
             subject->is_time ? " %" : "/s");
    snprintf(subject->unit, sizeof(subject->unit), "%s",
             added->metrics[metric].unit);
    if (subject->is_time)
        per_second /= 1e9;
    line->rank = p->dump->n_processes > 0 ? p->dump->processes[0].rank : 0;
    line->pid = p->store.pid;
    line->n_threads = p->dump->n_threads;
    if (view->totals[metric] != PDUMP_MISSING)
        line->value = (double)view->totals[metric] * per_second;
    find_most(view, metric, per_second, line);
    line->visits /= change->seconds;
    pdump_view_free(view);
    return PDUMP_OK;
}

static void put(FILE *f, int width, const struct subject *subject,
                const struct line *lines, int n)
{
    const char *const titles[] = { "rank",         "pid",      "threads",
                                   subject->title, "visits/s", "%",
                                   "<most in",     NULL };
    struct pdump_grid g;

    pdump_grid_open(&g, titles);
    for (int i = 0; i < n; i++) {
        pdump_grid_count(&g, lines[i].rank);
        pdump_grid_count(&g, lines[i].pid);
        pdump_grid_count(&g, lines[i].n_threads);
        if (subject->is_time)
            pdump_grid_percent(&g, lines[i].value, 1);
        else
            pdump_grid_number(&g, lines[i].value, subject->unit);
        pdump_grid_number(&g, lines[i].visits, "1");
        pdump_grid_percent(&g, lines[i].most, lines[i].value);
        pdump_grid_text(&g, lines[i].region);
    }
    pdump_grid_print(&g, f, width);
    pdump_grid_close(&g);
}

int top_ranks_print(FILE *f, const struct top_page *page,
                    const struct live_look *now, int first, int n,
                    const struct live_look *before)
{
    struct line *lines = calloc((size_t)n + 1, sizeof(*lines));
    struct subject subject = { .is_time = false };
    int err = lines ? PDUMP_OK : pdump_no_memory(), n_lines = 0;

    for (int i = 0; err >= 0 && i < n; i++) {
        struct live_change change;

        err = live_change_make(now, first + i, 1, before, &change);
        if (err < 0)
            break;
        err = fill(&now->items[first + i], &change, &subject, page->sort,
                   &lines[n_lines]);
        n_lines += err >= 0;
        live_change_free(&change);
        if (err == PDUMP_ENOENT)
            err = PDUMP_OK; /* another process may have it */
    }
    if (err >= 0 && n_lines > 0) {
        qsort(lines, (size_t)n_lines, sizeof(*lines),
              strcmp(page->sort, "name") == 0     ? by_rank
              : strcmp(page->sort, "visits") == 0 ? by_visits
                                                  : by_value);
        put(f, page->look.width, &subject, lines, n_lines);
    }
    free(lines);
    return err < 0 ? err : n_lines > 0 ? PDUMP_OK : PDUMP_ENOENT;
}
