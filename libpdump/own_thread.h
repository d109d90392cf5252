/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of libpdump's own.
 *
 * libpdump-run.so stands in front of pthread_create() and has to know them from
 * the program's.  The function that a thread begins with does not say it: a
 * sanitizer puts its own in place of that.
 */
#ifndef PDUMP_OWN_THREAD_H
#define PDUMP_OWN_THREAD_H

#include "error.h"

#include <pthread.h>
#include <stdbool.h>

/* As pthread_create(). */
PDUMP_SHARED int pdump_own_thread_start(pthread_t *id,
                                        const pthread_attr_t *attributes,
                                        void *(*function)(void *), void *data);

/* Is the calling thread in pdump_own_thread_start()? */
PDUMP_SHARED bool pdump_own_thread_is_starting(void);

#endif
