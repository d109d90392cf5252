/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats figures: three digits, and a unit with a suitable prefix. */
#ifndef PDUMP_REPORT_NUMBER_H
#define PDUMP_REPORT_NUMBER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* A figure in two parts, so that a column can align both. */
struct pdump_report_number {
    char digits[24];
    char unit[24]; /* may be "" */
};

/* Formats `value`, which is in `unit`: 12345678 ns become 12.3 ms, 4560000 of
 * "1" become 4.56 M, NAN becomes "-". */
void pdump_report_number_make(double value, const char *unit, bool is_utf8,
                              struct pdump_report_number *out);

/* Formats a number of visits, with all digits up to a million. */
void pdump_report_number_count(int64_t value, struct pdump_report_number *out);

/* Formats `value` on one line.  Returns `buf`. */
PDUMP_SHARED const char *pdump_report_number_text(double value,
                                                  const char *unit,
                                                  bool is_utf8, char buf[48]);

#endif
