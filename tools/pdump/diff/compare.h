/* SPDX-License-Identifier: BSD-3-Clause */
/* Two sides of one or more runs each, compared region by region. */
#ifndef PDUMP_COMPARE_H
#define PDUMP_COMPARE_H

#include "dump/dump.h"

/* What is known of a region on one side. */
struct compare_side {
    int n;             /* runs that have it */
    double visits;     /* of a run, median */
    double sum;        /* of a run, median; of a level, the highest */
    double each;       /* per visit, median over runs; of a level, the same */
    double each_error; /* of a single run: by the spread of its visits; NAN */
};

enum compare_verdict {
    COMPARE_SAME, /* no more than noise */
    COMPARE_LESS, /* per visit */
    COMPARE_MORE,
    COMPARE_UNKNOWN, /* too few runs, and no spread of visits, to tell */
    COMPARE_GONE,    /* not on the second side */
    COMPARE_NEW,
};

struct compare_line {
    int node; /* of the union */
    struct compare_side side[2];
    double change; /* per visit: 0.05 is 5 % more; NAN */
    double impact; /* sum of the second side less that of the first */
    double likely; /* to differ so much by chance; NAN: cannot be told */
    enum compare_verdict verdict;
};

struct compare {
    struct pdump_dump *tree;    /* regions and nodes of all runs */
    struct compare_line *lines; /* sorted by impact, largest first */
    int n_lines;
    double total[2]; /* of the outermost regions, median; of a level, of all */
};

/* The metric `name` of dumps[0 .. n[0] + n[1]), the first n[0] of which are one
 * side.  PDUMP_ENOENT if a run has no such metric.  On success end with
 * compare_free(). */
int compare_make(struct pdump_dump *const *dumps, const int n[2],
                 const char *name, struct compare *out);
void compare_free(struct compare *c);

#endif
