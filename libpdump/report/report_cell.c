/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the cells of a report's table. */
#include "report/report_cell.h"
#include "report/report_doubt.h"
#include "report/report_ranks.h"

#include <math.h>
#include <string.h>

static double value_or_nan(int64_t value)
{
    return value == PDUMP_MISSING ? NAN : (double)value;
}

/* Open visits count, because their time is in the sum. */
static double per_visit(const struct pdump_view *view, int item, int metric)
{
    int64_t visits = view->items[item].visits + view->items[item].n_open;

    if (visits <= 0)
        return NAN;
    return value_or_nan(pdump_view_value(view, item, metric)->sum) /
           (double)visits;
}

/* A gauge is a level: its highest value counts, not its sum. */
static double counter(const struct pdump_view *view, int item, int metric)
{
    const struct pdump_view_value *value = pdump_view_value(view, item, metric);

    if (view->dump->metrics[metric].kind == PDUMP_GAUGE)
        return value_or_nan(value->max);
    return value_or_nan(value->sum);
}

/* In a live view of time, this is the share of the seconds that passed: several
 * threads can have several times 100 %. */
double pdump_report_cell_share(const struct pdump_report_page *page, int item,
                               bool is_self)
{
    const struct pdump_view *view = page->view;
    const struct pdump_view_value *value;

    if (page->seconds <= 0 || view->key < 0 ||
        strcmp(view->dump->metrics[view->key].name, "time") != 0)
        return is_self ? pdump_view_self_percent(view, item)
                       : pdump_view_percent(view, item);
    value = pdump_view_value(view, item, view->key);
    return value_or_nan(is_self ? value->self : value->sum) /
           (page->seconds * 1e7);
}

static bool is_rate(const struct pdump_report_page *page,
                    const struct pdump_report_column *c)
{
    return page->seconds > 0 && c->kind == PDUMP_REPORT_COUNTER &&
           page->view->dump->metrics[c->index].kind != PDUMP_GAUGE;
}

/* Returns the divisor of a sum: the number of ranks that have a value. */
static double n_ranks(const struct pdump_report_page *page, int item,
                      int metric)
{
    int64_t n;

    if (!page->ranks || (metric < page->view->dump->n_metrics &&
                         page->view->dump->metrics[metric].kind == PDUMP_GAUGE))
        return 1;
    n = pdump_view_ranks_stat(page->view, page->ranks, item, metric)->n;
    return n > 0 ? (double)n : NAN;
}

double pdump_report_cell_imbalance(const struct pdump_view *view, int item,
                                   int metric)
{
    const struct pdump_view_value *value = pdump_view_value(view, item, metric);

    if (value->n_threads <= 0 || value->sum <= 0 ||
        value->most == PDUMP_MISSING)
        return NAN;
    return (double)value->most * value->n_threads / (double)value->sum - 1;
}

static double cell_figure(const struct pdump_report_page *page, int item,
                          const struct pdump_report_column *c)
{
    const struct pdump_view *view = page->view;

    switch (c->kind) {
    case PDUMP_REPORT_TIME:
        return counter(page->totals, item, c->index) /
               n_ranks(page, item, c->index);
    case PDUMP_REPORT_SELF:
        return value_or_nan(pdump_view_value(view, item, c->index)->self) /
               n_ranks(page, item, c->index);
    case PDUMP_REPORT_MOST:
        return value_or_nan(pdump_view_value(view, item, c->index)->most);
    case PDUMP_REPORT_PER_VISIT:
        return per_visit(page->totals, item, c->index);
    case PDUMP_REPORT_DERIVED:
        return view->figures[(size_t)item * (size_t)view->n_derived +
                             (size_t)c->index];
    default:
        return counter(view, item, c->index) / n_ranks(page, item, c->index) /
               (is_rate(page, c) ? page->seconds : 1);
    }
}

static void make_visits(const struct pdump_report_page *page, int item,
                        const struct pdump_report_column *c,
                        struct pdump_report_number *out)
{
    const struct pdump_view_item *items = page->view->items;
    double n = n_ranks(page, item, page->view->dump->n_metrics);
    double mean = (double)items[item].visits / n;

    if (page->ranks && mean != floor(mean))
        pdump_report_number_make(mean, "1", page->is_utf8, out);
    else if (page->ranks)
        pdump_report_number_count((int64_t)mean, out);
    else if (c->kind == PDUMP_REPORT_RATE)
        pdump_report_number_make((double)items[item].visits / page->seconds,
                                 "1", page->is_utf8, out);
    else
        pdump_report_number_count(page->totals->items[item].visits, out);
    if (items[item].region < 0)
        out->digits[0] = out->unit[0] = '\0';
}

void pdump_report_cell_make(const struct pdump_report_page *page, int item,
                            const struct pdump_report_column *c,
                            struct pdump_report_number *out)
{
    const struct pdump_view *view = page->view;

    if (c->kind == PDUMP_REPORT_SHARE || c->kind == PDUMP_REPORT_SELF_SHARE) {
        pdump_report_number_make(
            pdump_report_cell_share(page, item,
                                    c->kind == PDUMP_REPORT_SELF_SHARE),
            "%", page->is_utf8, out);
        out->unit[0] = '\0';
    } else if (c->kind == PDUMP_REPORT_IMBALANCE) {
        pdump_report_number_make(
            100 * pdump_report_cell_imbalance(view, item, c->index), "%",
            page->is_utf8, out);
        out->unit[0] = '\0';
    } else if (c->kind == PDUMP_REPORT_VISITS || c->kind == PDUMP_REPORT_RATE) {
        make_visits(page, item, c, out);
    } else if (c->kind >= PDUMP_REPORT_RANK_ONE) {
        pdump_report_ranks_cell(page, item, c, out);
    } else {
        double value = cell_figure(page, item, c);

        pdump_report_number_make(value,
                                 c->kind == PDUMP_REPORT_DERIVED
                                     ? view->derived[c->index].recipe->unit
                                     : view->dump->metrics[c->index].unit,
                                 page->is_utf8, out);
        if (pdump_report_doubt(page, item, c)) {
            strcpy(out->digits, "?");
            out->unit[0] = '\0';
        } else if (!isnan(value) && is_rate(page, c) &&
                   strlen(out->unit) + 2 < sizeof(out->unit)) {
            strcat(out->unit, "/s");
        }
    }
}
