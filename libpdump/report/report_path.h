/* SPDX-License-Identifier: BSD-3-Clause */
/* The hot path as text. */
#ifndef PDUMP_REPORT_PATH_H
#define PDUMP_REPORT_PATH_H

#include "report/report_table.h"

/* Writes "Hot path: main (100.0 %) > solve (75.0 %)", as far as the page shows
 * it.  Returns false, and writes nothing, if it has fewer than two items. */
bool pdump_report_path(const struct pdump_report_page *page, char *text,
                       size_t len);

#endif
