/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters that cannot be trusted in short visits.
 *
 * Reading a counter adds to it.  That is measured once per process and
 * subtracted from every visit.  If more was subtracted from a region than is
 * left, the error of that estimate may be larger than the figure.
 */
#ifndef PDUMP_REPORT_DOUBT_H
#define PDUMP_REPORT_DOUBT_H

#include "report/report_table.h"

/* Returns true if the item's figure in this column is not known because of
 * that. */
bool pdump_report_doubt(const struct pdump_report_page *page, int item,
                        const struct pdump_report_column *column);

#endif
