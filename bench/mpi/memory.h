/* SPDX-License-Identifier: BSD-3-Clause */
/* The most memory that this process has had. */
#ifndef BENCH_MPI_MEMORY_H
#define BENCH_MPI_MEMORY_H

/* Resident, in KiB; since memory_forget(). */
long memory_peak(void);
void memory_forget(void);

#endif
