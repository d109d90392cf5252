/* SPDX-License-Identifier: BSD-3-Clause */
/* Timers for the CPU time of threads.  The calls of the C library cannot make
 * them for other threads. */
#include "stacks/cpu_timer.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

/* The C library may not name the member for the thread. */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* Returns the clock of the CPU time of a thread, as the kernel numbers them. */
static clockid_t clock_of(pid_t tid)
{
    enum { PER_THREAD = 4, SCHEDULED = 2 };

    return (clockid_t)((~(unsigned)tid << 3) | PER_THREAD | SCHEDULED);
}

int pdump_cpu_timer_make(pid_t tid, int number, void *data)
{
    struct sigevent event;
    int timer;

    memset(&event, 0, sizeof(event));
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = number;
    event.sigev_value.sival_ptr = data;
    event.sigev_notify_thread_id = tid;
    return syscall(SYS_timer_create, clock_of(tid), &event, &timer) == 0 ? timer
                                                                         : -1;
}

void pdump_cpu_timer_delete(int timer)
{
    syscall(SYS_timer_delete, timer);
}

bool pdump_cpu_timer_set(int timer, int64_t moment)
{
    struct itimerspec when = { .it_value = { .tv_sec = moment / SECOND,
                                             .tv_nsec = moment % SECOND } };

    return syscall(SYS_timer_settime, timer, TIMER_ABSTIME, &when, NULL) == 0;
}

int64_t pdump_cpu_timer_now(pid_t tid)
{
    struct timespec ts;

    if (syscall(SYS_clock_gettime, clock_of(tid), &ts) != 0)
        return -1;
    return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}
