/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs whose figures are known: how long, and how much of it on a CPU. */
#include <pdump.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 2 };

/* What a thread has used of a CPU before the program ends, at least. */
#define USED_NS INT64_C(100000000)

static sem_t is_ready;

/* True if the CPU clock is a fake, by which a reading takes READING_NS, and
 * nothing else takes time. */
static bool is_fake;
enum { READING_NS = 500 };

/* In place of the C library's, also for the library under test. */
int clock_gettime(clockid_t id, struct timespec *out)
{
    static __thread long n;

    if (!is_fake || id != CLOCK_THREAD_CPUTIME_ID)
        return (int)syscall(SYS_clock_gettime, id, out);
    n++;
    out->tv_sec = n / (1000000000 / READING_NS);
    out->tv_nsec = n % (1000000000 / READING_NS) * READING_NS;
    return 0;
}

static int64_t cpu_time(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

/* Never ends; has regions inside, as other programs do. */
static void *spin(void *unused)
{
    int64_t start;
    volatile double x = 1;

    pdump_region_begin("spin");
    pdump_region_begin("part");
    pdump_region_end("part");
    start = cpu_time();
    while (cpu_time() < start + USED_NS)
        continue;
    sem_post(&is_ready);
    for (;;)
        x = x * 1.0000001;
    return unused;
}

/* It ends while its threads go on. */
static int alive(const char *how)
{
    pthread_t thread;

    sem_init(&is_ready, 0, 0);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread, NULL, spin, NULL) != 0)
            return 1;
    for (int i = 0; i < THREADS; i++)
        sem_wait(&is_ready);
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    return 0;
}

/* Very short regions, alone and in each other. */
static int brief(int n)
{
    pdump_region_begin("all");
    for (int i = 0; i < n; i++) {
        pdump_region_begin("empty");
        pdump_region_end("empty");
        pdump_region_begin("outer");
        pdump_region_begin("inner");
        pdump_region_end("inner");
        pdump_region_end("outer");
    }
    pdump_region_end("all");
    return 0;
}

/* Regions that do nothing: prints 0. */
static int empty(int n)
{
    for (int i = 0; i < n; i++) {
        pdump_region_begin("empty");
        pdump_region_end("empty");
    }
    puts("0");
    return 0;
}

/* Regions that use a CPU for a while: prints for how long, as their own clock
 * says. */
static int used(int n)
{
    int64_t sum = 0;

    for (int i = 0; i < n; i++) {
        int64_t start, end;

        pdump_region_begin("used");
        start = end = cpu_time();
        while (end < start + 5000)
            end = cpu_time();
        pdump_region_end("used");
        sum += end - start;
    }
    printf("%lld\n", (long long)sum);
    return 0;
}

/* Many short calls of the C library, in a region and without. */
static int calls(int n)
{
    char byte = 'x';
    FILE *f = fopen("/dev/null", "w");

    if (!f)
        return 1;
    pdump_region_begin("write");
    for (int i = 0; i < n; i++)
        fwrite(&byte, 1, 1, f);
    pdump_region_end("write");
    return fclose(f) != 0;
}

int main(int argc, char **argv)
{
    is_fake = argc == 3 &&
              (strcmp(argv[1], "empty") == 0 || strcmp(argv[1], "used") == 0);
    if (argc == 3 && strcmp(argv[1], "alive") == 0)
        return alive(argv[2]);
    if (argc == 3 && strcmp(argv[1], "brief") == 0)
        return brief(atoi(argv[2]));
    if (argc == 3 && strcmp(argv[1], "empty") == 0)
        return empty(atoi(argv[2]));
    if (argc == 3 && strcmp(argv[1], "used") == 0)
        return used(atoi(argv[2]));
    if (argc == 3 && strcmp(argv[1], "calls") == 0)
        return calls(atoi(argv[2]));
    return 95;
}
