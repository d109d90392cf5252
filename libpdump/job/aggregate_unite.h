/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives metrics, regions and nodes the same numbers on every rank. */
#ifndef PDUMP_AGGREGATE_UNITE_H
#define PDUMP_AGGREGATE_UNITE_H

#include "dump/dump.h"
#include "job/comm.h"

/* Sets *mine to this rank's dump with the numbers of the job: `given` if it
 * already has them, otherwise a new dump.  On rank 0 *tables is given:
 * everything but rows and samples, with the processes of all ranks in order;
 * NULL elsewhere.  Collective. */
int pdump_aggregate_unite(const struct pdump_comm *comm,
                          const struct pdump_dump *given,
                          const struct pdump_dump **mine,
                          struct pdump_dump **tables);

#endif
