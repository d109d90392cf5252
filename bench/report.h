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

struct result {
    char why[SIDE_WHY_SIZE]; /* it was skipped; empty if not */
    double floor;            /* medians of all rounds; ns */
    double ours;             /* ns, or bytes */
    double ratio;            /* median of ours/floor of the same round */
    double ratio_low;        /* a quarter of the rounds is below */
    double ratio_high;       /* a quarter is above */
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
