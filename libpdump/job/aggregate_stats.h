/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes statistics over ranks on the way to rank 0. */
#ifndef PDUMP_AGGREGATE_STATS_H
#define PDUMP_AGGREGATE_STATS_H

#include "dump/dump.h"
#include "job/comm.h"

/* `mine` uses the numbers of the job.  On rank 0 *out is given, in the layout
 * of struct pdump_dump; NULL elsewhere.  Collective. */
int pdump_aggregate_stats(const struct pdump_comm *comm,
                          const struct pdump_dump *mine,
                          struct pdump_dump_rank_stat ***out);

#endif
