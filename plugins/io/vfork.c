/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wrappers of vfork() and clone() that count the processes that use our memory.
 *
 * Until the child calls exec() or ends, its calls are not recorded, and its
 * descriptors are not in our table. vfork() cannot be wrapped in C: it returns
 * twice, and the parent continues with the stack as the child has left it.  So
 * the return address is kept in a register.
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
/* Without the assembler wrapper, every call compares the pid. */
_Atomic int pdump_io_vforks = 1;
#endif

/* A child that shares our memory may run in parallel; its end is not known
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
