/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives by the ranks that make them, numbered alike on all of these.
 *
 * Nobody is asked: a group is known by its members' ranks in MPI_COMM_WORLD,
 * in its order, and all of them have to make its collectives in one order.
 * Communicators of the same group are one to us.
 */
#ifndef PDUMP_PMPI_COLLECTIVE_IDS_H
#define PDUMP_PMPI_COLLECTIVE_IDS_H

#include "peers.h"

/* Of a collective that was made there: `group << 24 | number`, the same on
 * every rank, different for every other one (until numbers begin anew).  As 53
 * bits are all that many readers take from a number, there are no more.  0: it
 * cannot be told, as for processes that are not in MPI_COMM_WORLD.  `peers` of
 * a communicator that lives. */
enum { PDUMP_GROUP_BITS = 24 };
int64_t pdump_collective_ids_count(struct pdump_peers *peers);

/* In the child of a fork(). */
void pdump_collective_ids_in_child(void);

#endif
