/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Capabilities are those of a thread, and some namespaces are only for who has
 * one thread: a program that has one fails, or is aborted by the C library's
 * setuid(), if there are others that look at its memory (--memory).  They end
 * before.
 */
#include "run.h"

#include "program.h"

#include <sched.h>
#include <sys/stat.h>
#include <time.h>

#define API __attribute__((visibility("default")))

/* The C library has it, but no header does. */
int capset(void *head, const void *data);

enum { TRIES = 100 };

/* Who was waited for is a thread of the process for a moment still. */
static bool is_alone(void)
{
    struct stat tasks;

    return stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink <= 3;
}

static void be_alone(void)
{
    const struct timespec pause = { .tv_nsec = 1000 * 1000 };

    if (run_is_ours() && pdump_program_stop_looking())
        for (int i = 0; i < TRIES && !is_alone(); i++)
            nanosleep(&pause, NULL);
}

API int capset(void *head, const void *data)
{
    be_alone();
    return RUN_NEXT(capset)(head, data);
}

API int unshare(int flags)
{
    be_alone();
    return RUN_NEXT(unshare)(flags);
}

API int setns(int fd, int type)
{
    be_alone();
    return RUN_NEXT(setns)(fd, type);
}
