/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of the fields of detail tables, in a store and in a dump. */
#ifndef PDUMP_FIELD_H
#define PDUMP_FIELD_H

#include <pdump.h>
#include <stdint.h>

/* The initial value of a field, before anything is counted. */
static inline int64_t pdump_field_nothing(enum pdump_field_kind kind)
{
    return kind == PDUMP_FIELD_MIN   ? INT64_MAX
           : kind == PDUMP_FIELD_MAX ? INT64_MIN
                                     : 0;
}

/* Convert the value of a REAL field to a double, and back. */
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

/* Combine two values of a field. */
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
    default: /* unsigned, because values from a file may overflow */
        return (int64_t)((uint64_t)a + (uint64_t)b);
    }
}

#endif
