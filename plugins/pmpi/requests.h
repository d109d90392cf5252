/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of MPI that are under way, by their requests. */
#ifndef PDUMP_PMPI_REQUESTS_H
#define PDUMP_PMPI_REQUESTS_H

#include "peers.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct pdump_request {
    struct pdump_request *next;
    uintptr_t handle;
    uint64_t number; /* given by pdump_requests_add() */
    int64_t start;   /* ticks */
    unsigned session;
    bool is_persistent;
    bool has_status; /* bytes in will be in the status */
    int64_t out, in; /* bytes, told at every start of a persistent one, or -1 */
    int to;          /* enum pdump_peer */
    int from;
    int tag;                   /* of what is sent, or -1 */
    struct pdump_peers *peers; /* held; if `from` is PDUMP_PEER_LATER */
};

enum { PDUMP_REQUESTS_MAX = 1 << 18 };

/* How many are known: if none, there is nothing to look for. */
extern _Atomic int pdump_n_requests;

/* Copied; with what it holds.  MPI may have one handle for several requests
 * that are complete from the start: each is to be added. */
void pdump_requests_add(const struct pdump_request *request);

/*
 * The number of the last one that was added.  As soon as a request is complete
 * MPI may give its handle to another thread's: whoever is going to complete one
 * asks before, and then takes none that was added later.
 */
uint64_t pdump_requests_last(void);

/* It is complete: give it, and forget it unless it is persistent.  What it
 * holds belongs to the caller, but for a persistent one's.  False: unknown. */
bool pdump_requests_take(uintptr_t handle, uint64_t last,
                         struct pdump_request *out);

/* A persistent one is started.  False: unknown. */
bool pdump_requests_start(uintptr_t handle, int64_t now, unsigned session,
                          struct pdump_request *out);
/* As it is.  False: unknown. */
bool pdump_requests_look(uintptr_t handle, struct pdump_request *out);
void pdump_requests_forget(uintptr_t handle, uint64_t last);

/* In the child of a fork(). */
void pdump_requests_in_child(void);

/* Handles of messages are not those of requests. */
static inline uintptr_t pdump_requests_message(MPI_Message message)
{
    return (uintptr_t)message ^ (UINTPTR_MAX / 2 + 1);
}

#endif
