/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that somebody else's code makes.
 *
 * For the libraries that stand in front of MPI, of the C library and so on: a
 * call is a region of a group of its own.  None of it may disturb the program:
 * no call here fails, starts what has ended, or speaks of misuse.
 *
 *     static struct pdump_callee send = { "MPI_Send", PDUMP_GROUP_MPI };
 *     struct pdump_call call;
 *
 *     if (!pdump_call_begin(&call, &send))
 *         return PMPI_Send(...);
 *     result = PMPI_Send(...);
 *     pdump_call_end(&call);
 *
 * What else there is to tell of a call: detail.h.
 */
#ifndef PDUMP_CALL_H
#define PDUMP_CALL_H

#include "record/recorder.h"

/* What is called.  Static; `known` is ours. */
struct pdump_callee {
    const char *name;
    enum pdump_group group;
    _Atomic uint64_t known; /* number of the session, and ref of the region */
};

/* A call under way, on one thread. */
struct pdump_call {
    struct pdump_recorder *r;
    unsigned session;
    uint32_t node;
    int64_t start; /* ticks */
    int64_t time;  /* ticks, after its end */
};

/* Enter it.  False: nothing is recorded, and no other function is to be called
 * for it.  Starts the session if there never was one. */
PDUMP_SHARED bool pdump_call_begin(struct pdump_call *call,
                                   struct pdump_callee *callee);
PDUMP_SHARED void pdump_call_end(struct pdump_call *call);

/* As pdump_call_begin() and _end() in one, for a visit that just happened and
 * is too short to be measured: no time, only a place for details.  False also
 * in a region that is left out (PDUMP_THROTTLE, a filter). */
PDUMP_SHARED bool pdump_call_here(struct pdump_call *call);

/* Where somebody's code is, for calls that may come from anywhere, as malloc():
 * no session starts for them, no thread joins one, and no lock is taken. */
enum pdump_where {
    PDUMP_NOWHERE,  /* nothing is recorded, or it is libpdump's own code */
    PDUMP_HERE,     /* as after pdump_call_here() */
    PDUMP_STRANGER, /* on a thread that has had no region in the session, which
                       is in call->session; nothing else is there */
};
PDUMP_SHARED enum pdump_where pdump_call_where(struct pdump_call *call);

/* After PDUMP_HERE: keep the memory of the session, also when it has ended,
 * until pdump_call_let_go(). */
struct pdump_session;
PDUMP_SHARED struct pdump_session *pdump_call_hold(void);
PDUMP_SHARED void pdump_call_let_go(struct pdump_session *session);

/* All metrics of the call's thread now, call->r->n_metrics of them, the time in
 * ticks first.  False: they cannot be read, or the session is over. */
PDUMP_SHARED bool pdump_call_read(struct pdump_call *call, int64_t *values);

/* Now, in ticks. */
PDUMP_SHARED int64_t pdump_call_now(void);

#endif
