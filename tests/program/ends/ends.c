/* SPDX-License-Identifier: BSD-3-Clause */
/* Records with several threads, then ends in one of the ways there are. */
#include "program/behaviour/kit.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum {
    N_THREADS = 4,
    N_VISITS = 1000,
    LONGEST = 300,  /* s */
    MOMENT = 20000, /* us */
    EXIT_CODE = 3,
};

static pthread_barrier_t all_done;
static void (*end_of_thread)(void); /* by the first thread, if any */

/* Thread i: N_VISITS * (i + 1) visits, each with two inside, one left open. */
static void record(int i)
{
    char name[16];

    snprintf(name, sizeof(name), "worker %d", i);
    pdump_thread_name(name);
    for (int n = 0; n < N_VISITS * (i + 1); n++) {
        pdump_region_begin("work");
        visit("part");
        visit("part");
        pdump_counter_add("done", 1);
        pdump_region_end("work");
    }
    pdump_region_begin("open");
    visit("part");
}

/* The last thread has ended when the process does; the others have not. */
static void *worker(void *arg)
{
    int i = (int)(intptr_t)arg;

    record(i);
    if (i == N_THREADS - 1)
        return NULL;
    pthread_barrier_wait(&all_done);
    if (i == 0 && end_of_thread)
        end_of_thread();
    for (;;)
        pause();
}

static void record_all(void)
{
    pthread_t threads[N_THREADS];

    pthread_barrier_init(&all_done, NULL, N_THREADS);
    for (int i = 0; i < N_THREADS; i++)
        YES(pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i) ==
            0);
    visit("main");
    pthread_join(threads[N_THREADS - 1], NULL);
    pthread_barrier_wait(&all_done);
}

static long long now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Prints the least and the most ns that the region can have taken. */
static void take_time(void)
{
    long long before = now_ns(), begun, ending;

    pdump_region_begin("timed");
    begun = now_ns();
    usleep(MOMENT);
    ending = now_ns();
    pdump_region_end("timed");
    printf("%lld %lld\n", ending - begun, now_ns() - before);
    fflush(stdout);
}

static void by_return(void) {}

static void by_exit(void)
{
    exit(EXIT_CODE);
}

static void by_thread(void)
{
    for (;;)
        pause();
}

static void by_quick_exit(void)
{
    quick_exit(EXIT_CODE);
}

static void by_underscore_exit(void)
{
    _exit(EXIT_CODE);
}

static void by_fault(void)
{
    *(volatile int *)(intptr_t)(n_failed * 8) = 0;
}

static void by_term(void)
{
    raise(SIGTERM);
}

static void by_kill(void)
{
    raise(SIGKILL);
}

/* The same process goes on as a program that records nothing. */
static void by_exec(void)
{
    execl("/proc/self/exe", "ends", "nothing", (char *)NULL);
}

static const struct behaviour ends[] = {
    { "return", by_return },
    { "exit", by_exit },
    { "thread", by_thread },
    { "quick_exit", by_quick_exit },
    { "_exit", by_underscore_exit },
    { "abort", abort },
    { "fault", by_fault },
    { "term", by_term },
    { "kill", by_kill },
    { "exec", by_exec },
    { NULL, NULL },
};

int main(int argc, char **argv)
{
    alarm(LONGEST);
    if (argc > 1 && strcmp(argv[1], "nothing") == 0)
        return 0;
    if (argc > 1 && strcmp(argv[1], "thread") == 0)
        end_of_thread = by_exit;
    OK(pdump_init());
    take_time();
    record_all();
    return run_behaviour(argc, argv, ends);
}
