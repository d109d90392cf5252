/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The signal for stacks: a real-time signal that nobody uses.
 *
 * Some runtimes, such as Go's, handle every signal.  Then libpdump's handler is
 * in front of theirs: it calls theirs for signals that libpdump did not send.
 */
#ifndef PDUMP_STACK_SIGNAL_H
#define PDUMP_STACK_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Finds a signal and installs a handler; later calls keep it.  The handler
 * calls take(), which returns false if libpdump did not send the signal: then
 * what happens is what would have happened without libpdump.  Returns the
 * number, or 0 if there is no such signal.  The handler stays installed until
 * the process ends, as signals may still be on their way. */
int pdump_stack_signal_open(bool (*take)(const siginfo_t *info,
                                         const ucontext_t *context));

/* Returns true if the handler is still installed. */
bool pdump_stack_signal_is_ours(void);

/* Sets what the program wants with signals that libpdump did not send, unless
 * `action` is NULL, and returns what it wanted before, unless `old` is. */
void pdump_stack_signal_want(const struct sigaction *action,
                             struct sigaction *old);

/* If the program has replaced the handler, installs it in front of the
 * program's and returns true: signals may have been lost meanwhile. */
bool pdump_stack_signal_keep(void);

#endif
