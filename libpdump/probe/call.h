/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records calls of foreign functions, for the libraries that wrap MPI, the C
 * library and so on: a call is a region of a group of its own.  This must not
 * disturb the program: no function here fails, restarts a session that has
 * ended, or warns about misuse.
 *
 *     static struct pdump_callee send = { "MPI_Send", PDUMP_GROUP_MPI };
 *     struct pdump_call call;
 *
 *     if (!pdump_call_begin(&call, &send))
 *         return PMPI_Send(...);
 *     result = PMPI_Send(...);
 *     pdump_call_end(&call);
 *
 * call_detail.h adds statistics to a call.
 *
 * This is the central header of probe/, the interface of preloaded libraries
 * and launchers to the recorder.
 */
#ifndef PDUMP_CALL_H
#define PDUMP_CALL_H

#include "base/error.h"
#include "config/region_group.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct pdump_recorder;

/* A wrapped function.  Static; `known` is for libpdump only. */
struct pdump_callee {
    const char *name;
    enum pdump_group group;
    _Atomic uint64_t known; /* session number, and ref of the region */
};

/* A call in progress, on one thread. */
struct pdump_call {
    struct pdump_recorder *r; /* for probe/ only */
    unsigned session;
    uint32_t node;
    int64_t start; /* ticks */
    int64_t time;  /* ticks, after its end */
};

/* Enter the call.  Returns false if nothing is recorded; then no other function
 * may be called for it.  Starts the session if there never was one. */
PDUMP_SHARED bool pdump_call_begin(struct pdump_call *call,
                                   struct pdump_callee *callee);
PDUMP_SHARED void pdump_call_end(struct pdump_call *call);

/* As pdump_call_begin() and _end() in one, for a call that has just happened
 * and is too short to be measured: it gets no time, but may have details in the
 * node that is open.  Returns false also in a region that is not recorded
 * (PDUMP_THROTTLE, a filter). */
PDUMP_SHARED bool pdump_call_here(struct pdump_call *call);

/* Tells where the calling code is, for calls that may come from anywhere, such
 * as malloc(): starts no session, attaches no thread, takes no lock. */
enum pdump_where {
    PDUMP_NOWHERE,  /* nothing is recorded, or it is libpdump's own code */
    PDUMP_HERE,     /* as after pdump_call_here() */
    PDUMP_STRANGER, /* on a thread that has had no region in the session; only
                       call->session is set */
};
PDUMP_SHARED enum pdump_where pdump_call_where(struct pdump_call *call);

/* After PDUMP_HERE: keep the memory of the session until pdump_call_let_go(),
 * also after the session has ended. */
struct pdump_session;
PDUMP_SHARED struct pdump_session *pdump_call_hold(void);
PDUMP_SHARED void pdump_call_let_go(struct pdump_session *session);

/* Read all metrics of the call's thread, as many as the session has, the time
 * in ticks first.  Returns false if they cannot be read, or if the session is
 * over. */
PDUMP_SHARED bool pdump_call_read(struct pdump_call *call, int64_t *values);

/* Returns the present time in ticks. */
PDUMP_SHARED int64_t pdump_call_now(void);

#endif
