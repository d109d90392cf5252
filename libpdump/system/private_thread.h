/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of libpdump's own.
 *
 * libpdump-run.so wraps pthread_create() and has to tell them from the
 * program's threads.  It cannot go by a thread's start function, because
 * sanitizers replace that with their own.
 */
#ifndef PDUMP_PRIVATE_THREAD_H
#define PDUMP_PRIVATE_THREAD_H

#include "base/error.h"

#include <pthread.h>
#include <stdbool.h>

/* As pthread_create(). */
PDUMP_SHARED int pdump_private_thread_start(pthread_t *id,
                                            const pthread_attr_t *attributes,
                                            void *(*function)(void *),
                                            void *data);

/* Returns true if the calling thread is in pdump_private_thread_start(). */
PDUMP_SHARED bool pdump_private_thread_is_starting(void);

#endif
