/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes JSON values, each with the text before it. */
#ifndef PDUMP_JSON_H
#define PDUMP_JSON_H

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

/* `before` is written unchanged in front of the value: brackets, commas, keys.
 * Strings may contain any bytes: invalid UTF-8 becomes U+FFFD.  PDUMP_MISSING
 * and reals that are not finite become null; numbers are written with all their
 * digits. "<" is escaped, so that the text can be embedded in an HTML page.
 * Errors stay in the stream. */
PDUMP_SHARED void pdump_json_string(FILE *f, const char *before,
                                    const char *text);
PDUMP_SHARED void pdump_json_int(FILE *f, const char *before, int64_t value);
PDUMP_SHARED void pdump_json_real(FILE *f, const char *before, double value);

/* Write nanoseconds in another unit, exactly: 3 digits give microseconds, 9
 * give seconds. */
PDUMP_SHARED void pdump_json_ns(FILE *f, const char *before, int64_t ns,
                                int digits);

#endif
