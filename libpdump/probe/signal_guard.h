/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The signal that libpdump uses itself, for stacks.
 *
 * As the C library does with its own signals: a program cannot block it, so
 * that sigwait() does not return it, and cannot replace its handler, so that a
 * program that sets all signals to their defaults is not killed by it.  For
 * libpdump-run.so, which wraps the functions that do that.
 */
#ifndef PDUMP_SIGNAL_GUARD_H
#define PDUMP_SIGNAL_GUARD_H

#include "base/error.h"

#include <signal.h>
#include <stdbool.h>

/* Returns the signal, or 0 if there is none. */
PDUMP_SHARED int pdump_signal_guard_number(void);

/* As sigaction(), for that signal: the program's handler is called for signals
 * that libpdump did not send.  Returns false if it is another signal. */
PDUMP_SHARED bool pdump_signal_guard_action(int number,
                                            const struct sigaction *action,
                                            struct sigaction *old);

#endif
