/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON, piece by piece: values, each with what stands before it. */
#ifndef PDUMP_JSON_TEXT_H
#define PDUMP_JSON_TEXT_H

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

/* `before` is what stands between the last thing and this one, as it is.
 * Strings may be any bytes: what is no UTF-8 becomes U+FFFD.  PDUMP_MISSING,
 * and reals that are not finite, become null; numbers have all their digits.
 * "<" is escaped, so that all of it can stand in a page. Errors stay in the
 * stream. */
PDUMP_SHARED void pdump_json_string(FILE *f, const char *before,
                                    const char *text);
PDUMP_SHARED void pdump_json_int(FILE *f, const char *before, int64_t value);
PDUMP_SHARED void pdump_json_real(FILE *f, const char *before, double value);

/* Nanoseconds in another unit, exactly: with 3 digits they are microseconds,
 * with 9 seconds. */
PDUMP_SHARED void pdump_json_ns(FILE *f, const char *before, int64_t ns,
                                int digits);

#endif
