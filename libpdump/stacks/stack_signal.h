/* SPDX-License-Identifier: BSD-3-Clause */
/* The signal for stacks: a real-time signal that nobody uses. */
#ifndef PDUMP_STACK_SIGNAL_H
#define PDUMP_STACK_SIGNAL_H

#include <signal.h>
#include <stdbool.h>

/* Finds a free signal and installs the handler; later calls keep it.  Returns
 * its number, or 0 if none is free.  The handler stays installed until the
 * process ends, as signals may still be on their way. */
int pdump_stack_signal_open(void (*handler)(int, siginfo_t *, void *));

/* Returns true if the handler is still installed. */
bool pdump_stack_signal_is_ours(void);

/* In the handler, for a signal that libpdump did not send: does what the kernel
 * would have done without the handler. */
void pdump_stack_signal_default(int number);

#endif
