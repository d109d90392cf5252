/* SPDX-License-Identifier: BSD-3-Clause */
/* The value of a metric that a process did not count. */
#ifndef PDUMP_MISSING_H
#define PDUMP_MISSING_H

#include <stdint.h>

#define PDUMP_MISSING INT64_MIN

/* Of two values, of which one or both may be missing.  A sum that does not fit
 * is the largest or the smallest number. */
static inline int64_t pdump_missing_add(int64_t a, int64_t b)
{
    int64_t sum;

    if (a == PDUMP_MISSING || b == PDUMP_MISSING)
        return a == PDUMP_MISSING ? b : a;
    if (__builtin_add_overflow(a, b, &sum))
        return b < 0 ? INT64_MIN + 1 : INT64_MAX;
    return sum;
}

static inline int64_t pdump_missing_smaller(int64_t a, int64_t b)
{
    if (a == PDUMP_MISSING || b == PDUMP_MISSING)
        return a == PDUMP_MISSING ? b : a;
    return a < b ? a : b;
}

/* PDUMP_MISSING is the smallest number, so any value is larger. */
static inline int64_t pdump_missing_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
