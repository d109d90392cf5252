/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns about ranks in a report's table: means, minima and maxima, and
 * the ranks that have them. */
#include "report/report_ranks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    N_COLUMNS = 18, /* without those of single ranks */
    CELLS_MAX = 16, /* in the bar */
    CELLS_FEW = 8,  /* in the bar if the page is narrower than */
    WIDE = 100,     /* this many columns */
    RANK_MIN = 6,   /* smallest width for one rank, with its gap */
};

static int time_of(const struct pdump_report_page *page)
{
    return pdump_dump_find_metric(page->view->dump, "time");
}

/* Returns how many ranks get a column. */
static int n_singles(const struct pdump_report_page *page)
{
    int n = page->by_rank ? page->ranks->list.n : 0;

    return page->width > 0 && n > page->width / RANK_MIN + 1
               ? page->width / RANK_MIN + 1
               : n;
}

int pdump_report_ranks_max(const struct pdump_report_page *page)
{
    return N_COLUMNS + n_singles(page);
}

/* Returns true if some ranks have no value in a line that is shown. */
static bool has_gaps(const struct pdump_report_page *page)
{
    const struct pdump_view *v = page->view;

    for (int i = 0; i < v->n_shown; i++) {
        int64_t n = pdump_view_ranks_stat(v, page->ranks, v->shown[i],
                                          v->dump->n_metrics)
                        ->n;

        if (n > 0 && n < page->ranks->n)
            return true;
    }
    return false;
}

static void add_singles(const struct pdump_report_page *page,
                        struct pdump_report_table *t)
{
    int metric = page->ranks->metric, n = n_singles(page);

    if (page->view->key == metric)
        pdump_report_table_add(t, PDUMP_REPORT_SHARE, metric, 3 + n, "%");
    for (int i = 0; i < n; i++) {
        struct pdump_report_column *c =
            pdump_report_table_add(t, PDUMP_REPORT_RANK_ONE, i, 3 + i, "");

        snprintf(c->text, sizeof(c->text), "%s %d", page->runs ? "run" : "rank",
                 page->ranks->list.number[i]);
        c->title = c->text;
    }
    pdump_report_table_add(t, PDUMP_REPORT_RANK_LEAST, metric, 2, "min");
    pdump_report_table_add(t, PDUMP_REPORT_RANK_MEAN, metric, 0, "mean");
    pdump_report_table_add(t, PDUMP_REPORT_RANK_MOST, metric, 1, "max");
}

/* Adds the columns for the metric that percentages are of that are read
 * first. */
static void add_spread(const struct pdump_report_page *page,
                       struct pdump_report_table *t)
{
    int metric = page->ranks->metric;

    if (page->view->key == metric)
        pdump_report_table_add(t, PDUMP_REPORT_BAR, metric, 7, "");
    pdump_report_table_add(t, PDUMP_REPORT_SHARE, metric, 1, "%");
    pdump_report_table_add(t, PDUMP_REPORT_RANK_MEAN, metric, 0, "mean");
    pdump_report_table_add(t, PDUMP_REPORT_RANK_MOST, metric, 4, "max");
    pdump_report_table_add(t, PDUMP_REPORT_RANK_OF_MOST, metric, 5, "@rank");
    pdump_report_table_add(t, PDUMP_REPORT_RANK_IMBALANCE, metric, 3, "imb %");
}

/* Adds the columns of a wide page. */
static void add_more(const struct pdump_report_page *page,
                     struct pdump_report_table *t)
{
    int metric = page->ranks->metric, time = time_of(page);

    if (metric >= 0) {
        pdump_report_table_add(t, PDUMP_REPORT_RANK_LEAST, metric,
                               PDUMP_REPORT_EXTRA + 1, "min");
        pdump_report_table_add(t, PDUMP_REPORT_RANK_OF_LEAST, metric,
                               PDUMP_REPORT_EXTRA + 4, "@min");
        pdump_report_table_add(t, PDUMP_REPORT_RANK_STDDEV, metric,
                               PDUMP_REPORT_EXTRA + 3, "stddev");
    }
    if (metric >= 0 && page->ranks->list.n > 1)
        pdump_report_table_add(t, PDUMP_REPORT_RANK_BAR, metric,
                               PDUMP_REPORT_EXTRA, "ranks");
    if (time >= 0)
        pdump_report_table_add(t, PDUMP_REPORT_PER_VISIT, time,
                               PDUMP_REPORT_EXTRA + 2, "time/visit");
}

void pdump_report_ranks_add(const struct pdump_report_page *page,
                            struct pdump_report_table *t)
{
    int time = time_of(page);

    if (page->by_rank) {
        add_singles(page, t);
        return;
    }
    if (page->ranks->metric >= 0)
        add_spread(page, t);
    if (has_gaps(page))
        pdump_report_table_add(t, PDUMP_REPORT_RANK_COUNT, -1, 6, "on");
    if (time >= 0 && time != page->ranks->metric)
        pdump_report_table_add(t, PDUMP_REPORT_TIME, time, 6, "time");
    if (time >= 0)
        pdump_report_table_add(t, PDUMP_REPORT_SELF, time, 8, "self");
    pdump_report_table_add(t, PDUMP_REPORT_VISITS, -1, 9, "visits");
    add_more(page, t);
}

