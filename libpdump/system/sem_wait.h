/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for a semaphore with a timeout, so that libpdump's threads notice
 * when they have to end. */
#ifndef PDUMP_SEM_WAIT_H
#define PDUMP_SEM_WAIT_H

#include <semaphore.h>
#include <stdbool.h>

/* Wait until the semaphore is posted, for 0.1 seconds at most.  Returns true if
 * it was posted. */
bool pdump_sem_wait(sem_t *sem);

#endif
