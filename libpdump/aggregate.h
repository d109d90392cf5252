/* SPDX-License-Identifier: BSD-3-Clause */
/* The dumps of all processes of a job, as one. */
#ifndef PDUMP_AGGREGATE_H
#define PDUMP_AGGREGATE_H

#include "comm.h"
#include "dump.h"

/* Give this rank's dump, get the job's on rank 0 and one's own elsewhere.
 * `*dump` is replaced, or left as it is on failure.  Collective. */
int pdump_aggregate(struct pdump_dump **dump, const struct pdump_comm *comm);

#endif
