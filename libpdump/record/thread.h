/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads: each with its recorder, attached on first use, detached at its end.
 */
#ifndef PDUMP_THREAD_H
#define PDUMP_THREAD_H

#include "record/gate.h"
#include "record/recorder.h"

#include <stdatomic.h>

/* The calling thread's recorder. */
extern PDUMP_NEAR __thread struct pdump_recorder pdump_self;

/* Its address, found once: the compiler thinks that asking again is free, which
 * it is not in a shared library. */
static inline struct pdump_recorder *pdump_thread_self(void)
{
    struct pdump_recorder *r = &pdump_self;

    __asm__("" : "+r"(r));
    return r;
}

enum pdump_ready {
    PDUMP_READY,   /* record */
    PDUMP_SKIP,    /* switched off: balance only */
    PDUMP_NOTHING, /* do nothing, and call it success */
};

/* The slow path of the gate: find out why it is shut to this thread; start the
 * session, attach the thread.  An enum pdump_ready or a pdump_error.  After
 * PDUMP_READY and PDUMP_SKIP the thread is inside, until pdump_thread_done().
 */
int pdump_thread_ready(struct pdump_recorder *r);

/* The same where the gate is known to be open. */
static inline void pdump_thread_enter(struct pdump_recorder *r)
{
    r->gate = PDUMP_GATE_INSIDE;
    atomic_signal_fence(memory_order_seq_cst);
}

/* Outside again, where the gate was `gate`. */
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

/* For calls that have no effect while recording is off: 1 to go on (inside,
 * until pdump_thread_done()), else what the call is to return. */
int pdump_thread_go(struct pdump_recorder *r);

/* The session that the calling thread is attached to, held once more. */
struct pdump_session *pdump_thread_hold(void);

/* Detach the calling thread. */
void pdump_thread_leave(void);

/* In the child of a fork(): forget what was inherited. */
void pdump_thread_forget(void);

#endif
