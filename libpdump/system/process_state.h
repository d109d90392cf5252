/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells whether this process is the one that libpdump's memory describes.
 *
 * A child of fork() is detected by fork handlers.  A child created by _Fork(),
 * clone() or a system call is recognised when it calls libpdump: the kernel has
 * wiped the words below.  A child that shares its parent's memory (vfork(),
 * CLONE_VM) can only be detected by its pid.
 *
 * This is the central header of system/, which deals with the operating system:
 * processes, descriptors, locks, files, shared libraries.
 */
#ifndef PDUMP_PROCESS_STATE_H
#define PDUMP_PROCESS_STATE_H

#include "base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

/* The largest page that the kernel may use. */
#if defined(__x86_64__) || defined(__i386__)
enum { PDUMP_PAGE_MAX = 4 * 1024 };
#else
enum { PDUMP_PAGE_MAX = 64 * 1024 };
#endif

/* Words that the kernel fills with zeroes in a child, however it was created.
 * The padding on either side ensures that their page contains nothing else,
 * wherever the loader puts it.  The padding is never touched. */
extern PDUMP_NEAR struct pdump_wiped {
    char room_before[PDUMP_PAGE_MAX];
    _Alignas(64) _Atomic unsigned gate; /* of the process: gate.h */
    _Atomic unsigned session; /* its number, also while recording is off */
    _Atomic unsigned home;    /* of process_state.c */
    char room_after[PDUMP_PAGE_MAX];
} pdump_wiped;

/* Returns true if libpdump's state belongs to this process.  A child that was
 * not recognised before is recognised by this call.  Returns false while
 * another call is recognising the child: then nothing may be touched, not even
 * a lock. */
PDUMP_SHARED bool pdump_process_is_known(void);

/* The same without recognising a child, for code that runs when a process ends.
 * Returns false in children that share their parent's memory, and if no more
 * system calls may be made.  May be called by signal handlers. */
PDUMP_SHARED bool pdump_process_is_own(void);

/* Returns true if the kernel wipes memory in children.  If not (before 4.14),
 * the pid has to be checked wherever the process may be a child that was not
 * created by fork(). */
PDUMP_SHARED bool pdump_process_is_wiped(void);

/* A function to call in every child that is recognised, in the order of
 * registration.  The hook is static. */
struct pdump_process_hook {
    void (*call)(void);
    struct pdump_process_hook *_Atomic next;
};

PDUMP_SHARED void pdump_process_in_child(struct pdump_process_hook *hook);

/* From now on libpdump makes no system calls (true), or may make them again
 * (false).  While it makes none, children are not recognised, because their pid
 * cannot be read. */
void pdump_process_seal(bool is_sealed);
bool pdump_process_is_sealed(void);

/* Further work when the process starts and around fork().  Defined by fork.c.
 */
extern const struct pdump_process_handlers {
    void (*start)(void);
    void (*before_fork)(void);
    void (*in_parent)(void);
    /* In a child of any kind: `parent` is the pid of the process whose memory
     * it has; `may_follow` is true if it may start a session of its own.  Must
     * not allocate, free or wait for a lock: any lock may have been held by a
     * thread that does not exist in this process. */
    void (*in_child)(pid_t parent, bool may_follow);
} pdump_process_handlers;

#endif
