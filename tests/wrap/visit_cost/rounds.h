/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what something costs, by alternating rounds with and without it.
 * Other programs make both longer, so the shortest rounds count; those of both
 * halves are printed, because they agree if the machine was quiet enough. */
#ifndef ROUNDS_H
#define ROUNDS_H

#include <stdio.h>
#include <time.h>

enum { ROUNDS = 80, CALLS = 3000 };

#define PLAIN __attribute__((noinline, no_instrument_function))

static PLAIN double took(void (*calls)(int n))
{
    struct timespec begin, end;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    calls(CALLS);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return ((double)(end.tv_sec - begin.tv_sec) * 1e9 +
            (double)(end.tv_nsec - begin.tv_nsec)) /
           CALLS;
}

/* Prints the cost in ns of one call by each half of the rounds. */
static PLAIN void print_cost(void (*with)(int n), void (*without)(int n))
{
    double most = 1e12, a[2] = { most, most }, b[2] = { most, most };

    with(CALLS);
    without(CALLS);
    for (int i = 0; i < ROUNDS; i++) {
        double x = took(with), y = took(without);

        if (x < a[i % 2])
            a[i % 2] = x;
        if (y < b[i % 2])
            b[i % 2] = y;
    }
    printf("%.2f %.2f\n", a[0] - b[0], a[1] - b[1]);
}

#endif
