/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the counters that cannot be trusted in short visits. */
#include "report/report_doubt.h"

#include <stdlib.h>
#include <string.h>

/* Returns what was subtracted from the metric per visit, in its unit.  The
 * metadata are "NAME VALUE UNIT, NAME VALUE UNIT". */
static double subtracted_per_visit(const struct pdump_dump *dump, int metric)
{
    const char *name = dump->metrics[metric].name;
    const char *list = pdump_dump_metadata(dump, "counters_overhead_per_visit");
    size_t len = strlen(name);

    for (const char *at = list; at && *at; at += strspn(at, ", ")) {
        if (strncmp(at, name, len) == 0 && at[len] == ' ')
            return strtod(at + len, NULL);
        at += strcspn(at, ",");
    }
    return 0;
}

static bool is_lost_in_cost(const struct pdump_view *view, int item, int metric)
{
    int64_t sum = pdump_view_value(view, item, metric)->sum;

    if (sum == PDUMP_MISSING || view->items[item].visits <= 0)
        return false;
    return (double)view->items[item].visits *
               subtracted_per_visit(view->dump, metric) >
           (double)sum;
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
