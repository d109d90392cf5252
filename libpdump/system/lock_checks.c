/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the locks of libpdump that a thread holds, with --enable-lock-checks.
 */
#include "system/lock_checks.h"

#include <stdio.h>
#include <unistd.h>

/* A forked child reinitialises its locks. */
static __thread struct {
    int n;
    pid_t process;
} held;

static int *lock_count(void)
{
    if (held.process != getpid())
        held.n = 0;
    held.process = getpid();
    return &held.n;
}

int pdump_lock_taken(int err)
{
    *lock_count() += err == 0;
    return err;
}

int pdump_lock_released(int err)
{
    *lock_count() -= err == 0;
    return err;
}

void pdump_lock_none(const char *file, int line)
{
    if (*lock_count() == 0)
        return;
    fprintf(stderr, "pdump: %s:%d: foreign code is called under %d locks\n",
            file, line, *lock_count());
    abort();
}
