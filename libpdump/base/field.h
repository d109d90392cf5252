/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of a field in a table of details, in a store and in a dump. */
#ifndef PDUMP_FIELD_H
#define PDUMP_FIELD_H

#include <pdump.h>
#include <stdint.h>

/* The value of a field in which nothing was counted. */
static inline int64_t pdump_field_nothing(enum pdump_field_kind kind)
{
    return kind == PDUMP_FIELD_MIN   ? INT64_MAX
           : kind == PDUMP_FIELD_MAX ? INT64_MIN
                                     : 0;
}

/* A value of a REAL field, and back. */
static inline double pdump_field_real(int64_t value)
{
    double real;

    __builtin_memcpy(&real, &value, sizeof(real));
    return real;
}

static inline int64_t pdump_field_bits(double real)
{
    int64_t value;

    __builtin_memcpy(&value, &real, sizeof(value));
    return value;
}

/* Two values of a field as one. */
static inline int64_t pdump_field_united(enum pdump_field_kind kind, int64_t a,
                                         int64_t b)
{
    switch (kind) {
    case PDUMP_FIELD_MIN:
        return a < b ? a : b;
    case PDUMP_FIELD_MAX:
        return a > b ? a : b;
    case PDUMP_FIELD_REAL:
        return pdump_field_bits(pdump_field_real(a) + pdump_field_real(b));
    default: /* unsigned: a file may hold any numbers, and they may wrap */
        return (int64_t)((uint64_t)a + (uint64_t)b);
    }
}

#endif
