/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * To be preloaded: a signal (its number is in LATE_SIGNAL) that reaches the
 * process and its parent just before or, with LATE_SIGNAL_AFTER set, just after
 * a file gets its name.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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
