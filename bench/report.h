/* SPDX-License-Identifier: BSD-3-Clause */
/* The results: a table for people, JSON for programs. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "side.h"

#include <stdbool.h>

/* A line of the table. */
struct row {
    const char *id; /* in JSON */
    const char *title;
    const char *floor_title;
    const struct work *floor; /* NULL: the cost itself is judged, in bytes */
    const struct work *ours;
    double must; /* at most; 0: nothing is asked */
    double goal;
    const char *others; /* what others need, as measured once */
};

/* Costs are what they are in a quiet moment: a tenth of the rounds cost less.
 * What disturbs the machine comes in phases and hits code harder than clocks,
 * so that the median tells more about the neighbours than about the code. */
struct result {
    char why[SIDE_WHY_SIZE]; /* it was skipped, or failed; else empty */
    bool is_failed;          /* not skipped: something is broken */
    double floor;            /* ns */
    double ours;             /* ns, or bytes */
    double ratio;            /* of these costs */
    double median;           /* of ours/floor of each round */
};

/* A "must" that was measured and missed. */
bool report_is_missed(const struct row *row, const struct result *result);

/* To stdout. */
void report_head(const char *clock, int rounds);
void report_row(const struct row *row, const struct result *result);

/* 0, or -1 and errno. */
int report_json(const char *path, const char *clock, int rounds,
                const struct row *rows, const struct result *results, int n);

#endif
