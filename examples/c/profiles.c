/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions with profiles: the metrics count only inside a profile, and every
 * profile is kept on its own (perf_dump.samples.csv); the region has the sum.
 */
#include <pdump.h>

#include <stdio.h>
#include <stdlib.h>

enum { N = 100000, ROUNDS = 5 };

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

int main(void)
{
    static int data[N];
    struct pdump_stats stats = { .size = sizeof(stats) };

    pdump_start_region("sort");
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++) /* not counted */
            data[i] = rand();
        pdump_start_profile();
        qsort(data, N, sizeof(data[0]), by_value);
        pdump_end_profile();
    }
    pdump_end_region();

    if (pdump_query("sort", "time", &stats) < 0) {
        fprintf(stderr, "sort: %s\n", pdump_last_error());
        return 1;
    }
    printf("sorted %d numbers %lld times: %.1f ms each, %.1f to %.1f\n", N,
           (long long)stats.visits, stats.mean / 1e6, (double)stats.min / 1e6,
           (double)stats.max / 1e6);
    return 0;
}
