/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shares SECONDS WAY: uses so much CPU time in functions whose shares are 50,
 * 30, 15 and 5 %.  Prints the CPU time of each thread in them, in ns.
 *
 * regions: within two regions, of which the first has two thirds
 * threads: in 8 threads, every second of which never calls libpdump
 * early: as threads, but they start before libpdump does
 * bare: without any region
 * killed: within a region, and then kill -9
 */
#include "noinline.h"

#include <pdump.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 8, SLICE = 1000000 /* ns in all four together, on average */ };

#define KEEP __asm__ volatile("" ::: "memory") /* no tail calls */

static int64_t limit; /* of each thread */
static pthread_barrier_t start;

static int64_t cpu_now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

/* Uses that much CPU time; asking for it is part of it. */
static NOINLINE void use(int64_t ns)
{
    static _Thread_local int64_t until;

    if (!until)
        until = cpu_now();
    until += ns;
    while (cpu_now() < until)
        KEEP;
}

/* Rounds differ in length.  CPU timers expire at ticks of the kernel, and equal
 * rounds that fit into a tick would be seen in the same function each time. */
static NOINLINE int64_t slice_next(void)
{
    static _Thread_local uint32_t random = 1;

    random = random * 1664525 + 1013904223;
    return SLICE / 2 + (random >> 8) % SLICE;
}

#define FUNCTION(name, share)                \
    static NOINLINE void name(int64_t slice) \
    {                                        \
        use(slice / 100 * (share));          \
        KEEP;                                \
    }

FUNCTION(half, 50)
FUNCTION(third, 30)
FUNCTION(sixth, 15)
FUNCTION(rest, 5)

static NOINLINE void all(int64_t ns)
{
    while (ns > 0) {
        int64_t slice = slice_next();

        half(slice);
        third(slice);
        sixth(slice);
        rest(slice);
        ns -= slice;
    }
}

static void tell(const char *name, int64_t from)
{
    printf("%s %lld\n", name, (long long)(cpu_now() - from));
}

static void *worker(void *data)
{
    const char *name = data;
    int64_t from = cpu_now();

    pthread_barrier_wait(&start);
    if (name)
        pdump_region_begin(name);
    all(limit);
    if (name)
        pdump_region_end(name);
    tell(name ? name : "silent", from);
    return NULL;
}

static void threads(void (*after)(void))
{
    static char names[THREADS][16];
    pthread_t id[THREADS];

    pthread_barrier_init(&start, NULL, THREADS + 1);
    limit /= THREADS;
    for (int i = 0; i < THREADS; i++) {
        snprintf(names[i], sizeof(names[i]), "thread%d", i);
        if (pthread_create(&id[i], NULL, worker, i % 2 ? NULL : names[i]) != 0)
            exit(2);
    }
    after();
    pthread_barrier_wait(&start);
    all(limit); /* so that a signal comes that looks for threads */
    for (int i = 0; i < THREADS; i++)
        pthread_join(id[i], NULL);
}

static void nothing(void) {}

static void begin(void)
{
    pdump_region_begin("main");
}

static void region(const char *name, int64_t ns)
{
    int64_t from = cpu_now();

    pdump_region_begin(name);
    all(ns);
    pdump_region_end(name);
    tell(name, from);
}

int main(int argc, char **argv)
{
    const char *way = argc > 2 ? argv[2] : "bare";

    limit = (int64_t)(atof(argc > 1 ? argv[1] : "1") * 1e9);
    if (strcmp(way, "regions") == 0) {
        region("first", limit * 2 / 3);
        region("second", limit / 3);
    } else if (strcmp(way, "killed") == 0) {
        int64_t from = cpu_now();

        begin();
        all(limit);
        tell("main", from);
        fflush(stdout);
        raise(SIGKILL);
    } else if (strcmp(way, "threads") == 0) {
        begin();
        threads(nothing);
        pdump_region_end("main");
    } else if (strcmp(way, "early") == 0) {
        threads(begin);
        pdump_region_end("main");
    } else {
        int64_t from = cpu_now();

        pdump_init();
        all(limit);
        tell("bare", from);
    }
    return 0;
}
