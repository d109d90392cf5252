/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * harm WHAT: does something that a signal could disturb, many times, and prints
 * what came of it, which must not depend on stacks.
 */
#include "noinline.h"

#include <dlfcn.h>
#include <errno.h>
#include <pdump.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static volatile int sink;

static NOINLINE void burn(int n)
{
    for (int i = 0; i < n; i++)
        sink += i;
}

static double cpu_seconds(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Calls that wait, and use some CPU time before. */
static int waits(void)
{
    struct timespec nap = { .tv_nsec = 10000 };
    struct timeval short_time;
    int pair[2], interrupted = 0;
    char byte;

    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    short_time = (struct timeval){ .tv_usec = 10 };
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &short_time,
               sizeof(short_time));
    for (int i = 0; i < 10000; i++) {
        struct pollfd fd = { .fd = pair[0], .events = POLLIN };
        fd_set set;

        burn(20000);
        errno = 0;
        switch (i % 4) {
        case 0:
            interrupted += ppoll(&fd, 1, &nap, NULL) < 0;
            break;
        case 1:
            FD_ZERO(&set);
            FD_SET(pair[0], &set);
            short_time = (struct timeval){ .tv_usec = 10 };
            interrupted +=
                select(pair[0] + 1, &set, NULL, NULL, &short_time) < 0;
            break;
        case 2:
            interrupted += nanosleep(&nap, NULL) < 0;
            break;
        default:
            interrupted += recv(pair[0], &byte, 1, 0) < 0 && errno == EINTR;
        }
    }
    printf("%d interrupted\n", interrupted);
    return 0;
}

static void *short_thread(void *data)
{
    burn(100000);
    return data;
}

static int threads(void)
{
    uintptr_t sum = 0;

    for (int i = 0; i < 2000; i++) {
        void *result = NULL;
        pthread_t id;

        if (pthread_create(&id, NULL, short_thread, (void *)(uintptr_t)i) == 0)
            pthread_join(id, &result);
        sum += (uintptr_t)result;
    }
    printf("%lu\n", (unsigned long)sum);
    return 0;
}

/* One loads and unloads libraries, the other walks through the loader. */
static void *load(void *data)
{
    static const char *const names[] = { "libm.so.6", "libresolv.so.2",
                                         "libutil.so.1", "libanl.so.1" };

    for (int i = 0; i < 2000; i++) {
        void *so = dlopen(names[i % 4], RTLD_NOW | RTLD_LOCAL);

        if (so)
            dlclose(so);
    }
    return data;
}

static int loads(void)
{
    pthread_t id;

    pthread_create(&id, NULL, load, NULL);
    load(NULL);
    pthread_join(id, NULL);
    puts("loaded");
    return 0;
}

static int children(void)
{
    static int codes, i; /* not in a register: vfork() */

    for (; i < 150; i++) {
        char *argv[] = { "sh", "-c", "exit 3", NULL };
        int status = 0;
        pid_t pid;

        burn(100000);
        if (i % 3 == 0) {
            pid = fork();
            if (pid == 0) {
                burn(3000000);
                _exit(3);
            }
        } else if (i % 3 == 1) {
            pid = vfork();
            if (pid == 0) {
                execve("/bin/sh", argv, environ);
                _exit(127);
            }
        } else if (posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ)) {
            continue;
        }
        waitpid(pid, &status, 0);
        codes += WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
    }
    printf("%d\n", codes);
    return 0;
}

/* Replaced by a program that is not measured, again and again. */
static int replaced(int argc, char **argv)
{
    int left = argc > 2 ? atoi(argv[2]) : 100;
    char number[12];

    burn(2000000);
    snprintf(number, sizeof(number), "%d", left - 1);
    if (left > 0)
        execl("/proc/self/exe", argv[0], "replaced", number, (char *)NULL);
    puts("last");
    return 0;
}

static sigjmp_buf back;
static volatile sig_atomic_t n_profiled;

static void on_profile(int number)
{
    (void)number;
    n_profiled++;
}

static void on_user(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

/* A program that has a profiler of its own, on an alternate stack. */
static int profiled(void)
{
    struct itimerval every = { { 0, 2000 }, { 0, 2000 } };
    static char room[16 * 1024];
    stack_t other = { .ss_sp = room, .ss_size = sizeof(room) };
    struct sigaction how = { .sa_handler = on_profile,
                             .sa_flags = SA_RESTART | SA_ONSTACK };

    sigaltstack(&other, NULL);
    sigaction(SIGPROF, &how, NULL);
    setitimer(ITIMER_PROF, &every, NULL);
    while (cpu_seconds() < 1)
        burn(10000);
    puts(n_profiled > 20 ? "profiled" : "not profiled");
    return 0;
}

static int jumps(void)
{
    static int n; /* not in a register: siglongjmp() */

    signal(SIGUSR1, on_user);
    while (n < 20000) {
        burn(5000);
        if (sigsetjmp(back, 1) == 0)
            raise(SIGUSR1);
        n++;
    }
    printf("%d\n", n);
    return 0;
}

/* Threads with stacks of 16 KiB, on which the signal frame is large. */
static void *small_thread(void *data)
{
    for (int i = 0; i < 200; i++)
        burn(1000000);
    return data;
}

static int small(void)
{
    pthread_attr_t attributes;
    pthread_t id[4];
    int n = 0;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16384);
    for (int i = 0; i < 4; i++)
        n += pthread_create(&id[i], &attributes, small_thread, NULL) == 0;
    for (int i = 0; i < n; i++)
        pthread_join(id[i], NULL);
    printf("%d\n", n);
    return 0;
}

/* A thread that waits for every signal gets those that are meant for it. */
static void *waiter(void *data)
{
    int others = 0, number = 0;
    sigset_t set;

    sigfillset(&set);
    while (number != SIGUSR2) {
        burn(300000);
        sigwait(&set, &number);
        others += number != SIGUSR1 && number != SIGUSR2;
    }
    printf("%d others\n", others);
    return data;
}

static int waited(void)
{
    sigset_t set, before;
    pthread_t id;

    sigfillset(&set);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    pthread_create(&id, NULL, waiter, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (int i = 0; i < 300; i++) {
        burn(500000);
        pthread_kill(id, SIGUSR1);
    }
    pthread_kill(id, SIGUSR2);
    pthread_join(id, NULL);
    return 0;
}

/* Somebody else sends the signal of libpdump, which nobody expects: as without
 * libpdump, that is the end. */
static int others(void)
{
    puts("now");
    fflush(stdout);
    for (int n = SIGRTMIN; n <= SIGRTMAX; n++) {
        struct sigaction now;

        sigaction(n, NULL, &now);
        if (now.sa_flags & SA_SIGINFO)
            raise(n);
    }
    puts("no signal of libpdump");
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } list[] = {
        { "waits", waits },       { "threads", threads },
        { "loads", loads },       { "children", children },
        { "profiled", profiled }, { "jumps", jumps },
        { "small", small },       { "waited", waited },
        { "others", others },
    };
    const char *what = argc > 1 ? argv[1] : "";
    int code = 1;

    pdump_region_begin("main");
    if (strcmp(what, "replaced") == 0)
        code = replaced(argc, argv);
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (strcmp(what, list[i].name) == 0)
            code = list[i].run();
    pdump_region_end("main");
    fflush(stdout);
    return code;
}
