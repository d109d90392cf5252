/* SPDX-License-Identifier: BSD-3-Clause */
/* PAPI without us: the reads that nobody can avoid, and its own regions. */
#include "work.h"

#include <papi.h>

#include <stdlib.h>

static int set = PAPI_NULL;

static const char *start_reads(void)
{
    int err = PAPI_library_init(PAPI_VER_CURRENT);

    if (err != PAPI_VER_CURRENT)
        return err < 0 ? PAPI_strerror(err) : "another version of PAPI";
    err = PAPI_create_eventset(&set);
    if (err == PAPI_OK)
        err = PAPI_add_named_event(set, WORK_EVENT_1);
    if (err == PAPI_OK)
        err = PAPI_add_named_event(set, WORK_EVENT_2);
    if (err == PAPI_OK)
        err = PAPI_start(set);
    return err == PAPI_OK ? NULL : PAPI_strerror(err);
}

static int64_t run_reads(long n)
{
    int64_t start = work_now();
    long long before[2], after[2];

    for (long i = 0; i < n; i++) {
        PAPI_read(set, before);
        PAPI_read(set, after);
    }
    return work_now() - start;
}

static const char *start_high_level(void)
{
    int err;

    setenv("PAPI_EVENTS", WORK_EVENTS, 1);
    err = PAPI_hl_region_begin("work");
    if (err == PAPI_OK)
        err = PAPI_hl_region_end("work");
    return err == PAPI_OK ? NULL : PAPI_strerror(err);
}

static int64_t run_high_level(long n)
{
    int64_t start = work_now();

    for (long i = 0; i < n; i++) {
        PAPI_hl_region_begin("work");
        PAPI_hl_region_end("work");
    }
    return work_now() - start;
}

const struct work work_papi_reads = { start_reads, run_reads, 0 };
const struct work work_papi_high_level = { start_high_level, run_high_level,
                                           0 };
