/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a dump cannot do without: one gather, and H5Dwrite.
 *
 * The bytes are those of a file that the library wrote: every column of more
 * than 1 KiB, with its own chunks and filters.  Columns of rows are cut into
 * equal parts, one per rank, and gathered; others are rank 0's.
 */
#ifndef BENCH_MPI_BARE_H
#define BENCH_MPI_BARE_H

#include <stdint.h>

struct bare;

/* ns of each step, on rank 0. */
struct bare_times {
    int64_t gather;
    int64_t write; /* and close */
    int64_t sync;
    int64_t read; /* the whole file again, and compare */
    int64_t cpu;  /* of the first two */
};

/* Take the columns of `path` over.  Collective.  NULL if that fails. */
struct bare *bare_open(const char *path);
void bare_close(struct bare *b);

/* Write them to `path`.  Collective.  -1 on failure. */
int bare_write(struct bare *b, const char *path, struct bare_times *out);

/* On rank 0, after a write: bytes as they are, and compressed. */
int64_t bare_bytes(const struct bare *b);
int64_t bare_compressed(const struct bare *b);

#endif
