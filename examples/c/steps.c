/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time steps: each recorded step is a row of perf_dump.samples.csv.  Here only
 * every hundredth is; what happens in the others costs next to nothing.
 */
#include <pdump.h>

#include <math.h>
#include <stdio.h>

enum { N_STEPS = 1000 };

/* A pendulum, one period in some 600 steps. */
static void advance(double *angle, double *speed)
{
    pdump_region_begin("advance");
    *speed -= 0.01 * sin(*angle);
    *angle += 0.01 * *speed;
    pdump_region_end("advance");
}

int main(void)
{
    struct pdump_stats stats = { .size = sizeof(stats) };
    double angle = 0.5, speed = 0;

    pdump_set("PDUMP_DUMP_STEPS", "0,100,200,300,400,500,600,700,800,900");
    for (int step = 0; step < N_STEPS; step++) {
        pdump_start_step();
        advance(&angle, &speed);
        pdump_end_step();
    }

    if (pdump_query("step", "time", &stats) < 0) {
        fprintf(stderr, "step: %s\n", pdump_last_error());
        return 1;
    }
    printf("angle %.4f after %d steps, %lld of them recorded\n", angle, N_STEPS,
           (long long)stats.visits);
    return 0;
}
