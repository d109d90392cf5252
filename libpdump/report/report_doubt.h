/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters that cannot be trusted in short visits (dump/reading_cost.h).
 */
#ifndef PDUMP_REPORT_DOUBT_H
#define PDUMP_REPORT_DOUBT_H

#include "report/report_table.h"

/* Returns true if the item's figure in this column is not known because of
 * that. */
bool pdump_report_doubt(const struct pdump_report_page *page, int item,
                        const struct pdump_report_column *column);

#endif
