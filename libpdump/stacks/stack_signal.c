/* SPDX-License-Identifier: BSD-3-Clause */
/* The signal for stacks. */
#include "stacks/stack_signal.h"
#include "stacks/walk_arch.h"
#include "system/own_signals.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BEHIND_MAX = 16 };

static bool (*take)(const siginfo_t *info, const ucontext_t *context);
static int number;
/* What the program wants the signal to do.  Handlers may still use an entry
 * when the next one is made. */
static struct sigaction behind[BEHIND_MAX];
static _Atomic unsigned n_behind;
static _Atomic bool is_first_back; /* the first is there again */
static atomic_flag is_changing = ATOMIC_FLAG_INIT;

static bool has_handler(const struct sigaction *action)
{
    return action->sa_flags & SA_SIGINFO ||
           (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

static void be_default(int n)
{
    struct sigaction how = { .sa_handler = SIG_DFL };

    pdump_own_signals_action(n, &how, NULL);
    syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), n);
}

static void pass(const struct sigaction *to, int n, siginfo_t *info,
                 void *context)
{
    if (to->sa_flags & SA_SIGINFO)
        to->sa_sigaction(n, info, context);
    else if (has_handler(to))
        to->sa_handler(n);
    else if (to->sa_handler == SIG_DFL)
        be_default(n);
}

/* What the program wants now; the first entry is never overwritten. */
static struct sigaction *entry(unsigned n)
{
    return &behind[n < BEHIND_MAX ? n : 1 + n % (BEHIND_MAX - 1)];
}

/* A handler that does not know a signal may call the one that was there before
 * it, which is this one; then the kernel's frame is not that of the caller. The
 * signal is for the handler that was there first; if that has been installed
 * again later, it may be the caller. */
static void on_signal(int n, siginfo_t *info, void *context)
{
    uintptr_t caller = (uintptr_t)__builtin_dwarf_cfa();
    int kept = errno;

    if (!take(info, context)) {
        if ((uintptr_t)context == pdump_arch_signal_context(caller))
            pass(entry(n_behind - 1), n, info, context);
        else if (has_handler(entry(0)) && !is_first_back)
            pass(entry(0), n, info, context);
    }
    errno = kept;
}

bool pdump_stack_signal_is_ours(void)
{
    struct sigaction now;

    return number && pdump_own_signals_action(number, NULL, &now) == 0 &&
           now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_signal;
}

/* The next entry is complete. */
static void entry_keep(void)
{
    if (n_behind > 0 && entry(n_behind)->sa_sigaction == entry(0)->sa_sigaction)
        is_first_back = true;
    n_behind++;
}

/* `is_free`: only if the program does nothing with it. */
static bool install(int n, bool is_free)
{
    struct sigaction how = { .sa_sigaction = on_signal,
                             .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };
    struct sigaction *was = entry(n_behind);

    sigfillset(&how.sa_mask);
    if (pdump_own_signals_action(n, &how, was) != 0)
        return false;
    if (is_free && (has_handler(was) || was->sa_handler != SIG_DFL)) {
        pdump_own_signals_action(n, was, NULL);
        return false;
    }
    entry_keep();
    return true;
}

bool pdump_stack_signal_keep(void)
{
    bool is_back = false;

    if (!number || atomic_flag_test_and_set(&is_changing))
        return false;
    if (!pdump_stack_signal_is_ours())
        is_back = install(number, false);
    atomic_flag_clear(&is_changing);
    return is_back;
}

void pdump_stack_signal_want(const struct sigaction *action,
                             struct sigaction *old)
{
    struct sigaction was = *entry(n_behind - 1);

    if (action) {
        *entry(n_behind) = *action;
        entry_keep();
    }
    if (old)
        *old = was;
}

/* Programs count from SIGRTMIN up, so the last ones are most likely free. */
int pdump_stack_signal_open(bool (*taker)(const siginfo_t *info,
                                          const ucontext_t *context))
{
    int last = SIGRTMAX - 1, n = last;

    if (pdump_stack_signal_keep() || pdump_stack_signal_is_ours())
        return number;
    take = taker;
    while (n >= SIGRTMIN && !install(n, true))
        n--;
    number = n >= SIGRTMIN ? n : install(last, false) ? last : 0;
    return number;
}
