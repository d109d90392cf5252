/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Children: the parent goes on, the child starts empty.
 *
 * A child of fork() is detected by fork handlers.  A child created by _Fork(),
 * clone() or a system call is recognised when it calls libpdump: the kernel has
 * wiped its gate (gate.h).  A child that shares our memory (vfork(), CLONE_VM)
 * can only be detected by its pid.
 */
#ifndef PDUMP_FORK_H
#define PDUMP_FORK_H

#include "error.h"

#include <stdbool.h>

/* Returns true if libpdump's state belongs to this process.  A child that was
 * not recognised before is recognised by this call.  Returns false while this
 * is under way elsewhere: then nothing may be touched, not even a lock. */
PDUMP_SHARED bool pdump_fork_is_known(void);

/* The same without recognising a child, for code that runs when a process ends.
 * Returns false in children that share our memory, and if no more system calls
 * may be made.  May be called by signal handlers. */
PDUMP_SHARED bool pdump_fork_is_own(void);

/* Returns true if the kernel wipes memory in children.  If not (before 4.14),
 * the pid has to be checked wherever the process may be a child that was not
 * created by fork(). */
PDUMP_SHARED bool pdump_fork_is_wiped(void);

/* A function to call in every child that is recognised, in the order of
 * registration.  The hook is static. */
struct pdump_fork_hook {
    void (*call)(void);
    struct pdump_fork_hook *_Atomic next;
};

PDUMP_SHARED void pdump_fork_in_child(struct pdump_fork_hook *hook);

#endif
