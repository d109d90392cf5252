/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a report's page in Markdown, with GitHub's tables. */
#ifndef PDUMP_REPORT_MARKDOWN_H
#define PDUMP_REPORT_MARKDOWN_H

#include "report/report_table.h"

/* Writes text with all markup escaped. */
void pdump_report_markdown_text(const struct pdump_report_page *page,
                                const char *text);

/* Writes text as code. */
void pdump_report_markdown_code(const struct pdump_report_page *page,
                                const char *text);

/* Removes the columns that Markdown does not show. */
void pdump_report_markdown_trim(struct pdump_report_table *table);

void pdump_report_markdown_table(const struct pdump_report_page *page,
                                 const struct pdump_report_table *table);

#endif
