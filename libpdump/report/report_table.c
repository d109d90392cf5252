/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of a report: chooses, measures and prints its columns. */
#include "report/report_table.h"
#include "base/round.h"
#include "report/report_cell.h"
#include "report/report_choose.h"
#include "report/report_ranks.h"
#include "report/report_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAP = 2,
    BAR = 8,
    NAME_MIN = 16,
    NAME_MAX = 100, /* width of names if the page has no limit */
    TITLE_MAX = 18,
    LEVELS_MAX = 20,
    N_FIXED = 10, /* columns that are not metrics */
};

struct pdump_report_column *pdump_report_table_add(
    struct pdump_report_table *table, enum pdump_report_kind kind, int index,
    int rank, const char *title)
{
    struct pdump_report_column *c = &table->columns[table->n_columns++];

    *c = (struct pdump_report_column){
        .kind = kind,
        .index = index,
        .rank = rank,
        .title = title,
    };
    return c;
}

/* Returns true if several threads share an item: otherwise the largest sum of a
 * thread is always the sum. */
static bool is_shared(const struct pdump_view *v, int metric)
{
    for (int i = 0; i < v->n_shown; i++) {
        const struct pdump_view_value *value =
            pdump_view_value(v, v->shown[i], metric);

        if (value->most != value->sum)
            return true;
    }
    return false;
}

static void add_fixed(const struct pdump_view *v, struct pdump_report_table *t)
{
    int time = pdump_dump_find_metric(v->dump, "time");

    if (v->key >= 0) {
        pdump_report_table_add(t, PDUMP_REPORT_BAR, v->key, 7, "");
        pdump_report_table_add(t, PDUMP_REPORT_SHARE, v->key, 1, "%");
    }
    if (time >= 0)
        pdump_report_table_add(t, PDUMP_REPORT_TIME, time, 0, "time");
    if (time >= 0 && is_shared(v, time)) {
        pdump_report_table_add(t, PDUMP_REPORT_MOST, time, 5, "max/thread");
        pdump_report_table_add(t, PDUMP_REPORT_IMBALANCE, time, 4, "imb %");
    }
    if (time >= 0)
        pdump_report_table_add(t, PDUMP_REPORT_SELF, time, 8, "self");
    pdump_report_table_add(t, PDUMP_REPORT_VISITS, -1, 9, "visits");
    if (time >= 0)
        pdump_report_table_add(t, PDUMP_REPORT_PER_VISIT, time,
                               PDUMP_REPORT_EXTRA, "time/visit");
}

/* Adds the figures of the last seconds before the totals. */
static void add_live(const struct pdump_view *v, struct pdump_report_table *t)
{
    int time = pdump_dump_find_metric(v->dump, "time");

    pdump_report_table_add(t, PDUMP_REPORT_BAR, v->key, 8, "");
    pdump_report_table_add(t, PDUMP_REPORT_SHARE, v->key, 0, "%");
    pdump_report_table_add(t, PDUMP_REPORT_SELF_SHARE, v->key, 4, "self %");
    pdump_report_table_add(t, PDUMP_REPORT_RATE, -1, 1, "visits/s");
    pdump_report_table_add(t, PDUMP_REPORT_VISITS, -1, 3, "visits");
    if (time >= 0) {
        pdump_report_table_add(t, PDUMP_REPORT_TIME, time, 2, "time");
        pdump_report_table_add(t, PDUMP_REPORT_PER_VISIT, time, 5,
                               "time/visit");
    }
}

static void add_metric(const struct pdump_report_page *page,
                       struct pdump_report_table *t,
                       struct pdump_report_metric metric, int rank)
{
    const struct pdump_view *v = page->view;

    /* The ranks' metric has its own columns. */
    if (page->ranks && !metric.is_derived &&
        metric.index == page->ranks->metric)
        return;
    if (metric.is_derived)
        pdump_report_table_add(t, PDUMP_REPORT_DERIVED, metric.index, rank,
                               v->derived[metric.index].recipe->name);
    else if (strcmp(v->dump->metrics[metric.index].name, "time") != 0)
        pdump_report_table_add(
            t, PDUMP_REPORT_COUNTER, metric.index, rank,
            pdump_view_short_name(v->dump->metrics[metric.index].name));
}

/* Returns true if the user or the program chose the metric.  Those that are
 * counted if nobody chooses are named in the metadata. */
static bool is_asked(const struct pdump_dump *dump, int metric)
{
    const char *chosen = pdump_dump_metadata(dump, "events_chosen");
    const char *name = dump->metrics[metric].name, *at;
    size_t n = strlen(name);

    if (!chosen || strncmp(chosen, "default", 7) != 0)
        return true;
    for (at = chosen; (at = strstr(at, name)) != NULL; at += n)
        if (strchr(" ,:", at[-1]) && strchr(" ,", at[n]))
            return false;
    return true;
}

static bool is_derived_asked(const struct pdump_dump *dump,
                             const struct pdump_derived *d)
{
    return is_asked(dump, d->top) && is_asked(dump, d->bottom) &&
           (d->plus < 0 || is_asked(dump, d->plus));
}

