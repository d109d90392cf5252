/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures with units, as the locale of the terminal can show them. */
#ifndef PDUMP_NUMBER_TEXT_H
#define PDUMP_NUMBER_TEXT_H

/* Writes `value` with its unit to `buf`, with a µ if the locale has one.
 * Returns `buf`. */
const char *number_text(double value, const char *unit, char buf[48]);

/* Prints a text at the right end of `columns` columns. */
void number_text_put_right(const char *text, int columns);

#endif
