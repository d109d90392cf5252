/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences on a report's page. */
#ifndef PDUMP_REPORT_NOTE_H
#define PDUMP_REPORT_NOTE_H

#include "report/report_table.h"

/* A paragraph in the style at hand, broken at its blanks; lines after the first
 * are indented. */
void pdump_report_paragraph(const struct pdump_report_page *page,
                            const char *text);

/* One in the style of notes. */
void pdump_report_note(const struct pdump_report_page *page, const char *fmt,
                       ...) __attribute__((format(printf, 2, 3)));

/* What is to be known about the table, below it (report_note.c). */
void pdump_report_notes(const struct pdump_report_page *page,
                        const struct pdump_report_table *table);

/* What the run was, and its warnings (report_head.c). */
int pdump_report_head(const struct pdump_report_page *page);

#endif
