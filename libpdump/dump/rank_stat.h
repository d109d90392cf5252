/* SPDX-License-Identifier: BSD-3-Clause */
/* A figure over the ranks of a job, and what follows from it. */
#ifndef PDUMP_RANK_STAT_H
#define PDUMP_RANK_STAT_H

#include "dump/dump.h"

/* One more rank; PDUMP_MISSING is no value.  Of equal ones the smallest rank is
 * named, in whatever order they come.  Sums stop at the largest number. */
PDUMP_SHARED void pdump_rank_stat_add(struct pdump_dump_rank_stat *stat,
                                      int rank, int64_t value);

/* The ranks of another one, too. */
PDUMP_SHARED void pdump_rank_stat_join(
    struct pdump_dump_rank_stat *stat,
    const struct pdump_dump_rank_stat *other);

/* Over the ranks that have a value, NAN if none has.  The imbalance is
 * max / mean - 1: what the slowest rank takes longer than an even share; NAN
 * where the mean is not positive. */
PDUMP_SHARED double pdump_rank_stat_mean(
    const struct pdump_dump_rank_stat *stat);
PDUMP_SHARED double pdump_rank_stat_stddev(
    const struct pdump_dump_rank_stat *stat);
PDUMP_SHARED double pdump_rank_stat_imbalance(
    const struct pdump_dump_rank_stat *stat);

#endif
