/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges the statistics over ranks of several dumps. */
#ifndef PDUMP_MERGE_STATS_H
#define PDUMP_MERGE_STATS_H

#include "dump/dump_copy.h"

/* Adds the ranks of one more dump, whose tree was copied: its statistics or, if
 * it has none, what its rows add up to.  `shift` is added to the numbers of its
 * ranks. */
int pdump_merge_stats_add(struct pdump_dump_rank_stat **stats, int n_metrics,
                          int n_nodes, const struct pdump_dump_copy *copy,
                          int shift);

#endif
