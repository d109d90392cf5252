/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that leave a store behind, or are looked at while they run. */
#include "kit.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST = 300, N_VISITS = 10, TICK = 10000, NAP = 200000 /* us */ };

static _Atomic int is_over;

static void on_term(int number)
{
    (void)number;
    is_over = 1;
}

static void record(const char *outer)
{
    pdump_region_begin(outer);
    for (int i = 0; i < N_VISITS; i++)
        visit("solve");
}

static void die(void)
{
    kill(getpid(), SIGKILL);
    pause();
}

static void killed(void)
{
    record("main");
    die();
}

static long long now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Prints what a region has lasted at least and at most. */
static void timed(void)
{
    long long before = now(), begun, ended;

    pdump_region_begin("nap");
    begun = now();
    usleep(NAP);
    ended = now();
    pdump_region_end("nap");
    printf("%lld %lld\n", ended - begun, now() - before);
    fflush(stdout);
    die();
}

static void signalled(void)
{
    record("main");
    raise(SIGTERM);
}

/* A child that ended, one that was killed, and then the first process. */
static void family(void)
{
    record("main");
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();

        if (child == 0) {
            record("child");
            if (i == 0)
                _exit(0);
            die();
        }
        YES(waitpid(child, NULL, 0) == child);
    }
    die();
}

static void *tick(void *unused)
{
    while (!is_over) {
        pdump_region_begin("tick");
        pdump_counter_add("ticks", 1);
        pdump_region_end("tick");
        usleep(TICK);
    }
    return unused;
}

/* Says when it has begun; until SIGTERM one thread is in "busy", which never
 * ends, and another visits "tick" about a hundred times a second, which counts
 * its visits. */
static void live(void)
{
    pthread_t other;

    signal(SIGTERM, on_term);
    pdump_region_begin("busy");
    YES(pthread_create(&other, NULL, tick, NULL) == 0);
    puts("ready");
    fflush(stdout);
    while (!is_over)
        usleep(TICK);
    pthread_join(other, NULL);
    pdump_region_end("busy");
}

/* As live(), with a child that does the same. */
static void live_family(void)
{
    pid_t child;

    visit("before");
    child = fork();
    live();
    if (child > 0) {
        kill(child, SIGTERM);
        YES(waitpid(child, NULL, 0) == child);
    }
}

static const struct behaviour behaviours[] = {
    { "killed", killed }, { "timed", timed }, { "signalled", signalled },
    { "family", family }, { "live", live },   { "live_family", live_family },
    { NULL, NULL },
};

int main(int argc, char **argv)
{
    alarm(LONGEST); /* nobody waits for us for ever */
    return run_behaviour(argc, argv, behaviours);
}
