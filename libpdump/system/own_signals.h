/* SPDX-License-Identifier: BSD-3-Clause */
/* The C library's functions that change signals, for libpdump itself: those of
 * libpdump-run.so, which wraps them, leave the signal of stacks as it is. */
#ifndef PDUMP_OWN_SIGNALS_H
#define PDUMP_OWN_SIGNALS_H

#include <signal.h>

/* As sigaction().  The first call is not for signal handlers. */
int pdump_own_signals_action(int number, const struct sigaction *action,
                             struct sigaction *old);

/* As pthread_sigmask(). */
int pdump_own_signals_mask(int how, const sigset_t *set, sigset_t *old);

#endif
