/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands in a cell of a report's table. */
#ifndef PDUMP_REPORT_CELL_H
#define PDUMP_REPORT_CELL_H

#include "report/report_number.h"
#include "report/report_table.h"

/* Every column but the bars. */
void pdump_report_cell_make(const struct pdump_report_page *page, int item,
                            const struct pdump_report_column *column,
                            struct pdump_report_number *out);

/* Percents of the key metric, with or without the regions inside. */
double pdump_report_cell_share(const struct pdump_report_page *page, int item,
                               bool is_self);

/* How much the thread that has most is above the mean of those that have the
 * item: 0 if all have the same, NAN if that is not known. */
double pdump_report_cell_imbalance(const struct pdump_view *view, int item,
                                   int metric);

#endif
