/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * To be preloaded: a signal (its number is in LATE_SIGNAL) that reaches the
 * process and its parent just before or, with LATE_SIGNAL_AFTER set, just after
 * a file gets its name.  And a disk that never answers: whoever opens the file
 * LATE_OPEN waits.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As Ctrl-C does: to both. */
static void send(void)
{
    const char *number = getenv("LATE_SIGNAL");

    if (!number)
        return;
    kill(getppid(), atoi(number));
    kill(getpid(), atoi(number));
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to,
              unsigned flags)
{
    int (*real)(int, const char *, int, const char *, unsigned) =
        (int (*)(int, const char *, int, const char *, unsigned))dlsym(
            RTLD_NEXT, "renameat2");
    int err;

    if (!getenv("LATE_SIGNAL_AFTER"))
        send();
    err = real(from_dir, from, to_dir, to, flags);
    if (getenv("LATE_SIGNAL_AFTER"))
        send();
    return err;
}

int open(const char *path, int flags, ...)
{
    const char *late = getenv("LATE_OPEN");
    va_list args;
    mode_t mode;

    va_start(args, flags);
    mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    while (late && strcmp(path, late) == 0)
        pause();
    return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open"))(
        path, flags, mode);
}
