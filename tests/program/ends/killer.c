/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * killer MICROSECONDS pipe|memory|steady: starts a process that records with
 * several threads, kills it after that time, and prints how many visits each of
 * its threads had completed by then, as they told through a pipe or shared
 * memory.
 *
 * A pipe is what cannot lie; with memory the process does little but record,
 * so that the kill meets it in the middle of that.  "steady" is the latter with
 * a clock that takes one step whenever it is read: every visit is as long as
 * the others, so that figures that are not of one moment are found out.
 */
#include <pdump.h>

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N_THREADS = 4, VISITS_PER_NAME = 256, STEP_NS = 1000 };

/* Per thread, each in a cache line of its own; shared with the process. */
static struct {
    _Alignas(64) _Atomic long n;
} * completed;
static int to_killer = -1; /* the pipe, if that is the way */

static _Atomic int is_steady;

/* In place of the C library's, also for the library under test. */
int clock_gettime(clockid_t id, struct timespec *out)
{
    static __thread long steps;

    if (!is_steady || id != CLOCK_MONOTONIC)
        return (int)syscall(SYS_clock_gettime, id, out);
    steps++;
    out->tv_sec = 1000000 + steps / (1000000000 / STEP_NS);
    out->tv_nsec = steps % (1000000000 / STEP_NS) * STEP_NS;
    return 0;
}

static void report(int i)
{
    char who = (char)i;

    if (to_killer < 0)
        atomic_store_explicit(&completed[i].n, completed[i].n + 1,
                              memory_order_release);
    else if (write(to_killer, &who, 1) != 1)
        _exit(1);
}

/* New names all the time: the store grows while it is killed. */
static void *record(void *arg)
{
    int i = (int)(intptr_t)arg;
    char name[32];

    snprintf(name, sizeof(name), "worker %d", i);
    pdump_thread_name(name);
    pdump_region_begin("outer");
    for (long n = 0;; n++) {
        if (n % VISITS_PER_NAME == 0)
            snprintf(name, sizeof(name), "fresh %ld", n / VISITS_PER_NAME);
        pdump_region_begin("visit");
        pdump_region_begin(name);
        pdump_region_end(name);
        pdump_counter_add("n", 1);
        pdump_region_end("visit");
        report(i);
    }
    return NULL;
}

static void live(const char *way)
{
    pthread_t thread;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (strcmp(way, "steady") == 0) {
        pdump_set("PDUMP_CLOCK", "monotonic");
        pdump_init(); /* waits for the clock */
        is_steady = 1;
    }
    for (int i = 1; i < N_THREADS; i++)
        if (pthread_create(&thread, NULL, record, (void *)(intptr_t)i) != 0)
            _exit(1);
    record(NULL);
}

static long now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* What the pipe has now; false when it will never have more. */
static int take(int from)
{
    char who[4096];
    ssize_t n = read(from, who, sizeof(who));

    for (ssize_t k = 0; k < n; k++)
        atomic_fetch_add(&completed[(int)who[k]].n, 1);
    return n > 0;
}

static void listen_until(long end, int from)
{
    struct pollfd pipe_end = { .fd = from, .events = POLLIN };

    for (long left; (left = end - now_us()) > 0;) {
        struct timespec wait = { left / 1000000, left % 1000000 * 1000 };

        if (ppoll(&pipe_end, 1, &wait, NULL) > 0 && !take(from))
            return;
    }
}

int main(int argc, char **argv)
{
    long end = now_us() + (argc > 1 ? atol(argv[1]) : 0);
    int ends[2], status;
    pid_t child;

    completed = mmap(NULL, N_THREADS * sizeof(*completed),
                     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (argc != 3 || completed == MAP_FAILED || pipe(ends) != 0)
        return 99;
    child = fork();
    if (child == 0) {
        close(ends[0]);
        if (strcmp(argv[2], "pipe") == 0)
            to_killer = ends[1];
        live(argv[2]);
    }
    close(ends[1]);
    listen_until(end, ends[0]);
    kill(child, SIGKILL);
    while (take(ends[0]))
        ;
    if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status))
        return 98;
    for (int i = 0; i < N_THREADS; i++)
        printf("worker %d,%ld\n", i, completed[i].n);
    return 0;
}
