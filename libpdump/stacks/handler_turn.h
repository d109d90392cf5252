/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lock for signal handlers of different threads.
 *
 * Whoever has it makes a few system calls, blocks all signals, and waits for
 * nobody.  So another handler may wait for it; other code must not take it.
 */
#ifndef PDUMP_HANDLER_TURN_H
#define PDUMP_HANDLER_TURN_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Returns false if nothing has happened for long: with a real-time priority,
 * the thread may keep the processor from the one that has the lock. */
static inline bool pdump_handler_turn_take(atomic_flag *turn)
{
    enum { TRIES = 10000 };
    int i = 0;

    while (atomic_flag_test_and_set(turn) && ++i < TRIES)
        sched_yield();
    return i < TRIES;
}

static inline void pdump_handler_turn_end(atomic_flag *turn)
{
    atomic_flag_clear(turn);
}

#endif
