/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of MPI operations under way, by their request handles. */
#ifndef PDUMP_PMPI_REQUESTS_H
#define PDUMP_PMPI_REQUESTS_H

#include "peers.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct pdump_request {
    struct pdump_request *next;
    uintptr_t handle;
    uint64_t number; /* set by pdump_requests_add() */
    int64_t start;   /* ticks */
    unsigned session;
    bool is_persistent;
    bool has_status; /* the status will have the bytes received */
    int64_t out, in; /* bytes added at each start of a persistent one, or -1 */
    int to;          /* enum pdump_peer */
    int from;
    int tag;                   /* of the sent message, or -1 */
    struct pdump_peers *peers; /* held if `from` is PDUMP_PEER_LATER */
};

enum { PDUMP_REQUESTS_MAX = 1 << 18 };

/* Number of known requests: if 0, no lookup is needed. */
extern _Atomic int pdump_n_requests;

/* Adds a copy of the request, and takes over what it holds.  MPI may use one
 * handle for several requests that are complete from the start; each must be
 * added. */
void pdump_requests_add(const struct pdump_request *request);

/*
 * Returns the number of the last request that was added.  As soon as a request
 * is complete, MPI may reuse its handle for a request of another thread.  So a
 * thread calls this before it completes a request, and then takes none that was
 * added later.
 */
uint64_t pdump_requests_last(void);

/* Called when a request is complete: copies it to *out and removes it unless it
 * is persistent.  The caller owns what a removed request holds.  Returns false
 * if the request is unknown. */
bool pdump_requests_take(uintptr_t handle, uint64_t last,
                         struct pdump_request *out);

/* Notes the start of a persistent request.  Returns false if it is unknown. */
bool pdump_requests_start(uintptr_t handle, int64_t now, unsigned session,
                          struct pdump_request *out);
/* Copies a request without changing it.  Returns false if it is unknown. */
bool pdump_requests_look(uintptr_t handle, struct pdump_request *out);
void pdump_requests_forget(uintptr_t handle, uint64_t last);

/* Called in the child after fork(). */
void pdump_requests_in_child(void);

/* Maps message handles to values that differ from those of requests. */
static inline uintptr_t pdump_requests_message(MPI_Message message)
{
    return (uintptr_t)message ^ (UINTPTR_MAX / 2 + 1);
}

#endif
