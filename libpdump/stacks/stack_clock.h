/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes stacks of all threads, by a clock of each thread's CPU time.
 *
 * A thread has a timer and a signal that nobody else uses.  The signal's
 * handler walks the stack and adds it below the node that is open.  Threads
 * that record are known when they are attached; others are found in /proc by
 * the handler of any thread, now and then.  A thread costs memory when its
 * first stack is taken, not before.
 *
 * This is the central header of stacks/, which takes call paths by a clock.
 */
#ifndef PDUMP_STACK_CLOCK_H
#define PDUMP_STACK_CLOCK_H

#include "record/recorder.h"

#include <signal.h>

/* Starts taking `rate` stacks per second of CPU time, in threads that are
 * attached from now on.  The stacks use at most `memory` bytes of the store.
 * PDUMP_ESOURCE if this system does not allow it. */
int pdump_stack_clock_start(const struct pdump_recording *recording,
                            int64_t rate, int64_t memory);

/* Stops; waits until no handler runs. */
void pdump_stack_clock_stop(void);

/* Called around fork(): before Linux 5.10, a fork that takes longer than the
 * time between two signals would never end.  The child takes no stacks until it
 * starts the clock. */
void pdump_stack_clock_before_fork(void);
void pdump_stack_clock_in_parent(void);
void pdump_stack_clock_forked(void);

/* Returns the signal that is used, or 0. */
int pdump_stack_clock_signal(void);

/* As sigaction(), if it is that signal; otherwise false.  The handler stays:
 * it does what the program wants with signals that are not of a clock. */
bool pdump_stack_clock_action(int number, const struct sigaction *action,
                              struct sigaction *old);

/* For the recording (recorder.h). */
extern const struct pdump_recorder_watch pdump_stack_clock_watch;

#endif
