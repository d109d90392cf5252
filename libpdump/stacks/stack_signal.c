/* SPDX-License-Identifier: BSD-3-Clause */
/* The signal for stacks. */
#include "stacks/stack_signal.h"

#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static void (*ours)(int, siginfo_t *, void *);
static int number;

static bool is_free(int candidate)
{
    struct sigaction now;

    return sigaction(candidate, NULL, &now) == 0 &&
           !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL;
}

bool pdump_stack_signal_is_ours(void)
{
    struct sigaction now;

    return number && sigaction(number, NULL, &now) == 0 &&
           now.sa_flags & SA_SIGINFO && now.sa_sigaction == ours;
}

/* Programs count from SIGRTMIN up, so the last ones are most likely free. */
int pdump_stack_signal_open(void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction how = { .sa_sigaction = handler,
                             .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };

    if (pdump_stack_signal_is_ours())
        return number;
    number = 0;
    ours = handler;
    sigfillset(&how.sa_mask);
    for (int i = SIGRTMAX - 1; i >= SIGRTMIN && !number; i--)
        if (is_free(i) && sigaction(i, &how, NULL) == 0)
            number = i;
    return number;
}

void pdump_stack_signal_default(int n)
{
    struct sigaction how = { .sa_handler = SIG_DFL };

    sigaction(n, &how, NULL);
    syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), n);
}
