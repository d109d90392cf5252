/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of details of a dump under construction. */
#ifndef PDUMP_BUILDER_DETAILS_H
#define PDUMP_BUILDER_DETAILS_H

#include "base/field.h"
#include "base/pair_index.h"
#include "dump/dump.h"

/* The most values in a row; a file with more is damaged. */
enum { PDUMP_BUILDER_DETAILS_VALUES_MAX = 4096 };

/* Indexes of the rows and labels.  Starts as zeroes. */
struct pdump_builder_details {
    struct pdump_pair_index rows;
    struct pdump_pair_index labels;
    int64_t max; /* limit for the bytes of all rows; 0: none */
    int64_t n_bytes;
};

/* The label of rows that exceed the limit. */
#define PDUMP_BUILDER_DETAILS_OTHER "(other)"

/* The warning for a table that was left out; the argument is its name. */
#define PDUMP_BUILDER_DETAILS_REFUSED \
    "details in %.80s with other fields than elsewhere, left out"

/* Where a row belongs; the label is copied. */
struct pdump_builder_details_place {
    int thread; /* or -1 */
    int node;   /* or -1 */
    const char *label;
};

void pdump_builder_details_free(struct pdump_builder_details *d);

/* Returns the index of a table like `like`, and adds it if it is new; see
 * builder.h. */
int pdump_builder_details_add(struct pdump_dump *dump,
                              const struct pdump_dump_detail *like);

/* Bytes of a table's rows and labels. */
int64_t pdump_builder_details_bytes(const struct pdump_dump_detail *detail);

/* Adds a row, or unites it with the row that has the same place.  Returns 1 if
 * the limit was reached and the row was counted under
 * PDUMP_BUILDER_DETAILS_OTHER. */
int pdump_builder_details_row(struct pdump_builder_details *d,
                              struct pdump_dump *dump, int detail,
                              const struct pdump_builder_details_place *place,
                              const int64_t *values);

/* Unites `more` with `values`, field by field. */
PDUMP_SHARED void pdump_builder_details_unite(
    const struct pdump_dump_detail *detail, int64_t *values,
    const int64_t *more);

#endif
