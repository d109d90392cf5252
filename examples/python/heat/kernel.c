/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel of heat.py, for ctypes, with regions of its own: they appear
 * inside of the region that Python is in. */
#include <pdump.h>
#include <stdint.h>

void heat_sweep(int n, int first, int rows, double r, const double *old,
                double *now);

/* One step in time of a triangle's rows: row y has the cells 1 to y - 1.  `old`
 * and `now` have rows + 2 rows of n + 1 values, the first and last of which
 * belong to other ranks. */
void heat_sweep(int n, int first, int rows, double r, const double *old,
                double *now)
{
    int64_t cells = 0;

    pdump_region_begin("stencil");
    for (int y = 1; y <= rows; y++) {
        const double *here = old + (int64_t)y * (n + 1);
        const double *above = here - (n + 1), *below = here + (n + 1);
        double *out = now + (int64_t)y * (n + 1);
        int end = first + y - 1;

        for (int x = 1; x < end; x++)
            out[x] = here[x] + r * (here[x - 1] + here[x + 1] + above[x] +
                                    below[x] - 4 * here[x]);
        cells += end - 1;
    }
    pdump_counter_add("cells", cells);
    pdump_region_end("stencil");
}
