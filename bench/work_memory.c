/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a region that counts time and one event. */
#include "work.h"

#include <pdump.h>

#include <stdio.h>
#include <unistd.h>

enum { REGIONS = 100000 };

static const char *start_memory(void)
{
    const char *why = work_start_session("pdump::minor_faults", 2);

    return why ? why : work_make_names(REGIONS);
}

/* Resident memory in bytes, all of it: the library's tables are in the heap,
 * its records in mappings of their own. */
static int64_t resident(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long long pages = 0;

    if (!f)
        return 0;
    if (fscanf(f, "%*d %lld", &pages) != 1)
        pages = 0;
    fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

static int64_t run_memory(long n)
{
    int64_t before = resident();

    for (long i = 0; i < n; i++) {
        pdump_region_begin(work_names[i]);
        pdump_region_end(work_names[i]);
    }
    return resident() - before;
}

const struct work work_memory = { start_memory, run_memory, REGIONS };
