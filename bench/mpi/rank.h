/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of these benchmarks have in common. */
#ifndef BENCH_MPI_RANK_H
#define BENCH_MPI_RANK_H

#include <stddef.h>
#include <stdint.h>

/* Record `regions` regions, visited twice each, with the time and `counters`
 * counters whose digits are as good as random, as those of instructions are.
 * -1 if that is not possible. */
int rank_record(int rank, int regions, int counters);

/* Send so many bytes to rank 0, so that MPI has the buffers for that. */
void rank_warm_up(size_t bytes);

/* Meet, sleeping meanwhile: others need the processors. */
void rank_meet(void);

/* CPU time of this process until now, in ns. */
int64_t rank_cpu(void);

#endif
