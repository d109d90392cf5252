/* SPDX-License-Identifier: BSD-3-Clause */
/* What the benchmark does over and over: the floors, the library, others. */
#ifndef BENCH_WORK_H
#define BENCH_WORK_H

#include <stdint.h>

/* Each runs in a process of its own (side.h), so start() may set variables. */
struct work {
    /* Get ready.  NULL, or why that cannot be; static. */
    const char *(*start)(void);
    /* Do it n times; how many ns (or bytes) that took. */
    int64_t (*run)(long n);
    long n; /* for run(), which is then called once; 0: side.c finds out */
};

/* What there is to beat. */
extern const struct work work_clock_reads; /* two of the library's clock */
extern const struct work work_rusage_reads;

/* A region pair: by name, by number, of many names, without effect ... */
extern const struct work work_name;
extern const struct work work_number;
extern const struct work work_names_1000;
extern const struct work work_names_100000;
extern const struct work work_names_scattered; /* 100 000, out of order */
extern const struct work work_names_copied; /* 1000, each put in one buffer */
extern const struct work work_events;       /* those of WORK_EVENTS */
extern const struct work work_events_rusage;
extern const struct work work_switched_off; /* pdump_disable_recording() */
extern const struct work work_disabled;     /* PDUMP_DISABLE=1 */

/* Calls of a function: with our hooks, with hooks that read the clock, and
 * without; and with ours when it is throttled. */
extern const struct work work_function;
extern const struct work work_function_bare;
extern const struct work work_function_in_turn;
extern const struct work work_function_plain;
extern const struct work work_function_throttled;

/* The time of one thread while none, or another one, does the same. */
extern const struct work work_thread_alone;
extern const struct work work_thread_of_two;

/* The records in plain memory (PDUMP_STORE=off), or in a file in memory. */
extern const struct work work_store_heap;
extern const struct work work_store_file;

/* With an event of each begin and end, in a ring or in a file. */
extern const struct work work_timeline_ring;
extern const struct work work_timeline_flush;

/* Bytes. */
extern const struct work work_memory;

/* PAPI's own functions, for the same events. */
extern const struct work work_papi_reads;
extern const struct work work_papi_high_level;

#define WORK_EVENT_1 "perf::TASK-CLOCK"
#define WORK_EVENT_2 "perf::PAGE-FAULTS"
#define WORK_EVENTS WORK_EVENT_1 "," WORK_EVENT_2

/* Start a session that counts `events` besides time.  As work.start. */
const char *work_start_session(const char *events, int n_metrics);

/* As work.run: pairs of one region. */
int64_t work_run_name(long n);

/* n names, each at its own address and touched. */
enum { WORK_NAME_SIZE = 16 };
extern char (*work_names)[WORK_NAME_SIZE];
const char *work_make_names(long n);

/* The clock that the library has to be told to use: "tsc" or "monotonic". */
const char *work_clock_name(void);

/* CLOCK_MONOTONIC in ns. */
int64_t work_now(void);

#endif
