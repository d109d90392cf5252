/* SPDX-License-Identifier: BSD-3-Clause */
/* A report's page in Markdown, with GitHub's tables. */
#ifndef PDUMP_REPORT_MARKDOWN_H
#define PDUMP_REPORT_MARKDOWN_H

#include "report/report_table.h"

/* Text of which nothing is markup. */
void pdump_report_markdown_text(const struct pdump_report_page *page,
                                const char *text);

/* The same as code. */
void pdump_report_markdown_code(const struct pdump_report_page *page,
                                const char *text);

/* Take out the columns that it does not have. */
void pdump_report_markdown_trim(struct pdump_report_table *table);

void pdump_report_markdown_table(const struct pdump_report_page *page,
                                 const struct pdump_report_table *table);

#endif
