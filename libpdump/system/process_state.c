/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether this process is the one that libpdump's memory describes. */
#include "system/process_state.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

/* Values of pdump_wiped.home, for the process that reads it. */
enum {
    STRANGE, /* the kernel has wiped it, or nothing has started yet */
    COMING,  /* a child that is being recognised */
    HOME,
    UNSURE, /* the kernel does not wipe (before 4.14): the pid decides */
};

struct pdump_wiped pdump_wiped;

static bool has_started;
static unsigned at_home; /* HOME or UNSURE */
static _Atomic pid_t owner;
static atomic_bool sealed;
static struct pdump_process_hook *_Atomic hooks;
static __thread bool is_forking;

/* In glibc 2.32 and newer: false once there has been a second thread. */
extern char __libc_single_threaded __attribute__((weak));

static bool wipe_in_children(void)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t at = (uintptr_t)&pdump_wiped.gate & ~(page - 1);

    return page <= PDUMP_PAGE_MAX &&
           madvise((void *)at, page, MADV_WIPEONFORK) == 0;
}

static void become_known(bool may_follow)
{
    pdump_process_handlers.in_child(owner, may_follow);
    owner = getpid();
    atomic_store(&pdump_wiped.home, at_home);
    for (struct pdump_process_hook *hook = hooks; hook; hook = hook->next)
        hook->call();
}

static void before_fork(void)
{
    if (sealed || !pdump_process_is_known())
        return;
    is_forking = true;
    pdump_process_handlers.before_fork();
}

static void in_parent(void)
{
    if (!is_forking)
        return;
    pdump_process_handlers.in_parent();
    is_forking = false;
}

static void in_child(void)
{
    if (!is_forking)
        return;
    is_forking = false;
    atomic_store(&pdump_wiped.home, COMING);
    become_known(true);
}

/* Runs before libpdump can take its first lock: a child that is forked while
 * another thread starts the session must not inherit a lock that is held. */
__attribute__((constructor)) static void process_start(void)
{
    if (has_started)
        return;
    has_started = true;
    owner = getpid();
    at_home = wipe_in_children() ? HOME : UNSURE;
    pdump_process_handlers.start();
    atomic_store(&pdump_wiped.home, at_home);
    pthread_atfork(before_fork, in_parent, in_child);
}

/*
 * A child's own session needs the allocator, whose lock may be held forever in
 * a child of a process with threads.  After fork() it is free; other children
 * of such a process record nothing.
 */
static bool child_recognise(void)
{
    unsigned home = STRANGE;

    if (is_forking || sealed ||
        !atomic_compare_exchange_strong(&pdump_wiped.home, &home, COMING))
        return false;
    become_known(&__libc_single_threaded && __libc_single_threaded);
    return true;
}

bool pdump_process_is_known(void)
{
    unsigned home =
        atomic_load_explicit(&pdump_wiped.home, memory_order_acquire);

    if (__builtin_expect(home == HOME, 1))
        return true;
    if (home == UNSURE)
        return getpid() == owner;
    if (!has_started) {
        process_start();
        return true;
    }
    return child_recognise();
}

bool pdump_process_is_own(void)
{
    return !sealed && atomic_load(&pdump_wiped.home) >= HOME &&
           getpid() == owner;
}

bool pdump_process_is_wiped(void)
{
    return at_home == HOME;
}

void pdump_process_seal(bool is_sealed)
{
    sealed = is_sealed;
}

bool pdump_process_is_sealed(void)
{
    return atomic_load_explicit(&sealed, memory_order_relaxed);
}

void pdump_process_in_child(struct pdump_process_hook *hook)
{
    struct pdump_process_hook *_Atomic *at = &hooks, *last = NULL;

    while (!atomic_compare_exchange_strong(at, &last, hook)) {
        at = &last->next;
        last = NULL;
    }
}
