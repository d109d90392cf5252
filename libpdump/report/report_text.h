/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names on a page: as wide as a terminal shows them, never as wide as they
 * like, and with nothing in them that a terminal would obey.
 *
 * Control characters, text directions and what is not UTF-8 are shown as \n,
 * \x1b or \u202e; without UTF-8 so is all that is not ASCII.  wcwidth() must
 * know the locale (uselocale()) if `is_utf8`.
 */
#ifndef PDUMP_REPORT_TEXT_H
#define PDUMP_REPORT_TEXT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* Columns that the first `len` bytes of `text` take. */
int pdump_report_text_width(const char *text, size_t len, bool is_utf8);

/* Print `text` in at most `max` columns, its middle left out if it must be.
 * Returns the columns taken. */
int pdump_report_text_put(FILE *f, const char *text, size_t len, int max,
                          bool is_utf8);

#endif
