/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the counters that cannot be trusted in short visits. */
#include "report/report_doubt.h"

#include "dump/reading_cost.h"

static bool is_lost_in_cost(const struct pdump_view *view, int item, int metric)
{
    int64_t sum = pdump_view_value(view, item, metric)->sum;
    double cost = pdump_reading_cost(view->dump, metric) *
                  (double)view->items[item].visits;

    return sum != PDUMP_MISSING && cost > 0 && cost > (double)sum;
}

bool pdump_report_doubt(const struct pdump_report_page *page, int item,
                        const struct pdump_report_column *column)
{
    const struct pdump_view *view = page->view;
    const struct pdump_derived *d;

    if (column->kind == PDUMP_REPORT_COUNTER)
        return is_lost_in_cost(view, item, column->index);
    if (column->kind != PDUMP_REPORT_DERIVED)
        return false;
    d = &view->derived[column->index];
    return is_lost_in_cost(view, item, d->top) ||
           is_lost_in_cost(view, item, d->bottom) ||
           (d->plus >= 0 && is_lost_in_cost(view, item, d->plus));
}
