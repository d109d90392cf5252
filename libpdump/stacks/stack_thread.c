/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads whose stacks are taken. */
#include "stacks/stack_thread.h"
#include "stacks/cpu_timer.h"

#include <sched.h>
#include <time.h>

enum {
    MAKING = -1,
    WAIT_SECONDS = 1,
    NEW = 0, /* added since the list was read, maybe */
};

/* Never freed, because a signal may still be on its way. */
static struct pdump_stack_thread threads[PDUMP_STACK_THREADS_MAX];
static _Atomic int n_threads; /* the highest that was used */

struct pdump_stack_thread *pdump_stack_thread_find(pid_t tid)
{
    int n = n_threads;

    for (int i = 0; i < n; i++)
        if (atomic_load_explicit(&threads[i].tid, memory_order_acquire) == tid)
            return &threads[i];
    return NULL;
}

struct pdump_stack_thread *pdump_stack_thread_of(const void *data)
{
    uintptr_t at = (uintptr_t)data - (uintptr_t)threads;

    return at < sizeof(threads) && at % sizeof(*threads) == 0
               ? &threads[at / sizeof(*threads)]
               : NULL;
}

static struct pdump_stack_thread *take_unused(void)
{
    for (int i = 0; i < PDUMP_STACK_THREADS_MAX; i++) {
        pid_t unused = 0;
        int n = n_threads;

        if (threads[i].is_busy ||
            !atomic_compare_exchange_strong(&threads[i].tid, &unused, MAKING))
            continue;
        while (n <= i && !atomic_compare_exchange_weak(&n_threads, &n, i + 1))
            ;
        return &threads[i];
    }
    return NULL;
}

struct pdump_stack_thread *pdump_stack_thread_add(pid_t tid, int number,
                                                  int64_t first)
{
    struct pdump_stack_thread *t = take_unused();
    int64_t now = pdump_cpu_timer_now(tid);

    if (!t)
        return NULL;
    t->timer = pdump_cpu_timer_make(tid, number, t);
    if (t->timer < 0 || now < 0) {
        if (t->timer >= 0)
            pdump_cpu_timer_delete(t->timer);
        atomic_store(&t->tid, 0);
        return NULL;
    }
    t->recorder = NULL;
    t->record = NULL;
    t->last = now;
    t->next = now + first;
    t->random = (uint64_t)tid * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)now;
    t->has_tree = false;
    t->seen = NEW;
    atomic_store_explicit(&t->tid, tid, memory_order_release);
    pdump_cpu_timer_set(t->timer, t->next);
    return t;
}

void pdump_stack_thread_remove(struct pdump_stack_thread *t)
{
    pid_t tid = t->tid;

    if (tid <= 0 || !atomic_compare_exchange_strong(&t->tid, &tid, MAKING))
        return;
    pdump_cpu_timer_delete(t->timer);
    t->recorder = NULL;
    t->record = NULL;
    atomic_store(&t->tid, 0);
}

void pdump_stack_thread_wake_all(void)
{
    int n = n_threads;

    for (int i = 0; i < n; i++)
        if (threads[i].tid > 0)
            pdump_cpu_timer_set(threads[i].timer, threads[i].next);
}

void pdump_stack_thread_sweep(unsigned look)
{
    int n = n_threads;

    for (int i = 0; i < n; i++)
        if (threads[i].tid > 0 && !threads[i].recorder &&
            threads[i].seen != look) {
            if (threads[i].seen == NEW)
                threads[i].seen = look;
            else
                pdump_stack_thread_remove(&threads[i]);
        }
}

static bool is_late(const struct timespec *since)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - since->tv_sec > WAIT_SECONDS;
}

void pdump_stack_thread_remove_all(void)
{
    struct timespec since;
    int n = n_threads;

    for (int i = 0; i < n; i++)
        pdump_stack_thread_remove(&threads[i]);
    clock_gettime(CLOCK_MONOTONIC, &since);
    for (int i = 0; i < n; i++)
        while (threads[i].is_busy && !is_late(&since))
            sched_yield();
}

void pdump_stack_thread_forked(void)
{
    int n = n_threads;

    for (int i = 0; i < n; i++) {
        atomic_store(&threads[i].tid, 0);
        atomic_store(&threads[i].is_busy, 0);
    }
}
