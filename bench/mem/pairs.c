/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates and frees 100 blocks over and over, in ns per pair: the least of
 * some rounds, the first of which start whatever has been preloaded. */
#include <pdump.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 40, TURNS = 100, BLOCKS = 100 };

static double now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static void turn(void)
{
    static void *volatile blocks[BLOCKS];

    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = malloc((size_t)(16 + i * 8));
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
}

int main(void)
{
    double least = 1e9;

    pdump_region_begin("pairs");
    for (int round = 0; round < ROUNDS; round++) {
        double start = now(), each;

        for (int i = 0; i < TURNS; i++)
            turn();
        each = (now() - start) / TURNS / BLOCKS;
        least = each < least ? each : least;
    }
    pdump_region_end("pairs");
    printf("%.1f\n", least);
    return 0;
}