/* Counters that the user has asked for stay as long as the shares. */
static void add_metrics(const struct pdump_report_page *page,
                        const struct pdump_report_options *options,
                        struct pdump_report_table *t)
{
    enum { DERIVED = 6 };
    const struct pdump_view *v = page->view;
    struct pdump_report_metric m = { .is_derived = false };

    for (int i = 0; i < options->n_metrics; i++)
        add_metric(page, t, options->metrics[i], PDUMP_REPORT_ASKED);
    if (options->metrics)
        return;
    for (m.index = 0; m.index < v->dump->n_metrics; m.index++)
        add_metric(page, t, m,
                   is_asked(v->dump, m.index) ? PDUMP_REPORT_ASKED
                                              : PDUMP_REPORT_EXTRA + 5);
    m.is_derived = true;
    for (m.index = 0; m.index < v->n_derived; m.index++)
        add_metric(page, t, m,
                   is_derived_asked(v->dump, &v->derived[m.index])
                       ? DERIVED
                       : PDUMP_REPORT_EXTRA + 5);
}

static int larger_width(int a, int b)
{
    return a > b ? a : b;
}

static int smaller_width(int a, int b)
{
    return a < b ? a : b;
}

static bool is_bar(const struct pdump_report_column *c)
{
    return c->kind == PDUMP_REPORT_BAR || c->kind == PDUMP_REPORT_RANK_BAR;
}

static bool is_of_metric(const struct pdump_report_column *c)
{
    return c->kind == PDUMP_REPORT_COUNTER || c->kind == PDUMP_REPORT_DERIVED;
}

/* A column of a metric without any value in it is not of use. */
static void measure_column(const struct pdump_report_page *page,
                           struct pdump_report_column *c)
{
    bool is_empty = page->view->n_shown > 0;
    int title =
        pdump_report_text_width(c->title, strlen(c->title), page->is_utf8);

    for (int i = 0; !is_bar(c) && i < page->view->n_shown; i++) {
        struct pdump_report_number cell;

        pdump_report_cell_make(page, page->view->shown[i], c, &cell);
        is_empty &= strcmp(cell.digits, "-") == 0;
        c->digits = larger_width(c->digits, (int)strlen(cell.digits));
        c->unit = larger_width(
            c->unit, pdump_report_text_width(cell.unit, strlen(cell.unit),
                                             page->is_utf8));
    }
    if (is_empty && is_of_metric(c) && c->rank < PDUMP_REPORT_EXTRA)
        c->rank += PDUMP_REPORT_EXTRA;
    c->width = c->digits + (c->unit > 0 ? 1 + c->unit : 0);
    if (c->kind == PDUMP_REPORT_BAR)
        c->width = BAR;
    if (c->kind == PDUMP_REPORT_RANK_BAR)
        c->width = pdump_report_ranks_width(page);
    c->width = larger_width(c->width, smaller_width(title, TITLE_MAX));
}

static struct pdump_report_column *next_best(struct pdump_report_table *t,
                                             const bool *is_tried)
{
    struct pdump_report_column *best = NULL;

    for (int i = 0; i < t->n_columns; i++) {
        if (!is_tried[i] && (!best || t->columns[i].rank < best->rank))
            best = &t->columns[i];
    }
    return best;
}

/* Shows columns while there is room beside a name of readable width; the names
 * get the rest. */
static void fit(const struct pdump_report_page *page,
                struct pdump_report_table *t, int natural, bool *is_tried)
{
    int room = page->width -
               smaller_width(natural, larger_width(NAME_MIN, page->width / 3));
    struct pdump_report_column *c;

    t->name = page->width > 0 ? page->width : smaller_width(natural, NAME_MAX);
    while ((c = next_best(t, is_tried)) != NULL) {
        is_tried[c - t->columns] = true;
        if (c->rank >= PDUMP_REPORT_EXTRA && !page->is_wide)
            continue;
        c->is_shown = page->width == 0 || GAP + c->width <= room;
        if (!c->is_shown || page->width == 0)
            continue;
        room -= GAP + c->width;
        t->name -= GAP + c->width;
    }
    t->name = smaller_width(t->name, natural);
}

const char *pdump_report_table_word(const struct pdump_view *view)
{
    if (!view->is_flat || view->flat_by == PDUMP_VIEW_REGIONS)
        return "region";
    return view->flat_by == PDUMP_VIEW_FILES ? "file" : "function";
}

static int natural_name(const struct pdump_report_page *page, int levels)
{
    int width = (int)strlen(pdump_report_table_word(page->view));

    for (int i = 0; i < page->view->n_shown; i++)
        width = larger_width(
            width, pdump_report_name_width(page, page->view->shown[i], levels));
    return width;
}

static void add_columns(const struct pdump_report_page *page,
                        const struct pdump_report_options *options,
                        struct pdump_report_table *table)
{
    if (page->ranks)
        pdump_report_ranks_add(page, table);
    else if (page->seconds > 0)
        add_live(page->view, table);
    else
        add_fixed(page->view, table);
    if (!page->by_rank)
        add_metrics(page, options, table);
}

