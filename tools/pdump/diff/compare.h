/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares two sides, of one or more runs each, region by region. */
#ifndef PDUMP_COMPARE_H
#define PDUMP_COMPARE_H

#include "dump/dump.h"

/* The figures of a region on one side. */
struct compare_side {
    int n;             /* runs that have it */
    double visits;     /* per run, median */
    double sum;        /* per run, median; of a gauge, of the highest values */
    double each;       /* per visit, median over runs; of a gauge, as sum */
    double each_error; /* of a single run, from the spread of its visits */
};

enum compare_verdict {
    COMPARE_SAME, /* the difference is noise */
    COMPARE_LESS, /* per visit */
    COMPARE_MORE,
    COMPARE_UNKNOWN, /* too few runs, and no spread of visits, to decide */
    COMPARE_GONE,    /* not on the second side */
    COMPARE_NEW,
};

/* Returns the verdict in words; static. */
const char *compare_verdict_text(enum compare_verdict verdict);

struct compare_line {
    int node; /* in the tree */
    struct compare_side side[2];
    double change; /* per visit: 0.05 is 5 % more; NAN */
    double impact; /* sum of the second side minus that of the first */
    double likely; /* probability of the difference by chance; NAN: unknown */
    enum compare_verdict verdict;
};

struct compare {
    struct pdump_dump *tree;    /* regions and nodes of all runs */
    struct compare_line *lines; /* sorted by impact, largest first */
    int n_lines;
    double total[2]; /* outermost regions, medians; of a gauge, the highest */
};

/* Compares the metric `name` of dumps[0 .. n[0] + n[1]); the first n[0] are one
 * side.  PDUMP_ENOENT if a run does not have the metric.  On success, end with
 * compare_free(). */
int compare_make(struct pdump_dump *const *dumps, const int n[2],
                 const char *name, struct compare *out);
void compare_free(struct compare *c);

#endif
