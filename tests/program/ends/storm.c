/* SPDX-License-Identifier: BSD-3-Clause */
/* storm CASE: handlers, threads and ends that come at the worst moment. */
#include "program/behaviour/kit.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    TICK = 50, /* us */
    N_TICKS = 2000,
    N_ROUNDS = 30,
    N_THREADS = 4,
    EXIT_CODE = 4,
};

static _Atomic long n_ticks, n_taken, n_dropped;
static volatile sig_atomic_t last_tick = N_TICKS;

static void start_timer(void (*handler)(int))
{
    struct itimerval every = { { 0, TICK }, { 0, TICK } };
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };

    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
}

static void stop_timer(void)
{
    struct itimerval never = { { 0, 0 }, { 0, 0 } };

    setitimer(ITIMER_REAL, &never, NULL);
}

/* What is begun can be ended; what cannot be begun is counted. */
static void on_tick(int unused)
{
    (void)unused;
    n_ticks++;
    if (pdump_region_begin("tick") == PDUMP_OK) {
        n_taken++;
        OK(pdump_counter_add("ticks", 1));
        OK(pdump_region_end("tick"));
    } else {
        n_dropped++;
    }
}

static pthread_barrier_t at_once;

/* Handlers come while the thread is known to the library: what they are
 * refused before and after that is counted nowhere. */
static void *work(void *arg)
{
    sigset_t ticks;
    long n = 0;

    pdump_thread_name(arg ? arg : "main");
    OK(pdump_region_begin("outer"));
    pthread_barrier_wait(&at_once);
    if (!arg)
        start_timer(on_tick);
    for (; n_ticks < last_tick; n++) {
        OK(pdump_region_begin("work"));
        visit("part");
        OK(pdump_counter_add("done", 1));
        OK(pdump_region_end("work"));
    }
    OK(pdump_region_end("outer"));
    sigemptyset(&ticks);
    sigaddset(&ticks, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &ticks, NULL);
    return (void *)(intptr_t)n;
}

/* Prints what must be in the dump. */
static void handlers(void)
{
    pthread_t other;
    void *n_other;
    long n;

    OK(pdump_init());
    pthread_barrier_init(&at_once, NULL, 2);
    YES(pthread_create(&other, NULL, work, "other") == 0);
    n = (long)(intptr_t)work(NULL);
    pthread_join(other, &n_other);
    stop_timer();
    printf("%ld %ld %ld %ld\n", n, (long)(intptr_t)n_other, n_taken, n_dropped);
    YES(n_taken + n_dropped == n_ticks);
}

static void leave(int unused)
{
    (void)unused;
    if (++n_ticks == last_tick)
        exit(EXIT_CODE);
}

/* exit() in a handler that came upon begin or end. */
static void exit_in_region(void)
{
    last_tick = 20;
    visit("work");
    start_timer(leave);
    for (;;)
        visit("work");
}

/* The same upon a dump that is being written. */
static void exit_in_flush(void)
{
    last_tick = 40;
    visit("work");
    start_timer(leave);
    for (;;)
        pdump_flush();
}

static void *finalize(void *unused)
{
    (void)unused;
    visit("work");
    pthread_barrier_wait(&at_once);
    return (void *)(intptr_t)pdump_finalize();
}

/* One of them ends the session, the other hears that it has ended. */
static void two_ends(void)
{
    pthread_barrier_init(&at_once, NULL, 2);
    for (int i = 0; i < N_ROUNDS; i++) {
        pthread_t other;
        void *theirs;
        int ours;

        OK(pdump_init());
        YES(pthread_create(&other, NULL, finalize, NULL) == 0);
        ours = (int)(intptr_t)finalize(NULL);
        pthread_join(other, &theirs);
        IS(ours + (int)(intptr_t)theirs, PDUMP_OK + PDUMP_ESTATE);
        YES(!pdump_is_active());
    }
}

static _Atomic int is_over;

static void *short_life(void *unused)
{
    visit("short");
    return unused;
}

static void *start_threads(void *unused)
{
    while (!is_over) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, short_life, NULL) == 0)
            pthread_join(thread, NULL);
    }
    return unused;
}

/* Threads begin, record and end while sessions do. */
static void ending_threads(void)
{
    pthread_t threads[N_THREADS];

    OK(pdump_init());
    for (int i = 0; i < N_THREADS; i++)
        YES(pthread_create(&threads[i], NULL, start_threads, NULL) == 0);
    for (int i = 0; i < N_ROUNDS; i++) {
        OK(pdump_init());
        visit("main");
        usleep(1000);
        OK(pdump_finalize());
    }
    is_over = 1;
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
}

static const struct behaviour cases[] = {
    { "handlers", handlers },
    { "exit_in_region", exit_in_region },
    { "exit_in_flush", exit_in_flush },
    { "two_ends", two_ends },
    { "ending_threads", ending_threads },
    { NULL, NULL },
};

int main(int argc, char **argv)
{
    return run_behaviour(argc, argv, cases);
}
