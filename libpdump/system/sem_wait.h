/* SPDX-License-Identifier: BSD-3-Clause */
/* How threads of ours wait: not for ever, so that they see the end. */
#ifndef PDUMP_SEM_WAIT_H
#define PDUMP_SEM_WAIT_H

#include <semaphore.h>
#include <stdbool.h>

/* Wait until somebody posts, a tenth of a second at most.  True if somebody
 * has. */
bool pdump_sem_wait(sem_t *sem);

#endif
