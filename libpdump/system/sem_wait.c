/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for a semaphore with a timeout. */
#include "system/sem_wait.h"

#include <time.h>

enum { NAP = 100000000 }; /* ns */

bool pdump_sem_wait(sem_t *sem)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += NAP;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    return sem_timedwait(sem, &until) == 0;
}
