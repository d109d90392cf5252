/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two kinds of locks.
 *
 * Most locks are held only briefly, and never while foreign code runs: the
 * loader, the allocator, MPI, a callback.  Such code may wait for a thread that
 * waits for libpdump.  A build with --enable-lock-checks checks this
 * (lock_checks.h).
 *
 * A few locks are turns: they serialise threads that start a session, write
 * files, or call a library that is not thread-safe (PAPI, libdw), and may be
 * held while foreign code runs.  Only threads that want to do the same work
 * wait for a turn, and none waits without a limit: the thread that has the turn
 * may be waiting for the loader's lock, which the caller may hold.  A region or
 * a fork waits for a second at most.
 */
#ifndef PDUMP_LOCK_H
#define PDUMP_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

/* The time that pdump_turn_take() waits, in seconds: 60, longer than most files
 * take to be written.  Tests shorten it. */
extern _Atomic int pdump_turn_limit;

/* Take a turn.  PDUMP_OK, or PDUMP_ESTATE if another thread does not end its
 * turn within the limit. */
int pdump_turn_take(pthread_mutex_t *turn);
void pdump_turn_end(pthread_mutex_t *turn);

/* Take a turn, waiting without a limit: only for a turn in which memory is
 * allocated, but the loader is not called. */
void pdump_turn_await(pthread_mutex_t *turn);

/* Returns the moment `seconds` from now, for pdump_turn_take_until().  A region
 * and a fork use 1. */
struct timespec pdump_turn_in(int seconds);

/* Take a turn.  Returns false if it cannot be taken until that moment. */
bool pdump_turn_take_until(pthread_mutex_t *turn, struct timespec until);

/* In a child: make the lock free, whichever thread held it.  After fork() that
 * is this thread, and ThreadSanitizer expects the unlock; otherwise it may be a
 * thread that does not exist in the child. */
void pdump_lock_renew(pthread_mutex_t *lock);

#endif
