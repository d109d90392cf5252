/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps what changes signals: libpdump's own (signal_guard.h) stays as it is.
 */
#include "run.h"

#include "probe/signal_guard.h"

#include <signal.h>
#include <stddef.h>

#define API __attribute__((visibility("default")))

typedef void handler(int);

static __typeof__(&sigaction) next_sigaction;
static __typeof__(&signal) next_signal;
static __typeof__(&sigprocmask) next_sigprocmask;
static __typeof__(&pthread_sigmask) next_pthread_sigmask;

__attribute__((constructor)) static void find_next(void)
{
    next_signal = RUN_NEXT(signal);
    next_sigprocmask = RUN_NEXT(sigprocmask);
    next_pthread_sigmask = RUN_NEXT(pthread_sigmask);
    next_sigaction = RUN_NEXT(sigaction);
}

API int sigaction(int number, const struct sigaction *action,
                  struct sigaction *old)
{
    if (!next_sigaction)
        find_next();
    if (number == pdump_signal_guard_number() &&
        pdump_signal_guard_action(number, action, old))
        return 0;
    return next_sigaction(number, action, old);
}

API handler *signal(int number, handler *function)
{
    struct sigaction action = { .sa_handler = function,
                                .sa_flags = SA_RESTART };
    struct sigaction old;

    if (!next_sigaction)
        find_next();
    if (number == pdump_signal_guard_number() && function != SIG_ERR &&
        pdump_signal_guard_action(number, &action, &old))
        return old.sa_handler;
    return next_signal(number, function);
}

/* Returns the set without libpdump's signal: itself, or a copy. */
static const sigset_t *without_ours(int how, const sigset_t *set,
                                    sigset_t *copy)
{
    int ours = pdump_signal_guard_number();

    if (!set || !ours || how == SIG_UNBLOCK || !sigismember(set, ours))
        return set;
    *copy = *set;
    sigdelset(copy, ours);
    return copy;
}

API int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t copy;

    if (!next_sigaction)
        find_next();
    return next_sigprocmask(how, without_ours(how, set, &copy), old);
}

API int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t copy;

    if (!next_sigaction)
        find_next();
    return next_pthread_sigmask(how, without_ours(how, set, &copy), old);
}
