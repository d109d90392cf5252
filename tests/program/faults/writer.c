/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that says the same and ends with the same code, whatever happens
 * to its measurement: `writer CASE`. */
#include "program/behaviour/kit.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CODE = 7, LONGEST = 300, N_THREADS = 2, N_NAMES = 10, N_VISITS = 20 };

/* 2 threads, 10 regions each, 20 visits each. */
static void *record(void *unused)
{
    char name[32];

    for (int i = 0; i < N_NAMES * N_VISITS; i++) {
        snprintf(name, sizeof(name), "region %d", i % N_NAMES);
        visit(name);
    }
    return unused;
}

static void record_all(void)
{
    pthread_t threads[N_THREADS];

    for (int i = 0; i < N_THREADS; i++)
        YES(pthread_create(&threads[i], NULL, record, NULL) == 0);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void small(void)
{
    puts("begin");
    record_all();
    puts("end");
}

/* Files are written several times. */
static void flushing(void)
{
    puts("begin");
    pdump_init();
    for (int i = 0; i < 3; i++)
        pdump_flush();
    record_all();
    pdump_flush();
    puts("end");
}

/* More than a store of a megabyte has room for. */
static void fill(void)
{
    char name[64];

    for (int i = 0; i < 6000; i++) {
        snprintf(name, sizeof(name), "a region with a long name: number %d", i);
        visit(name);
    }
}

static void large(void)
{
    puts("begin");
    fill();
    puts("end");
}

static void killed(void)
{
    puts("begin");
    puts("end");
    fflush(stdout);
    fill();
    kill(getpid(), SIGKILL);
    pause();
}

/* A child that needs more room than the store has. */
static void large_child(void)
{
    pid_t child;

    puts("begin");
    fflush(stdout);
    visit("parent");
    child = fork();
    if (child == 0) {
        fill();
        exit(0);
    }
    YES(waitpid(child, NULL, 0) == child);
    puts("end");
}

/* Many at once: all begin to end when the file "go" is there. */
static void together(void)
{
    small();
    for (int i = 0; access("go", F_OK) != 0 && i < LONGEST * 100; i++)
        usleep(10000);
}

int main(int argc, char **argv)
{
    static const struct behaviour table[] = {
        { "small", small },   { "flushing", flushing },
        { "large", large },   { "large_child", large_child },
        { "killed", killed }, { "together", together },
        { NULL, NULL },
    };

    alarm(LONGEST);
    return run_behaviour(argc, argv, table) == 0 ? CODE : 1;
}
