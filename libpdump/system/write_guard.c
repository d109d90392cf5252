/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps writes by libpdump from ending the program. */
#include "system/write_guard.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static const int deadly[] = { SIGXFSZ, SIGPIPE };

enum { N_DEADLY = sizeof(deadly) / sizeof(deadly[0]) };

void pdump_write_guard_hold(struct pdump_write_guard *hold)
{
    sigset_t both;

    sigemptyset(&both);
    for (int i = 0; i < N_DEADLY; i++)
        sigaddset(&both, deadly[i]);
    pthread_sigmask(SIG_BLOCK, &both, &hold->before);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &hold->cancel);
}

/* Discards pending signals, which are directed to this thread.  Signals that
 * the program has blocked itself stay pending. */
void pdump_write_guard_release(const struct pdump_write_guard *hold)
{
    const struct timespec now = { 0 };
    int error = errno;
    sigset_t ours;

    sigemptyset(&ours);
    for (int i = 0; i < N_DEADLY; i++)
        if (sigismember(&hold->before, deadly[i]) == 0)
            sigaddset(&ours, deadly[i]);
    while (sigtimedwait(&ours, NULL, &now) >= 0 || errno == EINTR)
        ;
    pthread_sigmask(SIG_SETMASK, &hold->before, NULL);
    pthread_setcancelstate(hold->cancel, NULL);
    errno = error;
}
