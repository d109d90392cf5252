/* SPDX-License-Identifier: BSD-3-Clause */
/* The table "memory" of a dump as a series over time per process. */
#ifndef PDUMP_MEMORY_SERIES_H
#define PDUMP_MEMORY_SERIES_H

#include "dump/dump.h"

struct pdump_memory_point {
    int process;      /* of the dump; -1: all ranks together */
    double ms;        /* since the start of its session */
    const char *path; /* "main/solve", or ""; belongs to the dump */
    int64_t rss;      /* B; -1: unknown, also in the next two */
    int64_t pss;
    int64_t children;
};

/* The points of one process, in order of time. */
struct pdump_memory_one {
    int process;
    const struct pdump_memory_point *points;
    int64_t n;
    int64_t peak; /* largest rss */
};

struct pdump_memory_series {
    struct pdump_memory_point *points;
    struct pdump_memory_one *lines;
    int n;
};

/* Reads the series from the tables of a dump; there are none if it has no such
 * table.  Given: pdump_memory_series_free(). */
PDUMP_SHARED int pdump_memory_series(const struct pdump_dump *tables,
                                     struct pdump_memory_series *out);
PDUMP_SHARED void pdump_memory_series_free(struct pdump_memory_series *lines);

#endif
