/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers collectives by the ranks that take part, the same way on all of them.
 *
 * This needs no communication.  A group is identified by its members' ranks in
 * MPI_COMM_WORLD, in order, and all members make its collectives in the same
 * order.  Communicators with the same group share one sequence.
 */
#ifndef PDUMP_PMPI_COLLECTIVE_IDS_H
#define PDUMP_PMPI_COLLECTIVE_IDS_H

#include "peers.h"

/* Counts a collective and returns `group << 24 | number`: the same on every
 * rank, and different for every other collective (until the numbers wrap
 * around).  It has at most 53 bits, because many readers keep no more of a
 * number.  Returns 0 if the group cannot be identified, for example if a
 * process is not in MPI_COMM_WORLD.  `peers` belongs to an existing
 * communicator. */
enum { PDUMP_GROUP_BITS = 24 };
int64_t pdump_collective_ids_count(struct pdump_peers *peers);

/* Called in the child after fork(). */
void pdump_collective_ids_in_child(void);

#endif
