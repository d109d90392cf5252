/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints text from files and programs without its control characters. */
#ifndef PDUMP_SAFE_TEXT_H
#define PDUMP_SAFE_TEXT_H

#include "base/error.h"

#include <stdio.h>

/* Prints `text` in at most `max` columns (0: no limit), with a "?" for each
 * character that controls the terminal or is not in the locale. */
PDUMP_SHARED void pdump_safe_text_put(FILE *f, const char *text, int max);

/* The same in place, whatever the locale is: replaces the control characters of
 * ASCII and of UTF-8, and leaves other bytes as they are. */
PDUMP_SHARED void pdump_safe_text_clean(char *text);

#endif
