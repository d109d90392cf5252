/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vfork() and clone(): they note that another process uses our memory.
 *
 * Until the child has become another program, or ended, its calls are not ours
 * to record, and its descriptors are not ours.  In C this cannot be written:
 * the function returns twice, and what the child does to the stack in between
 * is what the parent comes back to; so the return address is kept in a
 * register.
 */
#include "call_owner.h"
#include "next_symbol.h"

#include <sched.h>
#include <stdarg.h>

PDUMP_IO_REAL(clone)

#ifdef __x86_64__
_Atomic int pdump_io_vforks;

__asm__(".pushsection .text\n"
        ".globl vfork\n"
        ".type vfork, @function\n"
        "vfork:\n"
        "    popq %rdi\n"
        "    lock incl pdump_io_vforks(%rip)\n"
        "    movl $58, %eax\n"
        "    syscall\n"
        "    testq %rax, %rax\n"
        "    jz 1f\n" /* the child */
        "    lock decl pdump_io_vforks(%rip)\n"
        "1:  pushq %rdi\n"
        "    cmpq $-4095, %rax\n"
        "    jae 2f\n"
        "    ret\n"
        "2:  negl %eax\n"
        "    pushq %rax\n"
        "    call __errno_location@PLT\n"
        "    popq %rdx\n"
        "    movl %edx, (%rax)\n"
        "    movl $-1, %eax\n"
        "    ret\n"
        ".size vfork, .-vfork\n"
        ".popsection\n");
#else
/* Who is who is asked of the system in every call. */
_Atomic int pdump_io_vforks = 1;
#endif

/* A child that shares our memory and runs in parallel: its end is not known
 * unless CLONE_VFORK makes us wait for it.  Threads belong to the process and
 * are not counted. */
__attribute__((visibility("default"))) int clone(int (*function)(void *),
                                                 void *stack, int flags,
                                                 void *argument, ...)
{
    const int threads = CLONE_VM | CLONE_THREAD;
    bool is_guest = (flags & threads) == CLONE_VM;
    pid_t *parent_tid, *child_tid;
    va_list rest;
    void *tls;
    int child;

    va_start(rest, argument);
    parent_tid = va_arg(rest, pid_t *);
    tls = va_arg(rest, void *);
    child_tid = va_arg(rest, pid_t *);
    va_end(rest);
    if (is_guest)
        atomic_fetch_add(&pdump_io_vforks, 1);
    child = REAL(clone)(function, stack, flags, argument, parent_tid, tls,
                        child_tid);
    if (is_guest && (child < 0 || flags & CLONE_VFORK))
        atomic_fetch_sub(&pdump_io_vforks, 1);
    return child;
}
