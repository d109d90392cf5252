/* SPDX-License-Identifier: BSD-3-Clause */
/* The same metrics, regions and nodes with the same numbers on every rank. */
#ifndef PDUMP_AGGREGATE_UNITE_H
#define PDUMP_AGGREGATE_UNITE_H

#include "dump/dump.h"
#include "job/comm.h"

/* `*mine` is this rank's dump in the numbers of the job: the one given, if it
 * has them already, else a new one.  On rank 0 *tables is given: everything but
 * rows and samples, the processes of all ranks in their order; NULL elsewhere.
 * Collective. */
int pdump_aggregate_unite(const struct pdump_comm *comm,
                          const struct pdump_dump *given,
                          const struct pdump_dump **mine,
                          struct pdump_dump **tables);

#endif
