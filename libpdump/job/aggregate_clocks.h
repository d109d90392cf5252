/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves the events of all ranks to one time line. */
#ifndef PDUMP_AGGREGATE_CLOCKS_H
#define PDUMP_AGGREGATE_CLOCKS_H

#include "dump/dump.h"
#include "job/clock_sync.h"

/* Makes `out` a copy of `mine` with its own lanes, whose times are on the time
 * line of the job.  The caller frees these with pdump_dump_free_lanes(), also
 * after an error.  If this rank has no clock, `clock` is NULL and its times do
 * not change.  On rank 0, the offset and drift of every rank are added to the
 * metadata of `tables`.  Collective. */
int pdump_aggregate_clocks(const struct pdump_comm *comm,
                           const struct pdump_clock_sync *clock,
                           const struct pdump_dump *mine,
                           struct pdump_dump *out, struct pdump_dump *tables);

#endif
