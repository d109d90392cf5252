/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two kinds of locks.
 *
 * Most are held for a moment, and never while somebody else's code runs: the
 * loader, the allocator, MPI, a callback.  That code may wait for a thread that
 * waits for us.  A build with --enable-lock-checks looks (lock_checks.h).
 *
 * A few are turns: one thread after the other starts a session, writes files,
 * or is in a library that wants it so (PAPI, libdw), and calls what it has to.
 * Only who wants to do the same waits for his turn; a region or a fork that
 * needs it waits for a second at most.
 */
#ifndef PDUMP_LOCK_H
#define PDUMP_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static inline void pdump_turn_take(pthread_mutex_t *turn)
{
    (pthread_mutex_lock)(turn);
}

static inline void pdump_turn_end(pthread_mutex_t *turn)
{
    (pthread_mutex_unlock)(turn);
}

/* False if it does not come within a second. */
static inline bool pdump_turn_take_soon(pthread_mutex_t *turn)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    return (pthread_mutex_timedlock)(turn, &until) == 0;
}

/* In a child: free, whoever held it.  After fork() that is this thread, which
 * ThreadSanitizer wants to see; otherwise it may be one that is not here. */
static inline void pdump_lock_renew(pthread_mutex_t *lock)
{
    (pthread_mutex_unlock)(lock);
    pthread_mutex_init(lock, NULL);
}

#endif
