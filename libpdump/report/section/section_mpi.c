/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints MPI calls by function, call site, rank, and size of message. */
#include "report/section/section_private.h"
#include "dump/rank_stat.h"
#include "report/view/detail_groups.h"
#include "report/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct work {
    struct pdump_section_page *page;
    const struct pdump_dump *dump;
    const struct pdump_dump_detail *detail;
    int top; /* rows of long lists; 0: all */
    int n_ranks;
    double all; /* time of all calls */
};

static double field_value(const struct pdump_detail_groups *view, int64_t i,
                          const char *field)
{
    return (double)pdump_detail_groups_int(view, &view->groups[i], field);
}

static double mean_time(const struct pdump_detail_groups *view, int64_t i)
{
    return field_value(view, i, "time") / field_value(view, i, "calls");
}

/* Groups the table, sorted by time, largest first. */
static int group_calls(const struct work *w, unsigned by,
                       struct pdump_detail_groups *view)
{
    int err = pdump_detail_groups(w->dump, w->detail, by, view);

    if (err >= 0)
        pdump_detail_groups_sort(view, "time");
    return err;
}

/* Prints how far the slowest rank is above the mean, as in reports. */
static void put_imbalance(struct pdump_grid *g, const struct work *w,
                          const struct pdump_detail_groups *by_rank, int region)
{
    struct pdump_dump_rank_stat stat = { .max = INT64_MIN };

    for (int64_t i = 0; i < by_rank->n; i++)
        if (by_rank->groups[i].region == region &&
            by_rank->groups[i].rank >= 0) {
            int64_t time =
                pdump_detail_groups_int(by_rank, &by_rank->groups[i], "time");

            stat.n++;
            stat.sum += time;
            stat.max = time > stat.max ? time : stat.max;
        }
    if (stat.n < w->n_ranks && stat.n > 0)
        stat.n = w->n_ranks; /* other ranks spent no time */
    pdump_grid_percent(g, stat.n > 1 ? pdump_rank_stat_imbalance(&stat) : NAN,
                       1);
}

static void put_function(struct pdump_grid *g, const struct work *w,
                         const struct pdump_detail_groups *view, int64_t i,
                         const struct pdump_detail_groups *by_rank)
{
    int region = view->groups[i].region;

    pdump_grid_text(g, region < 0 ? "" : w->dump->regions[region].name);
    pdump_grid_percent(g, field_value(view, i, "time"), w->all);
    pdump_grid_number(g, field_value(view, i, "time"), "ns");
    pdump_grid_count(g, (int64_t)field_value(view, i, "calls"));
    pdump_grid_number(g, mean_time(view, i), "ns");
    pdump_grid_number(g, field_value(view, i, "time_max"), "ns");
    pdump_grid_number(g, field_value(view, i, "bytes_out"), "B");
    pdump_grid_number(g, field_value(view, i, "bytes_in"), "B");
    pdump_grid_number(g, field_value(view, i, "blocked"), "ns");
    put_imbalance(g, w, by_rank, region);
}

static int put_functions(struct work *w)
{
    static const char *const titles[] = { "<function", "%",        "time",
                                          "calls",     "mean",     "max",
                                          "sent",      "received", "blocked",
                                          "imb %",     NULL };
    static const int drop[] = { 5, 4, 8, 7, 6, -1 };
    struct pdump_detail_groups view, by_rank;
    int64_t n = w->top;
    struct pdump_grid g;
    int err = group_calls(w, PDUMP_BY_REGION, &view);

    if (err < 0)
        return err;
    err = group_calls(w, PDUMP_BY_REGION | PDUMP_BY_RANK, &by_rank);
    if (err < 0) {
        pdump_detail_groups_free(&view);
        return err;
    }
    pdump_grid_open(&g, titles);
    g.drop = drop;
    for (int64_t i = 0; i < view.n; i++)
        w->all += field_value(&view, i, "time");
    for (int64_t i = 0; i < view.n && (!n || i < n); i++)
        put_function(&g, w, &view, i, &by_rank);
    pdump_section_table(w->page, &g, NULL, "functions", view.n);
    pdump_grid_close(&g);
    pdump_detail_groups_free(&by_rank);
    pdump_detail_groups_free(&view);
    return PDUMP_OK;
}

static void put_site(struct pdump_grid *g, const struct work *w,
                     const struct pdump_detail_groups *view, int64_t i)
{
    const struct pdump_detail_group *group = &view->groups[i];

    pdump_grid_text(
        g, group->region < 0 ? "" : w->dump->regions[group->region].name);
    pdump_grid_text(g, w->detail->labels[group->label]);
}

static int put_sites(const struct work *w)
{
    static const char *const titles[] = { "%",       "time",      "calls",
                                          "mean",    "sent",      "received",
                                          "between", "<function", "<call site",
                                          NULL };
    static const int drop[] = { 6, 3, 5, 4, -1 };
    int64_t n = w->top;
    struct pdump_detail_groups view;
    struct pdump_grid g;
    int err = group_calls(w, PDUMP_BY_REGION | PDUMP_BY_LABEL, &view);

    if (err < 0)
        return err;
    if (!n || n > view.n)
        n = view.n;
    pdump_grid_open(&g, titles);
    g.drop = drop;
    for (int64_t i = 0; i < n; i++) {
        pdump_grid_percent(&g, field_value(&view, i, "time"), w->all);
        pdump_grid_number(&g, field_value(&view, i, "time"), "ns");
        pdump_grid_count(&g, (int64_t)field_value(&view, i, "calls"));
        pdump_grid_number(&g, mean_time(&view, i), "ns");
        pdump_grid_number(&g, field_value(&view, i, "bytes_out"), "B");
        pdump_grid_number(&g, field_value(&view, i, "bytes_in"), "B");
        pdump_grid_number(&g, field_value(&view, i, "between"), "ns");
        put_site(&g, w, &view, i);
    }
    pdump_section_table(w->page, &g, "Call sites", "call sites", view.n);
    pdump_grid_close(&g);
    pdump_detail_groups_free(&view);
    return PDUMP_OK;
}

