/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns about ranks in a report's table. */
#ifndef PDUMP_REPORT_RANKS_H
#define PDUMP_REPORT_RANKS_H

#include "report/report_number.h"
#include "report/report_table.h"

/* Returns the largest number of columns that pdump_report_ranks_add() adds. */
int pdump_report_ranks_max(const struct pdump_report_page *page);

/* Adds the columns of a page that has ranks, without the counters, which
 * follow. */
void pdump_report_ranks_add(const struct pdump_report_page *page,
                            struct pdump_report_table *table);

/* Hides all columns of single ranks after the first one that does not fit. */
void pdump_report_ranks_trim(struct pdump_report_table *table);

/* Makes a cell of a column about ranks, all but the bar. */
void pdump_report_ranks_cell(const struct pdump_report_page *page, int item,
                             const struct pdump_report_column *column,
                             struct pdump_report_number *out);

/* The bar has a character for each rank, or for several ranks: the largest
 * value among them as a share of the largest of all.  A blank means no
 * value. */
int pdump_report_ranks_width(const struct pdump_report_page *page);
void pdump_report_ranks_bar(const struct pdump_report_page *page, int item);

#endif
