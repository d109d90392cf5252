/* SPDX-License-Identifier: BSD-3-Clause */
/* The statistics over ranks of several dumps, as those of their union. */
#ifndef PDUMP_MERGE_STATS_H
#define PDUMP_MERGE_STATS_H

#include "dump/renumber.h"

/* Statistics without a value, as a dump has them: one line of n_nodes per
 * metric, and one for the visits.  Given: pdump_merge_stats_free(), or to a
 * dump. */
int pdump_merge_stats_new(int n_metrics, int n_nodes,
                          struct pdump_dump_rank_stat ***out);
void pdump_merge_stats_free(struct pdump_dump_rank_stat **stats, int n_metrics);

/* Add the ranks of one more dump: its statistics, or, if it has none, what
 * follows from its rows, so that no dump is left out.  `shift` is added to the
 * numbers of its ranks. */
int pdump_merge_stats_add(struct pdump_dump_rank_stat **stats, int n_metrics,
                          int n_nodes, const struct pdump_dump *dump,
                          const struct pdump_renumber *p, int shift);

#endif
