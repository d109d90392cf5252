/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of this process, as the kernel lists them.  For signal
 * handlers. */
#ifndef PDUMP_THREAD_LIST_H
#define PDUMP_THREAD_LIST_H

#include <stdbool.h>
#include <sys/types.h>

/* Calls `each` for every thread.  Returns false if the list could not be read
 * to its end. */
bool pdump_thread_list_read(void (*each)(pid_t tid, void *data), void *data);

/* Returns true if the thread runs and does not block the signal.  Of a thread
 * in sigwait() the kernel does not say what it blocks: it does not run, or it
 * has been woken by a signal that is still pending, which is false, too. */
bool pdump_thread_list_may_signal(pid_t tid, int number);

#endif
