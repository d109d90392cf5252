/* SPDX-License-Identifier: BSD-3-Clause */
/* Children that were not made by fork(): by _Fork(), clone(), system calls. */
#include "kit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that hangs is killed by its own alarm. */
enum { PATIENCE = 300, STACK = 256 * 1024, GOOD = 51 };

/* glibc 2.34 has it. */
extern pid_t _Fork(void) __attribute__((weak));

/* A kernel before 4.14, for NO_WIPE=1. */
int madvise(void *at, size_t len, int advice)
{
    enum { WIPEONFORK = 18 };

    if (advice == WIPEONFORK && getenv("NO_WIPE")) {
        errno = EINVAL;
        return -1;
    }
    return (int)syscall(SYS_madvise, at, len, advice);
}

enum way { FORK, LIBC, CLONE, SYSTEM, SYSTEM3, N_WAYS };

/* Of a child. */
enum end { EXIT, QUICK_EXIT, LEAVE, EXECUTE, END_THREAD, N_ENDS };

static int sink = -1;
static atomic_bool has_threads;
static _Alignas(16) char stack[STACK];

static bool has_regions(void)
{
    return !getenv("NO_WIPE");
}

/* Whatever lock another thread held is never released here: nothing that needs
 * the allocator or stdio, if there were threads. */
static _Noreturn void live(enum end end)
{
    alarm(PATIENCE);
    if (write(sink, "x", 1) != 1)
        _exit(1);
    if (has_regions()) {
        pdump_region_end("parent");
        visit("child");
        pdump_flush();
    }
    if (!has_threads)
        free(malloc(100));
    switch (end) {
    case EXIT:
        exit(GOOD);
    case QUICK_EXIT:
        quick_exit(GOOD);
    case EXECUTE:
        execl("/bin/sh", "sh", "-c", "exit 51", (char *)NULL);
        _exit(2);
    case END_THREAD: /* which is the last one */
        pthread_exit(NULL);
    default:
        _exit(GOOD);
    }
}

static int live_apart(void *end)
{
    live(*(enum end *)end);
}

/* The child does not return. */
static pid_t make(enum way way, enum end end)
{
    /* flags, pidfd, two tids, signal, stack, its size, tls */
    uint64_t how[8] = { [4] = SIGCHLD };
    pid_t child = -1;

    switch (way) {
    case FORK:
        child = fork();
        break;
    case LIBC:
        child = _Fork ? _Fork() : fork();
        break;
    case CLONE:
        return clone(live_apart, stack + STACK, SIGCHLD, &end);
    case SYSTEM3:
        child = (pid_t)syscall(SYS_clone3, how, sizeof(how));
        if (child >= 0 || errno != ENOSYS)
            break;
        /* fall through */
    default:
        child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    }
    if (child == 0)
        live(end);
    return child;
}

/* The exit code of a child, or -1 if it died otherwise. */
static int code_of(pid_t child)
{
    int status = 0;

    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static int check_child(enum way way, enum end end)
{
    int code = code_of(make(way, end));

    if (code != (end == END_THREAD ? 0 : GOOD))
        fprintf(stderr, "way %d, end %d: exit code %d\n", way, end, code);
    IS(code, end == END_THREAD ? 0 : GOOD);
    return code;
}

/* As posix_spawn() does: a child that has our memory, while we wait. */
static int borrow(void *unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++)
        if (write(sink, "x", 1) != 1)
            _exit(1);
    _exit(GOOD);
}

static void borrowed(void)
{
    for (int i = 0; i < 2; i++)
        IS(code_of(clone(borrow, stack + STACK,
                         CLONE_VM | (i ? CLONE_VFORK : 0) | SIGCHLD, NULL)),
           GOOD);
}

static void open_sink(void)
{
    sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    YES(sink >= 0);
}

/* Every way and every end, in a program without other threads. */
static void alone(void)
{
    open_sink();
    OK(pdump_init());
    OK(pdump_region_begin("parent"));
    YES(write(sink, "x", 1) == 1);
    for (int way = 0; way < N_WAYS; way++)
        for (int end = 0; end < N_ENDS; end++)
            check_child(way, end);
    borrowed();
    visit("after");
    OK(pdump_region_end("parent"));
    IS(visits_of("parent"), 1);
    IS(visits_of("after"), 1);
    IS(visits_of("child"), PDUMP_ENOENT);
}

/* A child of a child, neither of which was made by fork(). */
static void grandchild(void)
{
    pid_t child;

    open_sink();
    OK(pdump_region_begin("parent"));
    child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        alarm(PATIENCE);
        child = make(SYSTEM, EXIT);
        _exit(code_of(child) == GOOD && code_of(make(FORK, EXIT)) == GOOD ? GOOD
                                                                          : 1);
    }
    IS(code_of(child), GOOD);
    OK(pdump_region_end("parent"));
}

static void on_signal(int number)
{
    (void)number;
    check_child(LIBC, LEAVE);
}

/* A handler may call _Fork(), whatever it interrupts. */
static void handler(void)
{
    open_sink();
    OK(pdump_init());
    signal(SIGUSR1, on_signal);
    for (int i = 0; i < 5; i++) {
        OK(pdump_region_begin("parent"));
        raise(SIGUSR1);
        OK(pdump_region_end("parent"));
    }
    IS(visits_of("parent"), 5);
}

static atomic_int is_over;

/* Any lock may be held when a child is made: new names, memory, files. */
static void *record(void *number)
{
    char name[40];

    for (int i = 0; !is_over; i++) {
        snprintf(name, sizeof(name), "%d-%d", *(int *)number, i % 5000);
        pdump_region_begin("thread");
        visit(name);
        free(malloc((size_t)i % 9999));
        if (write(sink, "x", 1) != 1)
            return NULL;
        pdump_region_end("thread");
    }
    return NULL;
}

static void threads(void)
{
    enum { N = 3, ROUNDS = 4 };
    pthread_t thread[N];
    int number[N];

    open_sink();
    has_threads = true;
    OK(pdump_init());
    OK(pdump_region_begin("parent"));
    for (int i = 0; i < N; i++) {
        number[i] = i;
        IS(pthread_create(&thread[i], NULL, record, &number[i]), 0);
    }
    for (int round = 0; round < ROUNDS && !n_failed; round++)
        for (int way = 0; way < N_WAYS; way++)
            for (int end = 0; end < END_THREAD; end++)
                check_child(way, end);
    is_over = 1;
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    OK(pdump_region_end("parent"));
    IS(visits_of("parent"), 1);
    YES(visits_of("thread") > 0);
}

int main(int argc, char **argv)
{
    static const struct behaviour table[] = {
        { "alone", alone },     { "grandchild", grandchild },
        { "handler", handler }, { "threads", threads },
        { NULL, NULL },
    };

    return run_behaviour(argc, argv, table);
}
