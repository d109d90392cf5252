/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the time of a dump goes, seen from outside.
 *
 * The library looks for the output folder when it begins to write, and flushes
 * the file to the disk when it has: this program has mkdir() and fsync() of its
 * own, which note the time.
 */
#ifndef BENCH_MPI_STEPS_H
#define BENCH_MPI_STEPS_H

#include <stdint.h>

/* CLOCK_MONOTONIC in ns; 0 if it did not happen since steps_clear(). */
struct steps {
    int64_t write; /* the first mkdir() */
    int64_t sync;  /* the first fsync(), its begin */
    int64_t synced;
};
extern struct steps steps;

void steps_clear(void);

#endif
