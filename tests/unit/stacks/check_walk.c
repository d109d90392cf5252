/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of walks in signal handlers: the frames are those that the C library's
 * backtrace() finds, and no walk faults, whatever the stack contains.
 */
#include "program/stacks/noinline.h"
#include "stacks/module_table.h"
#include "stacks/walk.h"
#include "suite.h"

#include <alloca.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define KEEP __asm__ volatile("" ::: "memory") /* no tail calls */

#if defined(__x86_64__)
#define STOP __asm__ volatile("int3")
#define PC(c) ((c)->uc_mcontext.gregs[REG_RIP])
#define SP(c) ((c)->uc_mcontext.gregs[REG_RSP])
#define FP(c) ((c)->uc_mcontext.gregs[REG_RBP])
#define REG(c, n) ((c)->uc_mcontext.gregs[n])
#define LINK(c) ((void)(c))
enum { STOP_SIZE = 0 };
#else
#define STOP __asm__ volatile("brk #0")
#define PC(c) ((c)->uc_mcontext.pc)
#define SP(c) ((c)->uc_mcontext.sp)
#define FP(c) ((c)->uc_mcontext.regs[29])
#define REG(c, n) ((c)->uc_mcontext.regs[n])
#define LINK(c) ((c)->uc_mcontext.regs[30] = 0)
enum { STOP_SIZE = 4 };
#endif

static struct pdump_walker walker;
static struct {
    uintptr_t code[PDUMP_WALK_FRAMES_MAX];
    int n;
    bool is_finished;
} seen;
static void *traced[600];
static int n_traced;
static volatile int sink;

static void on_stop(int number, siginfo_t *info, void *data)
{
    ucontext_t *context = data;

    (void)number, (void)info;
    n_traced = backtrace(traced, 600);
    pdump_walk(&walker, context);
    seen.n = walker.n;
    seen.is_finished = walker.is_finished;
    for (int i = 0; i < walker.n; i++)
        seen.code[i] = walker.frames[i].code;
    PC(context) += STOP_SIZE;
}

static void setup(void)
{
    struct sigaction how = { .sa_sigaction = on_stop,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK };

    ck_assert(pdump_module_table_open());
    sigaction(SIGTRAP, &how, NULL);
    backtrace(traced, 1); /* loads libgcc */
}

/* The frames of backtrace() begin with those of the handler. */
static int first_traced(void)
{
    for (int i = 0; i < n_traced; i++)
        if ((uintptr_t)traced[i] == seen.code[0])
            return i;
    ck_abort_msg("backtrace() does not have the place of the signal");
    return 0;
}

/* Returns the address of the call: backtrace() has return addresses, except for
 * code that a signal has interrupted. */
static bool is_frame(uintptr_t ours, void *theirs)
{
    return ours == (uintptr_t)theirs - 1 || ours == (uintptr_t)theirs;
}

static void same_as_backtrace(void)
{
    int first = first_traced();

    ck_assert(seen.is_finished);
    ck_assert_int_eq(seen.n, n_traced - first);
    for (int i = 1; i < seen.n; i++)
        ck_assert_msg(is_frame(seen.code[i], traced[first + i]),
                      "frame %d is %#lx and not %p", i, (long)seen.code[i],
                      traced[first + i]);
}

static NOINLINE void leaf(void)
{
    STOP;
}

static NOINLINE void inner(int n)
{
    volatile char room[100];

    room[n] = 1;
    leaf();
    sink += room[n];
}

static NOINLINE void outer(int n)
{
    inner(n + 1);
    KEEP;
}

START_TEST(a_chain_of_functions)
{
    outer(3);
    same_as_backtrace();
    ck_assert_int_ge(seen.n, 5);
    ck_assert_uint_ge(seen.code[0], (uintptr_t)leaf);
    ck_assert_uint_lt(seen.code[0], (uintptr_t)leaf + 16);
}
END_TEST

static NOINLINE void descend(int n)
{
    volatile char room[40];

    room[0] = (char)n;
    if (n == 0)
        leaf();
    else
        descend(n - 1);
    sink += room[0];
}

START_TEST(recursion)
{
    descend(300);
    same_as_backtrace();
    ck_assert_int_gt(seen.n, 300);
}
END_TEST