void pdump_report_ranks_trim(struct pdump_report_table *table)
{
    bool has_room = true;

    for (int i = 0; i < table->n_columns; i++) {
        struct pdump_report_column *c = &table->columns[i];

        if (c->kind != PDUMP_REPORT_RANK_ONE)
            continue;
        has_room = has_room && c->is_shown;
        c->is_shown = has_room;
    }
}

static void make_count(const struct pdump_report_page *page, int item,
                       struct pdump_report_number *out)
{
    int64_t n = pdump_view_ranks_stat(page->view, page->ranks, item,
                                      page->view->dump->n_metrics)
                    ->n;
    char text[40];

    out->unit[0] = '\0';
    snprintf(text, sizeof(text), "%lld of %d", (long long)n, page->ranks->n);
    snprintf(out->digits, sizeof(out->digits), "%.23s",
             n <= 0                ? "-"
             : n == page->ranks->n ? "all"
                                   : text);
}

static double value_of(const struct pdump_report_page *page, int item, int i)
{
    int64_t value =
        page->ranks
            ->values[(size_t)item * (size_t)page->ranks->list.n + (size_t)i];

    return value == PDUMP_MISSING ? NAN : (double)value;
}

static double rank_figure(const struct pdump_report_page *page, int item,
                          const struct pdump_report_column *c)
{
    const struct pdump_dump_rank_stat *stat = pdump_view_ranks_stat(
        page->view, page->ranks, item, page->ranks->metric);

    if (c->kind == PDUMP_REPORT_RANK_ONE)
        return value_of(page, item, c->index);
    if (stat->n <= 0)
        return NAN;
    switch (c->kind) {
    case PDUMP_REPORT_RANK_LEAST:
        return (double)stat->min;
    case PDUMP_REPORT_RANK_MOST:
        return (double)stat->max;
    case PDUMP_REPORT_RANK_STDDEV:
        return pdump_rank_stat_stddev(stat);
    default:
        return pdump_rank_stat_mean(stat);
    }
}

/* Makes a cell of the two columns that show the number of a rank. */
static void make_rank(const struct pdump_report_page *page, int item,
                      bool is_most, struct pdump_report_number *out)
{
    const struct pdump_dump_rank_stat *stat = pdump_view_ranks_stat(
        page->view, page->ranks, item, page->ranks->metric);

    snprintf(out->digits, sizeof(out->digits), "@%lld",
             (long long)(is_most ? stat->rank_of_max : stat->rank_of_min));
    out->unit[0] = '\0';
    if (stat->n <= 0)
        strcpy(out->digits, "-");
}

void pdump_report_ranks_cell(const struct pdump_report_page *page, int item,
                             const struct pdump_report_column *column,
                             struct pdump_report_number *out)
{
    const struct pdump_dump_rank_stat *stat;

    switch (column->kind) {
    case PDUMP_REPORT_RANK_COUNT:
        make_count(page, item, out);
        return;
    case PDUMP_REPORT_RANK_OF_LEAST:
    case PDUMP_REPORT_RANK_OF_MOST:
        make_rank(page, item, column->kind == PDUMP_REPORT_RANK_OF_MOST, out);
        return;
    case PDUMP_REPORT_RANK_IMBALANCE:
        stat =
            pdump_view_ranks_stat(page->view, page->ranks, item, column->index);
        pdump_report_number_make(100 * pdump_rank_stat_imbalance(stat), "%",
                                 page->is_utf8, out);
        out->unit[0] = '\0';
        return;
    default:
        pdump_report_number_make(
            rank_figure(page, item, column),
            page->view->dump->metrics[page->ranks->metric].unit, page->is_utf8,
            out);
    }
}

int pdump_report_ranks_width(const struct pdump_report_page *page)
{
    int n = page->ranks->list.n;
    int most = page->width > 0 && page->width < WIDE ? CELLS_FEW : CELLS_MAX;

    return n < most ? n : most;
}

void pdump_report_ranks_bar(const struct pdump_report_page *page, int item)
{
    static const char *const blocks[] = { "\u2581", "\u2582", "\u2583",
                                          "\u2584", "\u2585", "\u2586",
                                          "\u2587", "\u2588" };
    static const char *const signs[] = { ".", ":", "-", "=", "+", "*", "#" };
    const char *const *levels = page->is_utf8 ? blocks : signs;
    int n_levels = page->is_utf8 ? 8 : 7;
    int n = pdump_report_ranks_width(page);

    for (int i = 0; i < n; i++) {
        double share =
            pdump_view_ranks_level(page->view, page->ranks, item, i, n);
        int level = isnan(share) ? -1 : (int)ceil(share * n_levels - 1e-9) - 1;

        if (isnan(share))
            fputc(' ', page->f);
        else
            fputs(levels[level > 0 ? level : 0], page->f);
    }
}
