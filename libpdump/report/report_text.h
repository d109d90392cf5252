/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints names on a page: measured in columns of a terminal, cut if they are
 * too long, and without anything that would control the terminal.
 *
 * Control characters, marks of text direction and bytes that are not UTF-8 are
 * shown as \n, \x1b or \u202e; without UTF-8, so is everything but ASCII.  If
 * `is_utf8`, wcwidth() must know the locale (uselocale()).
 */
#ifndef PDUMP_REPORT_TEXT_H
#define PDUMP_REPORT_TEXT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* Returns the columns that the first `len` bytes of `text` take. */
int pdump_report_text_width(const char *text, size_t len, bool is_utf8);

/* Prints `text` in at most `max` columns; leaves out its middle if necessary.
 * Returns the columns taken. */
int pdump_report_text_put(FILE *f, const char *text, size_t len, int max,
                          bool is_utf8);

#endif
