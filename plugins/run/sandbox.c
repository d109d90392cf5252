/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seccomp: a program that restricts its system calls must not be killed for
 * those of libpdump.  If the filter would do that, the session ends before the
 * filter is installed, and the run collects the store.  After that libpdump
 * makes no system calls.
 */
#include "seccomp_filter.h"
#include "run.h"

#include "probe/program_region.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

/* syscall() with the most arguments that it can have. */
typedef long system_call(long number, long a, long b, long c, long d, long e,
                         long f);
system_call *run_next_syscall;
static __typeof__(&prctl) next_prctl;

__attribute__((constructor)) static void find_next(void)
{
    run_next_syscall = (system_call *)(uintptr_t)run_next("syscall");
    next_prctl = RUN_NEXT(prctl);
}

/* Copies from an address that may be invalid: the kernel then reports an error,
 * so that we do not crash. */
static bool memory_copy(void *to, const void *from, size_t n)
{
    struct iovec here = { to, n }, there = { (void *)(uintptr_t)from, n };

    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)n;
}

/* Returns true if the filter kills libpdump's calls, or exists but cannot be
 * read. */
static bool is_deadly(const struct sock_fprog *given)
{
    struct sock_fprog program;
    struct sock_filter *code;
    bool kills = true;

    if (!memory_copy(&program, given, sizeof(program)))
        return errno != EFAULT;
    if (program.len == 0 || program.len > BPF_MAXINSNS)
        return false;
    code = malloc(program.len * sizeof(*code));
    if (code && memory_copy(code, program.filter, program.len * sizeof(*code)))
        kills = filter_kills_ours(code, program.len);
    free(code);
    return kills;
}

static bool recording_seal(bool is_strict, const struct sock_fprog *program)
{
    int saved = errno;
    bool is_sealed =
        run_is_ours() && (is_strict || (program && is_deadly(program)));

    if (is_sealed) {
        pdump_program_seal();
        run.is_recorded = run.is_followed = false;
    }
    errno = saved;
    return is_sealed;
}

/* The kernel has refused the filter: continue recording. */
static void recording_unseal(void)
{
    int saved = errno;

    run.is_recorded = run.is_followed = true;
    pdump_program_unseal();
    run_begin();
    errno = saved;
}

static bool seal_by_prctl(long option, long mode, long program)
{
    return option == PR_SET_SECCOMP &&
           (mode == SECCOMP_MODE_STRICT || mode == SECCOMP_MODE_FILTER) &&
           recording_seal(mode == SECCOMP_MODE_STRICT,
                          (const struct sock_fprog *)program);
}

/* Strict mode takes no flags and no filter; programs make calls with these to
 * probe the features of the kernel. */
static bool seal_by_seccomp(long operation, long flags, long program)
{
    if (operation == SECCOMP_SET_MODE_STRICT)
        return !flags && !program && recording_seal(true, NULL);
    return operation == SECCOMP_SET_MODE_FILTER &&
           recording_seal(false, (const struct sock_fprog *)program);
}

API int prctl(int option, ...)
{
    long a, b, c, d;
    va_list list;
    bool is_sealed;
    int result;

    va_start(list, option);
    a = va_arg(list, long);
    b = va_arg(list, long);
    c = va_arg(list, long);
    d = va_arg(list, long);
    va_end(list);
    if (!next_prctl)
        find_next();
    is_sealed = seal_by_prctl(option, a, b);
    result = next_prctl(option, a, b, c, d);
    if (is_sealed && result != 0)
        recording_unseal();
    return result;
}

/* For calls that may install a filter, and for all calls before the
 * constructors have run. */
system_call run_look_at_call;
long run_look_at_call(long number, long a, long b, long c, long d, long e,
                      long f)
{
    bool is_sealed;
    long result;

    if (!run_next_syscall)
        find_next();
    is_sealed = (number == SYS_prctl && seal_by_prctl(a, b, c)) ||
                (number == SYS_seccomp && seal_by_seccomp(a, b, c));
    result = run_next_syscall(number, a, b, c, d, e, f);
    if (is_sealed && result != 0)
        recording_unseal();
    return result;
}

#ifdef __x86_64__
/* A jump, which does not touch the stack: a child of clone() may have another
 * stack.  Compiled code would write the last argument to the stack again; most
 * callers do not pass it, and have other data in its place. */
__asm__(".pushsection .text\n"
        ".globl syscall\n"
        ".type syscall, @function\n"
        "syscall:\n"
        "    endbr64\n"
        "    cmpq $157, %rdi\n" /* prctl */
        "    je run_look_at_call\n"
        "    cmpq $317, %rdi\n" /* seccomp */
        "    je run_look_at_call\n"
        "    movq run_next_syscall(%rip), %rax\n"
        "    testq %rax, %rax\n"
        "    jz run_look_at_call\n"
        "    jmp *%rax\n"
        ".size syscall, .-syscall\n"
        ".popsection\n");
#else
API system_call run_syscall __asm__("syscall");
long run_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    if (!run_next_syscall || number == SYS_prctl || number == SYS_seccomp)
        return run_look_at_call(number, a, b, c, d, e, f);
    return run_next_syscall(number, a, b, c, d, e, f);
}
#endif
