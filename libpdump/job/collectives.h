/* SPDX-License-Identifier: BSD-3-Clause */
/* What all ranks of a group do together, made of messages: a binomial tree, in
 * which every rank stands for those above it up to the next power of two. */
#ifndef PDUMP_COLLECTIVES_H
#define PDUMP_COLLECTIVES_H

#include "job/comm.h"

/* Bring everything to rank 0: add() is called with what comes from the ranks
 * behind, in their order, then give() for what goes on to the next; *bytes is
 * borrowed.  Both only where there is somebody. */
struct pdump_collectives {
    int (*add)(void *data, void *bytes, size_t len);
    int (*give)(void *data, const void **bytes, size_t *len);
};
int pdump_collectives_up(const struct pdump_comm *comm,
                         const struct pdump_collectives *how, void *data);

/* From rank 0 to all.  *bytes is rank 0's, and given to the others. */
int pdump_collectives_down(const struct pdump_comm *comm, void **bytes,
                           size_t *len);
/* The same, of a thing that has a size that all know. */
int pdump_collectives_same(const struct pdump_comm *comm, void *word,
                           size_t size);

/* `size` bytes of each rank, in their order.  On rank 0 *all is given, with
 * room for all; NULL elsewhere. */
int pdump_collectives_all(const struct pdump_comm *comm, const void *mine,
                          size_t size, void **all);

#endif
