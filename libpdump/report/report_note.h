/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes paragraphs and notes on a report's page. */
#ifndef PDUMP_REPORT_NOTE_H
#define PDUMP_REPORT_NOTE_H

#include "report/report_table.h"

/* Writes a paragraph in the current style, broken at its blanks; lines after
 * the first are indented. */
void pdump_report_paragraph(const struct pdump_report_page *page,
                            const char *text);

/* Writes a paragraph in the style of notes. */
void pdump_report_note(const struct pdump_report_page *page, const char *fmt,
                       ...) __attribute__((format(printf, 2, 3)));

/* Writes the notes below the table (report_note.c). */
void pdump_report_notes(const struct pdump_report_page *page,
                        const struct pdump_report_table *table);

/* Writes the description of the run, and its warnings (report_head.c). */
int pdump_report_head(const struct pdump_report_page *page);

#endif
