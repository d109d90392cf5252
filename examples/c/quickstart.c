/* SPDX-License-Identifier: BSD-3-Clause */
/* The least: name a part of the program, run, read perf_dump.csv. */
#include <pdump.h>

#include <stdio.h>

int main(void)
{
    double sum = 0;

    pdump_region_begin("sum");
    for (int i = 1; i <= 1000000; i++)
        sum += 1.0 / i;
    pdump_region_end("sum");

    printf("sum %f; now try: pdump report perf_dump.csv\n", sum);
    return 0;
}