START_TEST(too_deep_is_unfinished)
{
    descend(5000);
    ck_assert(!seen.is_finished);
    ck_assert_int_eq(seen.n, PDUMP_WALK_FRAMES_MAX);
}
END_TEST

static int compare(const void *a, const void *b)
{
    if (!seen.n)
        leaf();
    return *(const int *)a - *(const int *)b;
}

START_TEST(through_the_c_library)
{
    int numbers[] = { 5, 4, 3, 2, 1 };

    seen.n = 0;
    qsort(numbers, 5, sizeof(*numbers), compare);
    same_as_backtrace();
}
END_TEST

/* The thread sanitizer blocks SIGTRAP while a handler runs. */
#ifndef __SANITIZE_THREAD__
static void on_user(int number)
{
    outer(number);
    KEEP;
}

START_TEST(from_a_signal_handler)
{
    signal(SIGUSR1, on_user);
    raise(SIGUSR1);
    same_as_backtrace();
}
END_TEST

START_TEST(from_an_alternate_stack)
{
    static char room[64 * 1024];
    stack_t other = { .ss_sp = room, .ss_size = sizeof(room) };
    struct sigaction how = { .sa_handler = on_user, .sa_flags = SA_ONSTACK };

    sigaltstack(&other, NULL);
    sigaction(SIGUSR1, &how, NULL);
    raise(SIGUSR1);
    same_as_backtrace();
}
END_TEST

#endif

/* Aligns its stack, so that the CFA is in memory. */
static NOINLINE void aligned(int n)
{
    _Alignas(64) volatile char room[64];
    volatile char *more = alloca((size_t)n);

    room[n & 63] = 1;
    more[0] = 2;
    outer(n & 7);
    sink += room[1] + more[0];
}

START_TEST(aligned_stacks)
{
    aligned(100);
    same_as_backtrace();
}
END_TEST

#if defined(__x86_64__)
/* As _init() of libraries: no unwind information, no frame pointer. */
__asm__(".text\n"
        "bare_function: int3\n"
        "sub $8, %rsp\n"
        "int3\n"
        "add $8, %rsp\n"
        "ret\n");
void bare_function(void);

static NOINLINE void call_bare(void)
{
    bare_function();
    KEEP;
}

START_TEST(a_function_without_tables)
{
    call_bare();
    ck_assert(seen.is_finished);
    ck_assert_uint_ge(seen.code[1], (uintptr_t)call_bare);
    ck_assert_uint_lt(seen.code[1], (uintptr_t)call_bare + 64);
}
END_TEST
#endif

/* Code without tables, as a compiler at run time makes it. */
START_TEST(code_without_tables)
{
    ucontext_t context;
    uintptr_t frames[8] = { 0 };
    char *code =
        mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    getcontext(&context);
    frames[0] = (uintptr_t)&frames[2];
    frames[1] = (uintptr_t)code + 100;
    frames[3] = (uintptr_t)code + 200;
    PC(&context) = (long)(intptr_t)code;
    SP(&context) = (long)(intptr_t)frames;
    FP(&context) = (long)(intptr_t)frames;
    LINK(&context);
    pdump_walk(&walker, &context);
    ck_assert(walker.is_finished);
    ck_assert_int_eq(walker.n, 3);
    ck_assert_uint_eq(walker.frames[1].code, (uintptr_t)code + 99);
    ck_assert_uint_eq(walker.frames[2].code, (uintptr_t)code + 199);
    ck_assert_int_eq(walker.frames[0].module, -1);
}
END_TEST

