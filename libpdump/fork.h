/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Children: the parent goes on, the child starts empty.
 *
 * A child of fork() is told by its handlers.  One that was made by _Fork(),
 * clone() or a system call is recognised when it calls us: its gate was wiped
 * (gate.h).  A child that shares our memory (vfork(), CLONE_VM) is neither; it
 * has another pid.
 */
#ifndef PDUMP_FORK_H
#define PDUMP_FORK_H

#include "error.h"

#include <stdbool.h>

/* Does what we know belong to this process?  A child that was not known until
 * now is recognised, and the answer is true; false as long as that is under way
 * elsewhere.  Then nothing may be touched, not even a lock. */
PDUMP_SHARED bool pdump_fork_is_known(void);

/* The same without recognising anybody, for what ends with a process; false in
 * children that share our memory, and where no system call may be made any
 * more.  May be called by signal handlers. */
PDUMP_SHARED bool pdump_fork_is_own(void);

/* Does the kernel wipe memory in children?  If not (before 4.14), the pid has
 * to be asked for wherever a child may be that was not made by fork(). */
PDUMP_SHARED bool pdump_fork_is_wiped(void);

/* What to call in every child that is recognised, in the order of the calls
 * here.  The hook is static. */
struct pdump_fork_hook {
    void (*call)(void);
    struct pdump_fork_hook *_Atomic next;
};

PDUMP_SHARED void pdump_fork_in_child(struct pdump_fork_hook *hook);

#endif
