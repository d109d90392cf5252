/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads: each has its recorder, is attached on first use and detached at its
 * end. */
#ifndef PDUMP_THREAD_H
#define PDUMP_THREAD_H

#include "record/gate.h"
#include "record/recorder.h"

#include <stdatomic.h>

/* The calling thread's recorder. */
extern PDUMP_NEAR __thread struct pdump_recorder pdump_self;

/* Returns the address of the recorder.  The asm keeps the compiler from
 * computing it again, which is not free in a shared library. */
static inline struct pdump_recorder *pdump_thread_self(void)
{
    struct pdump_recorder *r = &pdump_self;

    __asm__("" : "+r"(r));
    return r;
}

enum pdump_ready {
    PDUMP_READY,   /* record */
    PDUMP_SKIP,    /* recording is off: only keep begins and ends balanced */
    PDUMP_NOTHING, /* do nothing, and return PDUMP_OK */
};

/* The slow path of the gate: finds out why it is closed to this thread, starts
 * the session, attaches the thread.  Returns an enum pdump_ready or a
 * pdump_error.  After PDUMP_READY and PDUMP_SKIP the thread is inside
 * (PDUMP_GATE_INSIDE) until pdump_thread_done(). */
int pdump_thread_ready(struct pdump_recorder *r);

/* The same if the gate is known to be open. */
static inline void pdump_thread_enter(struct pdump_recorder *r)
{
    r->gate = PDUMP_GATE_INSIDE;
    atomic_signal_fence(memory_order_seq_cst);
}

/* Go outside again, with the value `gate`. */
static inline void pdump_thread_back(struct pdump_recorder *r, unsigned gate)
{
    atomic_signal_fence(memory_order_seq_cst);
    r->gate = gate;
}

static inline void pdump_thread_done(struct pdump_recorder *r)
{
    pdump_thread_back(r, r->number |
                             (r->off || r->is_step_off ? PDUMP_GATE_OFF : 0));
}

/* For calls that have no effect while recording is off.  Returns 1 to go on
 * (inside, until pdump_thread_done()), else the result of the call. */
int pdump_thread_go(struct pdump_recorder *r);

/* Returns the session that the calling thread is attached to, held once more.
 */
struct pdump_session *pdump_thread_hold(void);

/* Detach the calling thread. */
void pdump_thread_leave(void);

/* In the child of a fork(): forget the inherited recorder. */
void pdump_thread_forget(void);

#endif
