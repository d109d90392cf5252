/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Timers that send a signal to one thread when it has used some CPU time.
 *
 * The kernel checks them at its tick, and sends the signal while the thread
 * runs: no system call that waits is interrupted.  For signal handlers.
 */
#ifndef PDUMP_CPU_TIMER_H
#define PDUMP_CPU_TIMER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Makes a timer for a thread of this process, which is not set.  Returns its
 * number, or -1 and errno. */
int pdump_cpu_timer_make(pid_t tid, int number, void *data);
void pdump_cpu_timer_delete(int timer);

/* Sets the timer to a moment of the thread's CPU time, in ns. */
bool pdump_cpu_timer_set(int timer, int64_t moment);

/* Returns the CPU time that a thread of this process has used, in ns, or -1. */
int64_t pdump_cpu_timer_now(pid_t tid);

#endif
