/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deep ROUNDS: a fixed amount of work, 30 frames below main(), with libpdump.
 * Prints the seconds of CPU time that the work took, without the dump.
 */
#include <pdump.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DEPTH = 30, STEPS = 1000 };

static volatile unsigned sink;

__attribute__((noinline, noclone)) static void descend(int depth)
{
    if (depth > 0)
        descend(depth - 1);
    else
        for (unsigned i = 0; i < STEPS; i++)
            sink += i;
    __asm__ volatile("" ::: "memory"); /* no tail call */
}

static double cpu(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 1000000;
    double begin;

    pdump_init();
    begin = cpu();
    for (long i = 0; i < rounds; i++)
        descend(DEPTH);
    printf("%.6f\n", cpu() - begin);
    return 0;
}
