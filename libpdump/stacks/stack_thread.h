/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads whose stacks are taken. */
#ifndef PDUMP_STACK_THREAD_H
#define PDUMP_STACK_THREAD_H

#include "record/recorder.h"
#include "stacks/stack_tree.h"
#include "stacks/walk.h"

#include <stdatomic.h>
#include <sys/types.h>

enum { PDUMP_STACK_THREADS_MAX = 4096 /* at one time */ };

struct pdump_stack_thread {
    _Atomic pid_t tid; /* 0: unused; -1: being made or removed */
    int timer;
    _Atomic int is_busy;   /* its handler runs */
    _Atomic unsigned seen; /* the last look at all threads that found it */
    /* Of a thread that records, or NULL. */
    struct pdump_recorder *_Atomic recorder;
    struct pdump_thread_record *_Atomic record;
    int64_t last; /* CPU time at the last stack, in ns */
    int64_t next; /* when the timer is set to */
    uint64_t random;
    struct pdump_walker *walker; /* NULL before the first stack */
    bool has_tree;               /* of the current session */
    struct pdump_stack_tree tree;
};

/* Returns the thread of that tid, or NULL. */
struct pdump_stack_thread *pdump_stack_thread_find(pid_t tid);

/* Returns the thread that the timer's signal means, or NULL if that is none. */
struct pdump_stack_thread *pdump_stack_thread_of(const void *data);

/* Adds a thread and gives it a timer that sends the signal `number` after
 * `first` ns of CPU time.  Returns NULL if there is no room or no timer.  For
 * signal handlers. */
struct pdump_stack_thread *pdump_stack_thread_add(pid_t tid, int number,
                                                  int64_t first);
void pdump_stack_thread_remove(struct pdump_stack_thread *t);

/* Sets all timers again: their signals may have been lost. */
void pdump_stack_thread_wake_all(void);

/* Removes the threads that do not record, and that look number `look` has not
 * found. */
void pdump_stack_thread_sweep(unsigned look);

/* Removes all, when no handler starts any more; waits for those that run. */
void pdump_stack_thread_remove_all(void);

/* In a child: it has no timers. */
void pdump_stack_thread_forked(void);

#endif