/* Prints calls that completed operations, sorted by time in flight, longest
 * first.  The part of that time that was not spent in the calls was left for
 * computing. */
static int put_requests(const struct work *w)
{
    static const char *const titles[] = { "completed", "in flight",
                                          "mean",      "time",
                                          "<function", "<call site",
                                          NULL };
    struct pdump_detail_groups view;
    int64_t n = 0;
    struct pdump_grid g;
    int err = group_calls(w, PDUMP_BY_REGION | PDUMP_BY_LABEL, &view);

    if (err < 0)
        return err;
    pdump_detail_groups_sort(&view, "flight");
    pdump_grid_open(&g, titles);
    for (int64_t i = 0; i < view.n; i++) {
        double completed = field_value(&view, i, "completed");

        if (completed <= 0)
            continue;
        n++;
        if (w->top && n > w->top)
            continue;
        pdump_grid_count(&g, (int64_t)completed);
        pdump_grid_number(&g, field_value(&view, i, "flight"), "ns");
        pdump_grid_number(&g, field_value(&view, i, "flight") / completed,
                          "ns");
        pdump_grid_number(&g, field_value(&view, i, "time"), "ns");
        put_site(&g, w, &view, i);
    }
    if (n > 0)
        pdump_section_table(w->page, &g, "Requests completed", "call sites", n);
    pdump_grid_close(&g);
    pdump_detail_groups_free(&view);
    return PDUMP_OK;
}

/* Returns the index of a rank in groups by rank, or -1. */
static int64_t find_rank(const struct pdump_detail_groups *view, int rank)
{
    for (int64_t i = 0; i < view->n; i++)
        if (view->groups[i].rank == rank)
            return i;
    return -1;
}

static int put_ranks(const struct work *w,
                     const struct pdump_section_share *shares, int n)
{
    static const char *const titles[] = { "rank",    "MPI %", "MPI time",
                                          "calls",   "sent",  "received",
                                          "blocked", NULL };
    struct pdump_detail_groups view;
    struct pdump_grid g;
    int err = group_calls(w, PDUMP_BY_RANK, &view), n_shown = 0;

    if (err < 0)
        return err;
    pdump_grid_open(&g, titles);
    for (int p = 0; p < n; p++) {
        int64_t i = find_rank(&view, shares[p].rank);

        if (i < 0 || (w->top && n_shown >= w->top) || !shares[p].calls ||
            (p > 0 && shares[p].rank == shares[p - 1].rank))
            continue;
        n_shown++;
        pdump_grid_count(&g, shares[p].rank);
        pdump_grid_percent(&g, shares[p].time, shares[p].run);
        pdump_grid_number(&g, shares[p].time, "ns");
        pdump_grid_count(&g, (int64_t)field_value(&view, i, "calls"));
        pdump_grid_number(&g, field_value(&view, i, "bytes_out"), "B");
        pdump_grid_number(&g, field_value(&view, i, "bytes_in"), "B");
        pdump_grid_number(&g, field_value(&view, i, "blocked"), "ns");
    }
    if (n_shown)
        pdump_section_table(w->page, &g, "Ranks", "ranks", n);
    pdump_grid_close(&g);
    pdump_detail_groups_free(&view);
    return PDUMP_OK;
}

static int put_table(struct work *w, const struct pdump_section_share *shares,
                     int n)
{
    int err = put_functions(w);

    if (err >= 0)
        err = put_sites(w);
    if (err >= 0)
        err = put_requests(w);
    if (err >= 0)
        err = put_ranks(w, shares, n);
    if (err >= 0)
        err = pdump_section_put_sizes(w->page, w->dump, w->detail);
    return err;
}

int pdump_section_mpi(struct pdump_section_page *page,
                      const struct pdump_dump *dump)
{
    static const char *const tables[] = { "mpi", "mpi_python" };
    struct pdump_section_share *shares = NULL;
    int n, n_found = 0, err = pdump_section_shares(dump, "mpi", &shares, &n);

    for (int i = 0; err >= 0 && i < 2; i++) {
        struct work w = { .page = page,
                          .dump = dump,
                          .top = page->options->top };

        for (int p = 0; p < n; p++)
            w.n_ranks += shares[p].calls > 0;
        w.detail = pdump_dump_find_detail(dump, tables[i]);
        if (!w.detail || w.detail->n_rows == 0)
            continue;
        pdump_section_gap(page);
        if (!n_found++)
            pdump_section_put_shares(page, "MPI", shares, n);
        if (i == 1 && !pdump_section_is_data(page))
            fputs("As mpi4py was asked (pdump.mpi.MPIProfiler)\n", page->f);
        err = put_table(&w, shares, n);
    }
    free(shares);
    if (err >= 0 && !n_found)
        err = pdump_fail(PDUMP_ENOENT,
                         "no MPI call was recorded: run the program with "
                         "`pdump run --mpi`, or link it with libpdump-pmpi");
    return err;
}
