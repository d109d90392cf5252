/* SPDX-License-Identifier: BSD-3-Clause */
/* Region pairs through the public interface, as a program has them. */
#include "work.h"

#include <pdump.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char name[] = "work";
static int number;

char (*work_names)[WORK_NAME_SIZE];
static long n_names;
static long next_name, stride = 1;

const char *work_make_names(long n)
{
    work_names = malloc((size_t)n * sizeof(*work_names));
    if (!work_names)
        return "out of memory";
    for (long i = 0; i < n; i++)
        snprintf(work_names[i], sizeof(*work_names), "region_%06ld",
                 i % 1000000);
    n_names = n;
    return NULL;
}

/* How many metrics are counted now, or a pdump_error. */
static int count_metrics(void)
{
    struct pdump_dump *dump;
    int n = pdump_snapshot(&dump);

    if (n < 0)
        return n;
    n = pdump_dump_n_metrics(dump);
    pdump_dump_free(dump);
    return n;
}

const char *work_start_session(const char *events, int n_metrics)
{
    struct pdump_stats stats = { .size = sizeof(stats) };
    int n;

    setenv("PDUMP_EVENTS", events, 1);
    if (pdump_init() < 0)
        return pdump_last_error();
    work_run_name(1);
    n = count_metrics();
    if (n < 0 || pdump_query(name, NULL, &stats) < 0)
        return pdump_last_error();
    if (stats.visits != 1)
        return "regions are not recorded";
    return n == n_metrics ? NULL : "not all events can be counted here";
}

int64_t work_run_name(long n)
{
    int64_t start = work_now();

    for (long i = 0; i < n; i++) {
        pdump_region_begin(name);
        pdump_region_end(name);
    }
    return work_now() - start;
}

static const char *start_time(void)
{
    return work_start_session("none", 1);
}

static const char *start_number(void)
{
    const char *why = work_start_session("none", 1);

    number = pdump_region_id("numbered", __FILE__, __LINE__);
    if (!why && number <= 0)
        why = pdump_last_error();
    return why;
}

static int64_t run_number(long n)
{
    int64_t start = work_now();

    for (long i = 0; i < n; i++) {
        pdump_region_enter(number);
        pdump_region_leave(number);
    }
    return work_now() - start;
}

static int64_t run_names(long n)
{
    int64_t start = work_now();
    long at = next_name;

    for (long i = 0; i < n; i++) {
        pdump_region_begin(work_names[at]);
        pdump_region_end(work_names[at]);
        at += stride;
        if (at >= n_names)
            at -= n_names;
    }
    next_name = at;
    return work_now() - start;
}

static int64_t run_copied(long n)
{
    int64_t start = work_now();
    long at = next_name;
    char buffer[WORK_NAME_SIZE];

    for (long i = 0; i < n; i++) {
        memcpy(buffer, work_names[at], sizeof(buffer));
        pdump_region_begin(buffer);
        pdump_region_end(buffer);
        at += stride;
        if (at >= n_names)
            at -= n_names;
    }
    next_name = at;
    return work_now() - start;
}

/* With the first visit of every name, which is not what is measured. */
static const char *start_names(long n)
{
    const char *why = work_start_session("none", 1);

    if (!why)
        why = work_make_names(n);
    if (!why)
        run_names(2 * n);
    return why;
}

static const char *start_1000(void)
{
    return start_names(1000);
}

static const char *start_100000(void)
{
    return start_names(100000);
}

/* In an order that no cache foresees. */
static const char *start_scattered(void)
{
    const char *why = start_names(100000);

    stride = 61803; /* has no factor in common with their number */
    return why;
}

static const char *start_events(void)
{
    return work_start_session(WORK_EVENTS, 3);
}

static const char *start_rusage(void)
{
    return work_start_session("perf::PAGE-FAULTS,perf::CONTEXT-SWITCHES", 3);
}

static const char *start_off(void)
{
    const char *why = work_start_session("none", 1);

    if (!why && pdump_disable_recording() < 0)
        why = pdump_last_error();
    return why;
}

static const char *start_disabled(void)
{
    setenv("PDUMP_DISABLE", "1", 1);
    if (pdump_init() < 0)
        return pdump_last_error();
    return pdump_is_active() ? "PDUMP_DISABLE=1 has no effect" : NULL;
}

const struct work work_name = { start_time, work_run_name, 0 };
const struct work work_number = { start_number, run_number, 0 };
const struct work work_names_1000 = { start_1000, run_names, 0 };
const struct work work_names_100000 = { start_100000, run_names, 0 };
const struct work work_names_scattered = { start_scattered, run_names, 0 };
const struct work work_names_copied = { start_1000, run_copied, 0 };
const struct work work_events = { start_events, work_run_name, 0 };
const struct work work_events_rusage = { start_rusage, work_run_name, 0 };
const struct work work_switched_off = { start_off, work_run_name, 0 };
const struct work work_disabled = { start_disabled, work_run_name, 0 };
