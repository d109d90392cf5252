/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wraps calls that change the rights of a process.
 *
 * The first process of the run accepts only the stores of its own user.  A
 * process that switches to another user adds a note with that user while it
 * still has the right to; then the stores of that user are accepted as well.
 *
 * Capabilities belong to a thread, and some namespaces require a process with
 * one thread.  A program with one thread would fail, or would be aborted by the
 * C library's setuid(), if libpdump's own threads, which sample its memory
 * (--memory), existed.  So these threads are ended first.
 */
#include "run.h"
#include "notes_writer.h"

#include "probe/program_region.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

/* The C library has this function, but no header declares it. */
int capset(void *head, const void *data);

enum { TRIES = 100 };

/* A thread that was joined still exists in the kernel for a moment. */
static bool is_alone(void)
{
    struct stat tasks;

    return stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink <= 3;
}

static void be_alone(void)
{
    const struct timespec pause = { .tv_nsec = 1000 * 1000 };

    if (!run_is_ours())
        return;
    pdump_program_keep_open();
    if (pdump_program_stop_looking())
        for (int i = 0; i < TRIES && !is_alone(); i++)
            nanosleep(&pause, NULL);
}

API int capset(void *head, const void *data)
{
    be_alone();
    return RUN_NEXT(capset)(head, data);
}

/* Opens the notes if the effective user is about to change to `user`; else
 * -1. */
static int open_notes(uid_t user)
{
    if (!run.is_followed || user == (uid_t)-1 || user == geteuid())
        return -1;
    if (run_is_ours())
        pdump_program_keep_open();
    return notes_open();
}

/* Notes the user if the change has succeeded.  Returns `result`. */
static int tell_user(int notes, uid_t user, int result)
{
    int saved = errno;
    char text[24];

    snprintf(text, sizeof(text), "%ld", (long)user);
    if (result == 0)
        notes_put(notes, "user", text);
    else if (notes >= 0)
        close(notes);
    errno = saved;
    return result;
}

API int setuid(uid_t user)
{
    int notes = open_notes(user);

    return tell_user(notes, user, RUN_NEXT(setuid)(user));
}

API int seteuid(uid_t user)
{
    int notes = open_notes(user);

    return tell_user(notes, user, RUN_NEXT(seteuid)(user));
}

API int setreuid(uid_t real, uid_t user)
{
    int notes = open_notes(user);

    return tell_user(notes, user, RUN_NEXT(setreuid)(real, user));
}

API int setresuid(uid_t real, uid_t user, uid_t saved)
{
    int notes = open_notes(user);

    return tell_user(notes, user, RUN_NEXT(setresuid)(real, user, saved));
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
