/* SPDX-License-Identifier: BSD-3-Clause */
/* What a report's table says about ranks. */
#ifndef PDUMP_REPORT_RANKS_H
#define PDUMP_REPORT_RANKS_H

#include "report/report_number.h"
#include "report/report_table.h"

/* How many columns pdump_report_ranks_add() adds at most. */
int pdump_report_ranks_max(const struct pdump_report_page *page);

/* The columns of a page that has ranks; counters follow. */
void pdump_report_ranks_add(const struct pdump_report_page *page,
                            struct pdump_report_table *table);

/* Columns of ranks after the first that had no room have none either. */
void pdump_report_ranks_trim(struct pdump_report_table *table);

/* A cell of a column that is about ranks, all but the bar. */
void pdump_report_ranks_cell(const struct pdump_report_page *page, int item,
                             const struct pdump_report_column *column,
                             struct pdump_report_number *out);

/* A cell for each rank, or for as many ranks as it takes: the largest of them
 * as a share of the largest of all.  A blank has no value. */
int pdump_report_ranks_width(const struct pdump_report_page *page);
void pdump_report_ranks_bar(const struct pdump_report_page *page, int item);

#endif