static uint64_t any(void)
{
    static uint64_t state = 88172645463325252;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static uintptr_t any_address(uintptr_t stack)
{
    static const uintptr_t ends[] = {
        0, 1, 8, UINTPTR_MAX, UINTPTR_MAX - 7, UINTPTR_MAX / 2
    };

    switch (any() % 6) {
    case 0:
        return (uintptr_t)any();
    case 1:
        return stack + any() % 65536;
    case 2:
        return (uintptr_t)qsort + any() % 200000;
    case 3:
        return (uintptr_t)leaf + any() % 4096;
    case 4:
        return ends[any() % 6];
    default:
        return stack + any() % 8192 * 8;
    }
}

START_TEST(no_stack_makes_a_walk_fault)
{
    ucontext_t context;
    char here;

    getcontext(&context);
    for (int i = 0; i < 100000; i++) {
        for (int r = 0; r < 16; r++)
            REG(&context, r) = (long)any_address((uintptr_t)&here);
        SP(&context) = (long)any_address((uintptr_t)&here);
        FP(&context) = (long)any_address((uintptr_t)&here);
        PC(&context) = (long)any_address((uintptr_t)&here);
        pdump_walk(&walker, &context);
        ck_assert_int_ge(walker.n, 1);
    }
}
END_TEST

#if defined(__x86_64__)
static struct {
    int n, unfinished, astray;
    volatile bool is_last;
} steps;

enum { TRAP_FLAG = 0x100 };

static bool is_of_this_test(uintptr_t code)
{
    uintptr_t here = (uintptr_t)is_of_this_test;

    return code - here < 65536 || here - code < 65536;
}

/* The processor stops after every instruction from the first call until
 * is_last. */
static void on_step(int number, siginfo_t *info, void *data)
{
    ucontext_t *context = data;
    greg_t *flags = &context->uc_mcontext.gregs[REG_EFL];
    bool is_there = false;

    (void)number, (void)info;
    *flags = steps.is_last ? *flags & ~TRAP_FLAG : *flags | TRAP_FLAG;
    pdump_walk(&walker, context);
    for (int i = 0; i < walker.n; i++)
        is_there |= is_of_this_test(walker.frames[i].code);
    steps.n++;
    steps.unfinished += !walker.is_finished;
    steps.astray += !is_there;
}

/* Not what sanitizers put in its place, which has no tables. */
extern pid_t __vfork(void) __attribute__((returns_twice));

static int plain_compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* With entries of the PLT, the loader, the vDSO, signals. */
START_TEST(at_every_instruction)
{
    struct sigaction how = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO };
    int numbers[] = { 5, 4, 3, 2, 1 };
    struct timespec now;
    char text[80];

    sigaction(SIGTRAP, &how, NULL);
    signal(SIGUSR1, SIG_IGN);
    STOP;
    qsort(numbers, 5, sizeof(*numbers), plain_compare);
    snprintf(text, sizeof(text), "%g %d", 0.1 + numbers[0], numbers[1]);
    clock_gettime(CLOCK_MONOTONIC, &now);
    free(malloc(100));
    raise(SIGUSR1);
    if (__vfork() == 0)
        _exit(0);
    steps.is_last = true;
    KEEP;
    ck_assert_int_gt(steps.n, 2000);
    ck_assert_int_eq(steps.unfinished, 0);
    ck_assert_int_eq(steps.astray, 0);
}
END_TEST
#endif

static ucontext_t outside, inside;

static void coroutine(void)
{
    leaf();
    KEEP;
}

START_TEST(a_coroutine_has_an_end)
{
    static _Alignas(16) char room[64 * 1024];

    ck_assert_int_eq(getcontext(&inside), 0);
    inside.uc_stack.ss_sp = room;
    inside.uc_stack.ss_size = sizeof(room);
    inside.uc_link = &outside;
    makecontext(&inside, coroutine, 0);
    ck_assert_int_eq(swapcontext(&outside, &inside), 0);
    ck_assert(seen.is_finished);
    ck_assert_int_eq(seen.n, 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("walk");
    TCase *tc = tcase_create("core");

    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, a_chain_of_functions);
    tcase_add_test(tc, recursion);
    tcase_add_test(tc, too_deep_is_unfinished);
    tcase_add_test(tc, through_the_c_library);
#ifndef __SANITIZE_THREAD__
    tcase_add_test(tc, from_a_signal_handler);
    tcase_add_test(tc, from_an_alternate_stack);
#endif
    tcase_add_test(tc, a_coroutine_has_an_end);
    tcase_add_test(tc, aligned_stacks);
    tcase_add_test(tc, code_without_tables);
    tcase_add_test(tc, no_stack_makes_a_walk_fault);
#if defined(__x86_64__)
    tcase_add_test(tc, a_function_without_tables);
    tcase_add_test(tc, at_every_instruction);
#endif
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
