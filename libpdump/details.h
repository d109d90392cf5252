/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of details of a dump while they grow. */
#ifndef PDUMP_DETAILS_H
#define PDUMP_DETAILS_H

#include "dump.h"
#include "index.h"

/* How to find rows and labels.  Starts as zeroes. */
struct pdump_details {
    struct pdump_index rows;
    struct pdump_index labels;
};

/* Where a row belongs; the label is copied. */
struct pdump_details_place {
    int thread; /* or -1 */
    int node;   /* or -1 */
    const char *label;
};

void pdump_details_free(struct pdump_details *d);

/* The index of a table like `like`, made if new; see builder.h. */
int pdump_details_add(struct pdump_dump *dump,
                      const struct pdump_dump_detail *like);

/* Add a row, or unite it with the one that is there. */
int pdump_details_row(struct pdump_details *d, struct pdump_dump *dump,
                      int detail, const struct pdump_details_place *place,
                      const int64_t *values);

/* `more` united with `values`, field by field. */
PDUMP_SHARED void pdump_details_unite(const struct pdump_dump_detail *detail,
                                      int64_t *values, const int64_t *more);

/* A value of a REAL field, and back. */
static inline double pdump_details_real(int64_t value)
{
    double real;

    __builtin_memcpy(&real, &value, sizeof(real));
    return real;
}

static inline int64_t pdump_details_bits(double real)
{
    int64_t value;

    __builtin_memcpy(&value, &real, sizeof(value));
    return value;
}

#endif
