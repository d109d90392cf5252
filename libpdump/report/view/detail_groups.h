/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups the rows of a table of details for a report, by rank, node, caller,
 * region or label. */
#ifndef PDUMP_DETAIL_GROUPS_H
#define PDUMP_DETAIL_GROUPS_H

#include "dump/dump.h"

/* The keys of a group; any of them added up, or 0 for the sum of all rows. */
enum pdump_detail_by {
    PDUMP_BY_RANK = 1,
    PDUMP_BY_NODE = 2,   /* the whole path with the called function */
    PDUMP_BY_CALLER = 4, /* the path without that function */
    PDUMP_BY_REGION = 8, /* the function, whatever its callers */
    PDUMP_BY_LABEL = 16, /* call site, file, peer ... */
};

/* A key is -1 if it was not asked for, or if there is none: ranks that were
 * united before, the thread as a whole, a function outside all regions. */
struct pdump_detail_group {
    int rank;
    int node;
    int caller; /* also a node */
    int region;
    int label;
    int64_t n_rows;        /* number of united rows */
    const int64_t *values; /* in the layout of a row of the table */
};

struct pdump_detail_groups {
    const struct pdump_dump_detail *detail; /* borrowed */
    struct pdump_detail_group *groups;      /* in order of first mention */
    int64_t n;
    int64_t *values; /* of all groups */
};

/* Makes the groups.  `detail` is a table of `dump`; both are borrowed as long
 * as the view is used.  On success, the caller ends with
 * pdump_detail_groups_free(). */
PDUMP_SHARED int pdump_detail_groups(const struct pdump_dump *dump,
                                     const struct pdump_dump_detail *detail,
                                     unsigned keys,
                                     struct pdump_detail_groups *out);
PDUMP_SHARED void pdump_detail_groups_free(struct pdump_detail_groups *view);

/* Sorts by a field (of a histogram: by its first bin), the largest first; equal
 * ones keep their order.  Returns false, and changes nothing, if there is no
 * such field or no memory. */
PDUMP_SHARED bool pdump_detail_groups_sort(struct pdump_detail_groups *view,
                                           const char *field);

/* Return a value of a group by the name of its field; 0 if there is no such
 * field, or if it is the MIN or MAX of nothing.  The second function is for
 * fields of kind REAL. */
int64_t pdump_detail_groups_int(const struct pdump_detail_groups *view,
                                const struct pdump_detail_group *group,
                                const char *field);
PDUMP_SHARED double pdump_detail_groups_real(
    const struct pdump_detail_groups *view,
    const struct pdump_detail_group *group, const char *field);

#endif
