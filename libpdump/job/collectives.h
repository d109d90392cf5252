/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective operations on the ranks of a group, made of messages along a
 * binomial tree: each rank collects from the ranks above it, up to the next
 * power of two. */
#ifndef PDUMP_COLLECTIVES_H
#define PDUMP_COLLECTIVES_H

#include "job/comm.h"

/* Brings data to rank 0.  Each rank calls add() for the data of the ranks above
 * it, in their order, then give() for the data that it sends on; *bytes is
 * borrowed.  Neither is called if there is no rank to receive from or send
 * to. */
struct pdump_collectives {
    int (*add)(void *data, void *bytes, size_t len);
    int (*give)(void *data, const void **bytes, size_t *len);
};
int pdump_collectives_up(const struct pdump_comm *comm,
                         const struct pdump_collectives *how, void *data);

/* Sends data from rank 0 to all.  *bytes belongs to rank 0, and is given on the
 * other ranks. */
int pdump_collectives_down(const struct pdump_comm *comm, void **bytes,
                           size_t *len);
/* Does the same for data whose size all ranks know. */
int pdump_collectives_same(const struct pdump_comm *comm, void *word,
                           size_t size);

/* Collects `size` bytes of each rank, in the order of ranks.  On rank 0 *all is
 * given; NULL elsewhere. */
int pdump_collectives_all(const struct pdump_comm *comm, const void *mine,
                          size_t size, void **all);

#endif
