/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of details put together for people: its rows, united by what they
 * have in common. */
#ifndef PDUMP_DETAIL_GROUPS_H
#define PDUMP_DETAIL_GROUPS_H

#include "dump/dump.h"

/* What rows of one group have in common; any of them added up, or 0 for the
 * sum of all. */
enum pdump_detail_by {
    PDUMP_BY_RANK = 1,
    PDUMP_BY_NODE = 2,   /* the whole path, to the function that was called */
    PDUMP_BY_CALLER = 4, /* the path around it */
    PDUMP_BY_REGION = 8, /* the function, wherever it was called */
    PDUMP_BY_LABEL = 16, /* call site, file, peer ... */
};

/* -1: no key, or nothing: ranks that were united before, the thread as a whole,
 * a function outside of all regions. */
struct pdump_detail_group {
    int rank;
    int node;
    int caller; /* a node, too */
    int region;
    int label;
    int64_t n_rows;        /* that were united */
    const int64_t *values; /* as a row of the table has them */
};

struct pdump_detail_groups {
    const struct pdump_dump_detail *detail; /* borrowed */
    struct pdump_detail_group *groups;      /* in order of first mention */
    int64_t n;
    int64_t *values; /* of all groups */
};

/* `detail` is a table of `dump`, and both are borrowed as long as the view is
 * used.  On success end with pdump_detail_groups_free(). */
PDUMP_SHARED int pdump_detail_groups(const struct pdump_dump *dump,
                                     const struct pdump_dump_detail *detail,
                                     unsigned keys,
                                     struct pdump_detail_groups *out);
PDUMP_SHARED void pdump_detail_groups_free(struct pdump_detail_groups *view);

/* The largest of a field (of a histogram: its first bin) first, equal ones as
 * they were.  False: no such field, or no memory; nothing changes. */
PDUMP_SHARED bool pdump_detail_groups_sort(struct pdump_detail_groups *view,
                                           const char *field);

/* A value of a group by the name of its field; 0 if there is none, also where
 * a MIN or MAX is of nothing.  The second is for fields of kind REAL. */
PDUMP_SHARED int64_t pdump_detail_groups_int(
    const struct pdump_detail_groups *view,
    const struct pdump_detail_group *group, const char *field);
PDUMP_SHARED double pdump_detail_groups_real(
    const struct pdump_detail_groups *view,
    const struct pdump_detail_group *group, const char *field);

#endif
