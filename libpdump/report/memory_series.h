/* SPDX-License-Identifier: BSD-3-Clause */
/* The table "memory" of a dump, put in order: a line over time per process. */
#ifndef PDUMP_MEMORY_SERIES_H
#define PDUMP_MEMORY_SERIES_H

#include "dump/dump.h"

struct pdump_memory_point {
    int process;      /* of the dump; -1: all ranks together */
    double ms;        /* since the start of its session */
    const char *path; /* "main/solve", or ""; belongs to the dump */
    int64_t rss;      /* B; -1: not known, as the others */
    int64_t pss;
    int64_t children;
};

/* The points of one process, in the order of time. */
struct pdump_memory_one {
    int process;
    const struct pdump_memory_point *points;
    int64_t n;
    int64_t peak; /* the most of rss */
};

struct pdump_memory_series {
    struct pdump_memory_point *points;
    struct pdump_memory_one *lines;
    int n;
};

/* Of the tables of a dump; none if there is no such table.  Given. */
PDUMP_SHARED int pdump_memory_series(const struct pdump_dump *tables,
                                     struct pdump_memory_series *out);
PDUMP_SHARED void pdump_memory_series_free(struct pdump_memory_series *lines);

#endif
