/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of libpdump's own. */
#include "system/private_thread.h"

static __thread bool is_starting;

int pdump_private_thread_start(pthread_t *id, const pthread_attr_t *attributes,
                               void *(*function)(void *), void *data)
{
    int err;

    is_starting = true;
    err = pthread_create(id, attributes, function, data);
    is_starting = false;
    return err;
}

bool pdump_private_thread_is_starting(void)
{
    return is_starting;
}
