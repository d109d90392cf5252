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
 * turn, and none waits without a limit: the thread that has the turn may be
 * waiting for the loader's lock, which the caller may hold.  A region or a fork
 * waits for a second at most.
 */
#ifndef PDUMP_LOCK_H
#define PDUMP_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

/* How long pdump_turn_take() waits, in seconds: 60, longer than most files take
 * to be written.  Tests shorten it. */
extern _Atomic int pdump_turn_limit;

/* PDUMP_OK, or PDUMP_ESTATE if another thread does not end its turn within the
 * limit. */
int pdump_turn_take(pthread_mutex_t *turn);
void pdump_turn_end(pthread_mutex_t *turn);

/* Waits without a limit: for a turn in which memory is allocated, but the
 * loader is not called. */
void pdump_turn_await(pthread_mutex_t *turn);

/* A moment as pdump_turn_take_until() wants it, a number of seconds from now:
 * one for a region and a fork. */
struct timespec pdump_turn_in(int seconds);

/* Returns false if the turn cannot be taken until that moment. */
bool pdump_turn_take_until(pthread_mutex_t *turn, struct timespec until);

/* In a child: free, whoever held it.  After fork() that is this thread, which
 * ThreadSanitizer wants to see; otherwise it may be one that is not here. */
void pdump_lock_renew(pthread_mutex_t *lock);

#endif
