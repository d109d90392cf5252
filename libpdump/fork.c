/* SPDX-License-Identifier: BSD-3-Clause */
/* Children: the parent goes on, the child starts empty. */
#include "fork.h"
#include "events_writer.h"
#include "gate.h"
#include "job.h"
#include "lock.h"
#include "log.h"
#include "memory.h"
#include "session.h"
#include "signals.h"
#include "source.h"
#include "symbols.h"
#include "thread.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

/* Values of pdump_gates.home, for the process that reads it. */
enum {
    STRANGE, /* the kernel has wiped it, or nothing has started yet */
    COMING,  /* a child that is being recognised */
    HOME,
    UNSURE, /* the kernel does not wipe (before 4.14): the pid decides */
};

static bool has_started;
static unsigned at_home; /* HOME or UNSURE */
static _Atomic pid_t owner;
static struct pdump_fork_hook *_Atomic hooks;

/* For the forking thread.  Its gate is shut during the fork: in the child,
 * where the store is gone, other fork handlers may run before ours. */
static __thread bool is_forking;
static __thread unsigned gate;

/* In glibc 2.32 and newer: false once there has been a second thread. */
extern char __libc_single_threaded __attribute__((weak));

/* A second for all turns together: a fork comes before figures. */
static void before(void)
{
    struct timespec until;

    if (pdump_session_is_sealed() || !pdump_fork_is_known())
        return;
    is_forking = true;
    gate = pdump_self.gate;
    pdump_self.gate = PDUMP_GATE_INSIDE;
    until = pdump_turn_in(1);
    pdump_job_before_fork(until);
    pdump_session_before_fork(until);
    pdump_memory_before_fork(until);
    pdump_sources_before_fork(until);
    pdump_symbols_lock(until);
    pdump_log_lock();
}

static void in_parent(void)
{
    if (!is_forking)
        return;
    pdump_log_unlock();
    pdump_symbols_unlock();
    pdump_sources_in_parent();
    pdump_memory_in_parent();
    pdump_session_in_parent();
    pdump_job_in_parent();
    pdump_self.gate = gate;
    is_forking = false;
}

/* Must not allocate, free or wait for a lock: any lock may have been held by a
 * thread that does not exist in this process. */
static void settle(bool may_follow)
{
    pdump_log_in_child();
    pdump_symbols_in_child();
    pdump_signals_forked();
    pdump_memory_forked();
    pdump_events_forked();
    pdump_sources_forked();
    pdump_thread_forget();
    pdump_session_in_child(owner, may_follow);
    owner = getpid();
    atomic_store(&pdump_gates.home, at_home);
    for (struct pdump_fork_hook *hook = hooks; hook; hook = hook->next)
        hook->call();
}

static void in_child(void)
{
    if (!is_forking)
        return;
    is_forking = false;
    atomic_store(&pdump_gates.home, COMING);
    settle(true);
}

/* Let the kernel wipe the words of the gate in children. */
static bool wipe_in_children(void)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t at = (uintptr_t)&pdump_gates.process & ~(page - 1);

    return page <= PDUMP_PAGE_MAX &&
           madvise((void *)at, page, MADV_WIPEONFORK) == 0;
}

/* Runs before libpdump can take its first lock: a child that is forked while
 * another thread starts the session must not inherit a lock that is held. */
__attribute__((constructor)) static void start(void)
{
    if (has_started)
        return;
    has_started = true;
    owner = getpid();
    at_home = wipe_in_children() ? HOME : UNSURE;
    pdump_gate_set(PDUMP_GATE_NONE);
    atomic_store(&pdump_gates.home, at_home);
    pthread_atfork(before, in_parent, in_child);
}

/*
 * A child's own session needs the allocator, whose lock may be held forever in
 * a child of a process with threads.  After fork() it is free; other children
 * of such a process record nothing.
 */
static bool recognise(void)
{
    unsigned home = STRANGE;

    if (is_forking || pdump_session_is_sealed() ||
        !atomic_compare_exchange_strong(&pdump_gates.home, &home, COMING))
        return false;
    pdump_self.gate = PDUMP_GATE_INSIDE;
    settle(&__libc_single_threaded && __libc_single_threaded);
    return true;
}

bool pdump_fork_is_known(void)
{
    unsigned home =
        atomic_load_explicit(&pdump_gates.home, memory_order_acquire);

    if (__builtin_expect(home == HOME, 1))
        return true;
    if (home == UNSURE)
        return getpid() == owner;
    if (!has_started) {
        start();
        return true;
    }
    return recognise();
}

bool pdump_fork_is_own(void)
{
    return !pdump_session_is_sealed() &&
           atomic_load(&pdump_gates.home) >= HOME && getpid() == owner;
}

bool pdump_fork_is_wiped(void)
{
    return at_home == HOME;
}

void pdump_fork_in_child(struct pdump_fork_hook *hook)
{
    struct pdump_fork_hook *_Atomic *at = &hooks, *last = NULL;

    while (!atomic_compare_exchange_strong(at, &last, hook)) {
        at = &last->next;
        last = NULL;
    }
}
