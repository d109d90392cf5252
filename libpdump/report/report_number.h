/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures on a page: three digits and a unit with the prefix that suits. */
#ifndef PDUMP_REPORT_NUMBER_H
#define PDUMP_REPORT_NUMBER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* In two parts, so that a column can align both. */
struct pdump_report_number {
    char digits[24];
    char unit[24]; /* perhaps "" */
};

/* `value` in `unit`: 12345678 ns are 12.3 ms, 4560000 of "1" are 4.56 M.  A "-"
 * for NAN. */
void pdump_report_number_make(double value, const char *unit, bool is_utf8,
                              struct pdump_report_number *out);

/* A number of visits: all digits up to a million. */
void pdump_report_number_count(int64_t value, struct pdump_report_number *out);

/* The same on one line; the string is the one in `buf`. */
PDUMP_SHARED const char *pdump_report_number_text(double value,
                                                  const char *unit,
                                                  bool is_utf8, char buf[48]);

#endif
