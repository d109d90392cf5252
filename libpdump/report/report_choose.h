/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses columns of a report's table by their names. */
#ifndef PDUMP_REPORT_CHOOSE_H
#define PDUMP_REPORT_CHOOSE_H

#include "report/report_table.h"

/* Leaves only the columns that the options name, in their order.  PDUMP_ENOENT
 * if there is none of a name: the table is as before. */
int pdump_report_choose(const struct pdump_report_page *page,
                        const struct pdump_report_options *options,
                        struct pdump_report_table *table);

#endif
