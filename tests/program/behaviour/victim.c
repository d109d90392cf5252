/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that must not be harmed: prints, ignores all errors, exits 7. */
#include "kit.h"

#include <pthread.h>
#include <unistd.h>

enum { EXIT_CODE = 7 };

static int is_measured;

static void begin(const char *name)
{
    if (is_measured)
        pdump_region_begin(name);
}

static void end(const char *name)
{
    if (is_measured)
        pdump_region_end(name);
}

static double solve(int n)
{
    double sum = 0;

    begin("solve");
    for (int i = 1; i <= n; i++)
        sum += 1.0 / i;
    end("solve");
    return sum;
}

static void *thread(void *unused)
{
    begin("thread");
    solve(10);
    end("thread");
    return unused;
}

/* Buffered and unbuffered output, with a line left unfinished for exit(). */
int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "measured";
    pthread_t other;

    if (strcmp(mode, "sanitized") == 0)
        return !IS_SANITIZED;
    if (strcmp(mode, "thread_sanitized") == 0)
        return !IS_THREAD_SANITIZED;
    is_measured = strcmp(mode, "plain") != 0;
    if (is_measured && strcmp(mode, "init") == 0)
        pdump_init();
    begin("main");
    printf("%s", "first line\n");
    fflush(stdout);
    if (write(STDOUT_FILENO, "raw\n", 4) != 4)
        return 1;
    for (int i = 0; i < 100; i++)
        printf("%d %.10f\n", i, solve(i));
    if (pthread_create(&other, NULL, thread, NULL) == 0)
        pthread_join(other, NULL);
    if (is_measured) {
        pdump_counter_add("lines", 101);
        pdump_region_end("never begun");
        pdump_flush();
    }
    printf("unfinished");
    end("main");
    return EXIT_CODE;
}
