/* SPDX-License-Identifier: BSD-3-Clause */
/* The statistics over ranks of several dumps, as those of their union. */
#ifndef PDUMP_MERGE_STATS_H
#define PDUMP_MERGE_STATS_H

#include "builder.h"

/* `b` has all metrics and nodes of the n dumps already.  Ranks of jobs that all
 * have statistics count one after the other; nothing is added if none has. */
int pdump_merge_stats(struct pdump_builder *b, struct pdump_dump *const *dumps,
                      int n, int n_metrics, int n_nodes);

#endif
