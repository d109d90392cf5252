/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of a figure over the ranks of a job: mean, standard deviation,
 * imbalance. */
#ifndef PDUMP_RANK_STAT_H
#define PDUMP_RANK_STAT_H

#include "dump/dump.h"

/* Allocates empty statistics in the layout of struct pdump_dump: an array of
 * n_nodes per metric, and one for the visits.  Given: free() each array. */
PDUMP_SHARED int pdump_rank_stat_new(int n_metrics, int n_nodes,
                                     struct pdump_dump_rank_stat ***out);

/* Adds the value of one rank; PDUMP_MISSING is ignored.  If several ranks have
 * the same minimum or maximum, the lowest rank is named, whatever the order of
 * the calls.  Sums saturate at the largest number. */
PDUMP_SHARED void pdump_rank_stat_add(struct pdump_dump_rank_stat *stat,
                                      int rank, int64_t value);

/* Adds the ranks of another statistic. */
PDUMP_SHARED void pdump_rank_stat_join(
    struct pdump_dump_rank_stat *stat,
    const struct pdump_dump_rank_stat *other);

/* These are over the ranks that have a value, NAN if none has.  The imbalance
 * is max / mean - 1: how much longer the slowest rank takes than an even share;
 * NAN if the mean is not positive. */
PDUMP_SHARED double pdump_rank_stat_mean(
    const struct pdump_dump_rank_stat *stat);
PDUMP_SHARED double pdump_rank_stat_stddev(
    const struct pdump_dump_rank_stat *stat);
double pdump_rank_stat_imbalance(const struct pdump_dump_rank_stat *stat);

#endif
