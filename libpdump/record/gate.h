/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The gate: one comparison that tells the hot path whether to record.
 *
 * The process has a gate, which is the number of the session while it records.
 * Every thread has its own (recorder.h).  If both are equal, the thread is
 * attached to the session, recording is not switched off, and the caller is not
 * a signal handler that has interrupted a recorder.  All other cases are
 * handled by the slow path.
 *
 * The gate of the process is in memory that the kernel fills with zeroes in a
 * child, however it was created.  A child has no store, and since no thread's
 * gate is 0, the fast path is closed to it.
 */
#ifndef PDUMP_GATE_H
#define PDUMP_GATE_H

#include "system/process_state.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Values of a thread's gate besides the number of a session.  Never 0. */
enum {
    PDUMP_GATE_UNKNOWN = 1, /* not attached to a session; the initial value */
    PDUMP_GATE_INSIDE,      /* in a function of libpdump */
    PDUMP_GATE_FIRST,       /* the lowest number of a session */
};

/* Added to the number by pdump_disable_recording(). */
#define PDUMP_GATE_OFF 0x80000000u

/* Values instead of a number: there is no session; or there will be none unless
 * the program calls pdump_init() (PDUMP_DISABLE=1, a child that is not
 * followed). */
#define PDUMP_GATE_NONE 0x7fffffffu
#define PDUMP_GATE_IDLE 0x7ffffffeu

/* Returns the gate of the process. */
static inline unsigned pdump_gate_now(void)
{
    return atomic_load_explicit(&pdump_wiped.gate, memory_order_relaxed);
}

/* Set the gate when a session starts (its number) or ends (PDUMP_GATE_NONE or
 * _IDLE). */
void pdump_gate_set(unsigned number);

/* Returns the number of the session; 0 in a child that is not recognised yet.
 */
static inline unsigned pdump_gate_number(void)
{
    return atomic_load_explicit(&pdump_wiped.session, memory_order_relaxed);
}

/* Switch recording off, by pdump_disable_recording_all() (+1), and on again
 * (-1).  Returns false if the count would become negative. */
bool pdump_gate_switch(int change);
extern PDUMP_NEAR _Atomic int pdump_gate_off;

static inline bool pdump_gate_is_off(void)
{
    return atomic_load_explicit(&pdump_gate_off, memory_order_relaxed) > 0;
}

#endif
