/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two kinds of locks.
 *
 * Most are held only briefly, and never while foreign code runs: the loader,
 * the allocator, MPI, a callback.  That code may wait for a thread that waits
 * for us.  A build with --enable-lock-checks checks this (lock_checks.h).
 *
 * A few are turns: they serialise threads that start a session, write files, or
 * call a library that is not thread-safe (PAPI, libdw), and may be held while
 * foreign code runs.  Only threads that want to do the same work wait for a
 * turn; a region or a fork that needs it waits for a second at most.
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

/* Returns false if the turn cannot be taken within a second. */
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