int pdump_report_table_make(const struct pdump_report_page *page,
                            const struct pdump_report_options *options,
                            struct pdump_report_table *table)
{
    const struct pdump_view *v = page->view;
    size_t n = (size_t)(N_FIXED + v->dump->n_metrics + v->n_derived +
                        options->n_metrics) +
               (size_t)(page->ranks ? pdump_report_ranks_max(page) : 0);
    bool *is_tried = calloc(n, sizeof(*is_tried));
    int err;

    *table = (struct pdump_report_table){ .levels = LEVELS_MAX };
    table->columns = malloc(n * sizeof(*table->columns));
    err = is_tried && table->columns ? PDUMP_OK : pdump_no_memory();
    if (page->width > 0)
        table->levels =
            smaller_width(LEVELS_MAX, larger_width(2, page->width / 18));
    if (err >= 0)
        add_columns(page, options, table);
    if (err >= 0 && options->columns)
        err = pdump_report_choose(page, options, table);
    for (int i = 0; err >= 0 && i < table->n_columns; i++)
        measure_column(page, &table->columns[i]);
    if (err >= 0) {
        fit(page, table, natural_name(page, table->levels), is_tried);
        pdump_report_ranks_trim(table);
    } else {
        free(table->columns);
    }
    free(is_tried);
    return err;
}

static void put_spaces(const struct pdump_report_page *page, int n)
{
    fprintf(page->f, "%*s", larger_width(n, 0), "");
}

/* Uses eighths of a column if the locale has such characters. */
static void put_bar(const struct pdump_report_page *page, double percent)
{
    static const char *const parts[] = {
        "", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"
    };
    double share = percent > 0 ? percent / 100 : 0;
    int eighths = (int)pdump_round((share < 1 ? share : 1) * BAR * 8);
    int full = page->is_utf8 ? eighths / 8 : (eighths + 4) / 8;
    int part = page->is_utf8 ? eighths % 8 : 0;

    for (int i = 0; i < full; i++)
        fputs(page->is_utf8 ? "\u2588" : "#", page->f);
    fputs(parts[part], page->f);
    put_spaces(page, BAR - full - (part > 0));
}

static void put_cell(const struct pdump_report_page *page, int item,
                     const struct pdump_report_column *c, bool is_last)
{
    struct pdump_report_number cell;
    int unit;

    if (c->kind == PDUMP_REPORT_BAR) {
        pdump_report_style(page, PDUMP_REPORT_DIM);
        put_bar(page, pdump_report_cell_share(page, item, false));
        pdump_report_style(page, PDUMP_REPORT_PLAIN);
        return;
    }
    if (c->kind == PDUMP_REPORT_RANK_BAR) {
        put_spaces(page, c->width - pdump_report_ranks_width(page));
        pdump_report_ranks_bar(page, item);
        return;
    }
    pdump_report_cell_make(page, item, c, &cell);
    unit = pdump_report_text_width(cell.unit, strlen(cell.unit), page->is_utf8);
    put_spaces(page, c->width - c->digits - (c->unit > 0 ? 1 + c->unit : 0));
    fprintf(page->f, "%*s", c->digits, cell.digits);
    if (unit > 0)
        fprintf(page->f, " %s", cell.unit);
    if (!is_last && c->unit > 0)
        put_spaces(page, c->unit - unit + (unit == 0));
}

static void put_titles(const struct pdump_report_page *page,
                       const struct pdump_report_table *t)
{
    int width = t->name;

    pdump_report_style(page, PDUMP_REPORT_BOLD);
    fprintf(page->f, "%-*s", t->name, pdump_report_table_word(page->view));
    for (int i = 0; i < t->n_columns; i++) {
        const struct pdump_report_column *c = &t->columns[i];
        size_t len = strlen(c->title);

        if (!c->is_shown)
            continue;
        put_spaces(page, GAP + c->width -
                             smaller_width(c->width,
                                           pdump_report_text_width(
                                               c->title, len, page->is_utf8)));
        pdump_report_text_put(page->f, c->title, len, c->width, page->is_utf8);
        width += GAP + c->width;
    }
    pdump_report_style(page, PDUMP_REPORT_PLAIN);
    fputc('\n', page->f);
    pdump_report_style(page, PDUMP_REPORT_DIM);
    while (width-- > 0)
        fputs(page->is_utf8 ? "\u2500" : "-", page->f);
    pdump_report_style(page, PDUMP_REPORT_PLAIN);
    fputc('\n', page->f);
}

void pdump_report_table_print(const struct pdump_report_page *page,
                              const struct pdump_report_table *table)
{
    int last = table->n_columns - 1;

    while (last >= 0 && !table->columns[last].is_shown)
        last--;
    put_titles(page, table);
    for (int i = 0; i < page->view->n_shown; i++) {
        int item = page->view->shown[i];
        int used =
            pdump_report_name_put(page, item, table->levels, table->name);

        put_spaces(page, table->name - used);
        for (int k = 0; k <= last; k++) {
            if (!table->columns[k].is_shown)
                continue;
            put_spaces(page, GAP);
            put_cell(page, item, &table->columns[k], k == last);
        }
        fputc('\n', page->f);
    }
}
