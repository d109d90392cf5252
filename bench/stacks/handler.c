/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a signal handler takes to walk 30 frames without frame pointers and to
 * keep the stack: ours, and one that calls _Unwind_Backtrace() and keeps
 * nothing.  Both take turns with an empty handler, which is subtracted; prints
 * nanoseconds of each, of the quickest of many turns, and their ratio.
 */
#include "stacks/module_table.h"
#include "stacks/stack_tree.h"
#include "stacks/walk.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unwind.h>

enum { DEPTH = 27, TURNS = 300, SIGNALS = 100, STORE = 1 << 24 };

static struct pdump_walker walker;
static struct pdump_stack_tree tree;
static _Atomic int64_t left = STORE / 2;
static uintptr_t frames[512];
static int n_frames;

static void on_empty(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info, (void)context;
}

static void on_ours(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info;
    pdump_walk(&walker, context);
    pdump_stack_tree_add(&tree, &walker, 0, 1);
}

static _Unwind_Reason_Code keep(struct _Unwind_Context *context, void *data)
{
    (void)data;
    frames[n_frames++] = _Unwind_GetIP(context);
    return n_frames < 512 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void on_unwind(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info, (void)context;
    n_frames = 0;
    _Unwind_Backtrace(keep, NULL);
}

static double now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return 1e9 * (double)ts.tv_sec + (double)ts.tv_nsec;
}

/* Nanoseconds of a signal with this handler. */
static double turn(void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction how = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
    double begin;

    sigaction(SIGUSR1, &how, NULL);
    begin = now();
    for (int i = 0; i < SIGNALS; i++)
        raise(SIGUSR1);
    return (now() - begin) / SIGNALS;
}

static void least(double *best, double ns)
{
    if (*best == 0 || ns < *best)
        *best = ns;
}

__attribute__((noinline, noclone)) static void descend(int depth)
{
    double empty = 0, ours = 0, unwind = 0;

    if (depth > 0) {
        descend(depth - 1);
        __asm__ volatile("" ::: "memory");
        return;
    }
    for (int i = 0; i < TURNS; i++) {
        least(&empty, turn(on_empty));
        least(&ours, turn(on_ours));
        least(&unwind, turn(on_unwind));
    }
    printf("%.0f %.0f %.3f %d\n", ours - empty, unwind - empty,
           (ours - empty) / (unwind - empty), walker.n);
}

int main(void)
{
    struct pdump_store *store;

    if (pdump_store_open(&store, STORE, sizeof(struct pdump_head)) < 0 ||
        !pdump_module_table_open() ||
        !pdump_stack_tree_open(&tree, store, &left, 1)) {
        fputs("stacks cannot be walked here\n", stderr);
        return 1;
    }
    descend(DEPTH);
    return 0;
}
