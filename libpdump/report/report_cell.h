/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the cells of a report's table. */
#ifndef PDUMP_REPORT_CELL_H
#define PDUMP_REPORT_CELL_H

#include "report/report_number.h"
#include "report/report_table.h"

/* Makes a cell of any column but the bars. */
void pdump_report_cell_make(const struct pdump_report_page *page, int item,
                            const struct pdump_report_column *column,
                            struct pdump_report_number *out);

/* Returns the percentage of the key metric, with or without the regions
 * inside. */
double pdump_report_cell_share(const struct pdump_report_page *page, int item,
                               bool is_self);

/* Returns how far the thread with the largest value is above the mean of the
 * threads that have the item: 0 if all are equal, NAN if that is unknown. */
double pdump_report_cell_imbalance(const struct pdump_view *view, int item,
                                   int metric);

#endif
