/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of details of a dump while they grow. */
#ifndef PDUMP_BUILDER_DETAILS_H
#define PDUMP_BUILDER_DETAILS_H

#include "base/field.h"
#include "base/pair_index.h"
#include "dump/dump.h"

/* Values in a row; a file that says more is damaged. */
enum { PDUMP_BUILDER_DETAILS_VALUES_MAX = 4096 };

/* How to find rows and labels.  Starts as zeroes. */
struct pdump_builder_details {
    struct pdump_pair_index rows;
    struct pdump_pair_index labels;
    int64_t max; /* bytes that the rows may take; 0: any */
    int64_t n_bytes;
};

/* The label of rows that came when there was no room for more. */
#define PDUMP_BUILDER_DETAILS_OTHER "(other)"

/* What a dump says where it had no use for a table, with its name. */
#define PDUMP_BUILDER_DETAILS_REFUSED \
    "details in %.80s with other fields than elsewhere, left out"

/* Where a row belongs; the label is copied. */
struct pdump_builder_details_place {
    int thread; /* or -1 */
    int node;   /* or -1 */
    const char *label;
};

void pdump_builder_details_free(struct pdump_builder_details *d);

/* The index of a table like `like`, made if new; see builder.h. */
int pdump_builder_details_add(struct pdump_dump *dump,
                              const struct pdump_dump_detail *like);

/* Bytes of a table's rows and labels. */
int64_t pdump_builder_details_bytes(const struct pdump_dump_detail *detail);

/* Add a row, or unite it with the one that is there.  1: there was no room, and
 * it became one of PDUMP_BUILDER_DETAILS_OTHER. */
int pdump_builder_details_row(struct pdump_builder_details *d,
                              struct pdump_dump *dump, int detail,
                              const struct pdump_builder_details_place *place,
                              const int64_t *values);

/* `more` united with `values`, field by field. */
PDUMP_SHARED void pdump_builder_details_unite(
    const struct pdump_dump_detail *detail, int64_t *values,
    const int64_t *more);

#endif
