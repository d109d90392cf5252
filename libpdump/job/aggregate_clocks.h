/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of all ranks on one time line. */
#ifndef PDUMP_AGGREGATE_CLOCKS_H
#define PDUMP_AGGREGATE_CLOCKS_H

#include "dump/dump.h"
#include "job/clock_sync.h"

/* `out` becomes `mine` with lanes of its own (pdump_dump_free_lanes(), also
 * after an error), whose times are those of the job.  `clock` is NULL if this
 * rank does not know: then its times stay.  `tables`, on rank 0, gets the
 * offset and drift of every rank as metadata.  Collective. */
int pdump_aggregate_clocks(const struct pdump_comm *comm,
                           const struct pdump_clock_sync *clock,
                           const struct pdump_dump *mine,
                           struct pdump_dump *out, struct pdump_dump *tables);

#endif
