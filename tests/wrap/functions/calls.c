/* SPDX-License-Identifier: BSD-3-Clause */
/* A program built with -finstrument-functions: calls that end in every way. */
#include <pdump.h>

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline))

int twin_one(int x);
int twin_two(int x);

static _Atomic int sink;

static APART void leaf(void)
{
    sink++;
}

static inline void small(void)
{
    sink++;
}

static APART int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static APART void middle(int n)
{
    for (int i = 0; i < n; i++) {
        leaf();
        small();
    }
}

static int plain(void)
{
    middle(3);
    middle(4);
    fibonacci(3);
    sink = twin_one(1) + twin_two(1);
    return 0;
}

static APART void other(void)
{
    leaf();
    leaf();
}

/* At one depth: the same again, another one, a region, another caller's. */
static int in_turn(void)
{
    for (int i = 0; i < 3; i++) {
        leaf();
        leaf();
        small();
        leaf();
        pdump_region_begin("region");
        pdump_region_end("region");
        leaf();
        middle(1);
        other();
    }
    return 0;
}

static APART void r(int depth)
{
    if (depth > 1)
        r(depth - 1);
    sink++;
}

/* 10 000 levels and the two below them, all of them visited once. */
static int deep(void)
{
    struct pdump_dump *dump;
    int n;

    r(10000);
    if (pdump_snapshot(&dump) < 0)
        return 1;
    n = (int)pdump_dump_n_rows(dump);
    pdump_dump_free(dump);
    return n != 10002;
}

static int too_deep(void)
{
    r(100);
    r(3);
    leaf();
    return 0;
}

static jmp_buf target;

static APART void thrower(int depth)
{
    char room[64];

    memset(room, depth, sizeof(room));
    sink += room[depth];
    if (depth == 0)
        longjmp(target, 1);
    if (sink >= 0) /* always, but the compiler need not know */
        thrower(depth - 1);
}

static APART void catcher(int depth)
{
    if (setjmp(target) == 0)
        thrower(depth);
}

static int jump(void)
{
    for (int i = 0; i < 10; i++) {
        catcher(5);
        leaf();
    }
    return 0;
}

/* The inner ones of the same function are left, the outer one ends. */
static APART void again(int depth)
{
    if (depth == 0)
        longjmp(target, 1);
    if (depth == 3 && setjmp(target))
        return;
    again(depth - 1);
}

static int jump_recursive(void)
{
    for (int i = 0; i < 10; i++) {
        again(3);
        leaf();
    }
    return 0;
}

static APART void grow(int n)
{
    char *room = alloca((size_t)n);

    memset(room, 1, (size_t)n);
    sink += room[n - 1];
    leaf();
}

static int stack(void)
{
    for (int i = 1; i <= 10; i++)
        grow(i * 1000);
    leaf();
    return 0;
}

static void *work(void *arg)
{
    for (int i = 0; i < 1000; i++)
        leaf();
    return arg;
}

static int threads(void)
{
    pthread_t thread[4];

    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    return 0;
}

static APART void switched(void)
{
    pdump_disable_recording();
    leaf();
}

static APART void switched_back(void)
{
    leaf();
    pdump_enable_recording();
}

static int off(void)
{
    leaf();
    switched();
    leaf();
    switched_back();
    leaf();
    return 0;
}

static APART void starter(void)
{
    pdump_region_begin("region");
}

static APART void stopper(void)
{
    pdump_region_end("region");
}

/* A region that one function begins and another one ends. */
static int regions(void)
{
    for (int i = 0; i < 5; i++) {
        starter();
        leaf();
        stopper();
    }
    leaf();
    return pdump_region_end(NULL) != PDUMP_ESTATE;
}

static void on_signal(int number)
{
    (void)number;
    leaf();
}

/* On a stack of its own, which is between those of two functions. */
static int signals(void)
{
    static char room[1 << 16];
    stack_t other = { .ss_sp = room, .ss_size = sizeof(room) };
    struct sigaction action = { .sa_handler = on_signal,
                                .sa_flags = SA_ONSTACK };

    sigaltstack(&other, NULL);
    sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < 10; i++) {
        raise(SIGUSR1);
        leaf();
    }
    return 0;
}

static int forks(void)
{
    pid_t child = fork();

    leaf();
    if (child == 0)
        return 0; /* through functions that the parent entered */
    waitpid(child, NULL, 0);
    leaf();
    return 0;
}

static APART void last(void)
{
    exit(3);
}

static int ends(void)
{
    leaf();
    last();
    return 0;
}

static int killed(void)
{
    leaf();
    raise(SIGKILL);
    return 0;
}

static APART int fails(void)
{
    errno = ENOTTY;
    return -1;
}

static int errors(void)
{
    return fails() != -1 || errno != ENOTTY;
}

static int sessions(void)
{
    leaf();
    pdump_finalize();
    leaf();
    pdump_init();
    leaf();
    leaf();
    return 0;
}

/* Two libraries at the same address, as a rule: each is unloaded before the
 * next one is loaded. */
static int libraries(const char *first, const char *second)
{
    for (int i = 0; i < 6; i++) {
        void *so = dlopen(i % 2 ? second : first, RTLD_NOW);
        void (*call)(void);
        void *found = so ? dlsym(so, "library_call") : NULL;

        if (!found) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        memcpy(&call, &found, sizeof(call));
        call();
        dlclose(so);
    }
    return 0;
}

static int tiny(void)
{
    for (int i = 0; i < 1000; i++)
        leaf();
    usleep(1000);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } modes[] = {
        { "plain", plain },       { "in_turn", in_turn },
        { "deep", deep },         { "too_deep", too_deep },
        { "jump", jump },         { "jump_recursive", jump_recursive },
        { "stack", stack },       { "threads", threads },
        { "off", off },           { "regions", regions },
        { "signals", signals },   { "forks", forks },
        { "ends", ends },         { "errors", errors },
        { "sessions", sessions }, { "tiny", tiny },
        { "killed", killed },
    };

    if (argc == 4 && strcmp(argv[1], "libraries") == 0)
        return libraries(argv[2], argv[3]);
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
        if (argc == 2 && strcmp(argv[1], modes[i].name) == 0)
            return modes[i].run();
    return 99;
}
