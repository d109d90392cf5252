/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strange WHAT: a program that does what few do, and that a signal could
 * disturb.  Prints what came of it, which must not depend on stacks.
 */
#include "noinline.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pdump.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { THREADS = 4, SMALL = 64 * 1024 };

static volatile int sink;

static NOINLINE void burn(int n)
{
    for (int i = 0; i < n; i++)
        sink += i;
}

static long (*work)(void);

static void *in_region(void *data)
{
    (void)data;
    pdump_region_begin("thread");
    data = (void *)(intptr_t)work();
    pdump_region_end("thread");
    return data;
}

/* Runs a function in threads and adds up what they return. */
static long in_threads(long (*function)(void))
{
    pthread_t id[THREADS];
    long sum = 0;

    work = function;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&id[i], NULL, in_region, NULL) != 0)
            exit(2);
    for (int i = 0; i < THREADS; i++) {
        void *result = NULL;

        pthread_join(id[i], &result);
        sum += (long)(intptr_t)result;
    }
    return sum;
}

static long busy(void)
{
    burn(20000000);
    return 0;
}

/* As Go's runtime: a handler for every signal, which passes signals on to the
 * one that was there before. */
static struct sigaction before[65];
static volatile sig_atomic_t n_handled[65];

static void on_any(int number, siginfo_t *info, void *context)
{
    const struct sigaction *next = &before[number];

    n_handled[number] += info->si_code == SI_TKILL;
    if (next->sa_flags & SA_SIGINFO)
        next->sa_sigaction(number, info, context);
}

static void handle_all(void)
{
    struct sigaction how = { .sa_sigaction = on_any,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART };

    for (int n = SIGRTMIN; n <= SIGRTMAX; n++) {
        struct sigaction now;

        sigaction(n, &how, &now);
        if (now.sa_sigaction != on_any)
            before[n] = now;
    }
}

/* Each signal is handled once, whoever was there first. */
static int handled(void)
{
    for (int round = 0; round < 40; round++) {
        if (round % 2)
            handle_all();
        in_threads(busy);
        for (int n = SIGRTMIN; n <= SIGRTMAX && round > 0; n++)
            raise(n);
    }
    for (int n = SIGRTMIN; n <= SIGRTMAX; n++)
        printf("%d ", (int)n_handled[n]);
    puts("times");
    return 0;
}

static int handled_first(void)
{
    handle_all();
    return handled();
}

/* As servers do: blocks all signals, works, and then waits for them. */
static int blocked(void)
{
    struct timespec none = { 0, 0 };
    sigset_t set, now;
    int n = 0;

    burn(20000000);
    sigfillset(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    burn(50000000);
    sigpending(&now);
    for (int i = SIGRTMIN; i <= SIGRTMAX; i++)
        n += sigismember(&now, i) == 1;
    n += sigtimedwait(&set, NULL, &none) > 0;
    in_threads(busy);
    printf("%d signals\n", n);
    return 0;
}

static void on_one(int number)
{
    n_handled[number]++;
}

/* Sets all signals to their defaults, and then handlers of its own. */
static int reset(void)
{
    int n_others = 0;

    for (int n = SIGRTMIN; n <= SIGRTMAX; n++)
        n_others += signal(n, SIG_DFL) != SIG_DFL;
    burn(150000000);
    for (int n = SIGRTMIN; n <= SIGRTMAX; n++) {
        struct sigaction how = { .sa_handler = on_one }, old;

        n_others += sigaction(n, &how, &old) != 0;
        n_others += old.sa_handler != SIG_DFL;
        n_others += signal(n, on_one) != on_one;
    }
    burn(150000000);
    for (int n = SIGRTMIN; n <= SIGRTMAX; n++) {
        raise(n);
        printf("%d ", (int)n_handled[n]);
    }
    printf("%d others\n", n_others);
    return 0;
}

/* Allocations of all sizes, in threads and by realloc(). */
static long allocate(void)
{
    char *list[256] = { NULL };
    uint32_t random = 1;
    long sum = 0;

    for (int i = 0; i < 400000; i++) {
        char **at = &list[random >> 8 & 255];
        size_t size = (size_t)1 << (random >> 16 & 15);
        char *p = realloc(*at, size);

        random = random * 1664525 + 1013904223;
        if (!p)
            exit(2);
        p[0] = p[size - 1] = (char)i;
        sum += p[0];
        *at = p;
        if (random >> 28 == 0) {
            free(*at);
            *at = NULL;
        }
    }
    for (int i = 0; i < 256; i++)
        free(list[i]);
    return sum;
}

static int heap(void)
{
    printf("%ld\n", in_threads(allocate));
    return 0;
}

/* Coroutines, whose stacks come and go. */
static ucontext_t outside, inside;
static int n_turns;

static void coroutine(void)
{
    for (;;) {
        burn(2000);
        n_turns++;
        swapcontext(&inside, &outside);
    }
}

static int coroutines(void)
{
    static int i; /* not in a register: getcontext() */

    for (; i < 2000; i++) {
        void *room = mmap(NULL, SMALL, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (room == MAP_FAILED || getcontext(&inside) != 0)
            exit(2);
        inside.uc_stack.ss_sp = room;
        inside.uc_stack.ss_size = SMALL;
        makecontext(&inside, coroutine, 0);
        for (int k = 0; k < 20; k++)
            swapcontext(&outside, &inside);
        munmap(room, SMALL);
    }
    printf("%d\n", n_turns);
    return 0;
}

/* The C library sends a signal to all threads when the user changes. */
static long users_change(void)
{
    for (int i = 0; i < 50; i++) {
        burn(2000000);
        if (seteuid(65534) != 0 || seteuid(0) != 0)
            return 1;
    }
    return 0;
}

static int users(void)
{
    printf("%ld failed\n", geteuid() == 0 ? in_threads(users_change) : 0);
    return 0;
}

/* From now on these calls fail. */
static void forbid(long a, long b)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)a, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)b, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        exit(77);
}

static int without_timers(void)
{
    forbid(SYS_timer_create, SYS_timer_settime);
    in_threads(busy);
    puts("busy");
    return 0;
}

static int without_reads(void)
{
    forbid(SYS_process_vm_readv, SYS_process_vm_readv);
    in_threads(busy);
    puts("busy");
    return 0;
}

static int without_reads_later(void)
{
    in_threads(busy);
    return without_reads();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
        int is_first; /* before libpdump does anything */
    } list[] = {
        { "handled", handled, 0 },
        { "handled_first", handled_first, 1 },
        { "blocked", blocked, 1 },
        { "reset", reset, 1 },
        { "heap", heap, 0 },
        { "coroutines", coroutines, 0 },
        { "users", users, 0 },
        { "without_timers", without_timers, 1 },
        { "without_reads", without_reads, 1 },
        { "without_reads_later", without_reads_later, 0 },
    };
    const char *what = argc > 1 ? argv[1] : "";
    int code = 1;

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (strcmp(what, list[i].name) == 0) {
            if (!list[i].is_first)
                pdump_region_begin("main");
            code = list[i].run();
            if (!list[i].is_first)
                pdump_region_end("main");
        }
    fflush(stdout);
    return code;
}
