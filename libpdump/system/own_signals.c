/* SPDX-License-Identifier: BSD-3-Clause */
/* The C library's functions that change signals. */
#include "system/own_signals.h"

#include <dlfcn.h>
#include <stddef.h>

static int (*next_action)(int, const struct sigaction *, struct sigaction *);
static int (*next_mask)(int, const sigset_t *, sigset_t *);

/* A program that is linked statically has no next library. */
static void find_next(void)
{
    *(void **)(void *)&next_mask = dlsym(RTLD_NEXT, "pthread_sigmask");
    *(void **)(void *)&next_action = dlsym(RTLD_NEXT, "sigaction");
    if (!next_mask)
        next_mask = pthread_sigmask;
    if (!next_action)
        next_action = sigaction;
}

int pdump_own_signals_action(int number, const struct sigaction *action,
                             struct sigaction *old)
{
    if (!next_action)
        find_next();
    return next_action(number, action, old);
}

int pdump_own_signals_mask(int how, const sigset_t *set, sigset_t *old)
{
    if (!next_action)
        find_next();
    return next_mask(how, set, old);
}
