/* SPDX-License-Identifier: BSD-3-Clause */
/* The seam for counters: what can be read, per thread, as growing integers. */
#ifndef PDUMP_SOURCE_H
#define PDUMP_SOURCE_H

#include "config/settings.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum {
    PDUMP_SOURCES_MAX = 4,
    PDUMP_METRICS_MAX = 32,
};

/* Stands for a value that could not be read. */
#define PDUMP_UNREAD INT64_MIN

/* What an empty visit adds to a metric, in values of its source: `counted` and
 * `timed` to the region around it, if the visit reads counters or only the
 * clock; `inside` to its own. */
struct pdump_cost {
    int64_t counted;
    int64_t timed;
    int64_t inside;
};

/* A column to be.  Values of the source times `scale` are in `unit`. */
struct pdump_metric {
    char name[128];
    char unit[16];
    char source[16];
    char about[200];
    enum pdump_metric_kind kind;
    double scale;
    struct pdump_cost cost; /* as calibrated, in the store only */
};

/* An event the user asked for, before a source has claimed it. */
struct pdump_wish {
    char name[128];    /* "" if asked by code */
    long long code;    /* 0 if asked by name */
    bool is_claimed;   /* some source counts it */
    char refusal[160]; /* why the source it belongs to cannot, or "" */
};

struct pdump_wishes {
    struct pdump_wish *wish;
    int n;
    bool is_default; /* nothing was asked: the source may choose */
};

/*
 * A source turns wishes into metrics and reads them per thread.
 *
 * open() and close() run once per session; attach() and detach() once per
 * thread, on that thread.  read() is the hot path: it must not allocate, lock
 * or write anywhere but `values`.  Values only grow (except gauges, and
 * counters that may decrease: metric_name.h); the recorder subtracts.
 *
 * read_end() is read() at the end of a visit, for a source that makes several
 * system calls: it makes them in the opposite order, so that the last one at a
 * begin is the first one at an end, and the others are not between.  It may be
 * NULL if the order does not matter.
 *
 * open() tries each wish for real (a counter that cannot be started is not
 * claimed), marks those it takes, writes a reason into those that are its own
 * but cannot be counted, and returns the number of metrics, or a pdump_error.
 * close() may be followed by detach() of threads that are still alive.
 *
 * read_other() reads the counters of another thread of the process, by the
 * kernel's number of that thread, for the regions that it has open when a dump
 * is made.  A counter that only the thread itself can read is PDUMP_UNREAD.
 * It may be NULL if no counters of other threads can be read.
 *
 * before_fork() comes to rest for a fork(), if that is possible until the given
 * moment (lock.h); in_parent() runs after the fork().
 * forked() runs in the child, where only async-signal-safe calls are allowed:
 * let go of what was inherited without touching the parent's.  They may be
 * NULL.
 *
 * names() tells every name worth trying here, until each() returns not 0, and
 * returns that.  It may be NULL.
 *
 * load() loads and starts the library that the source needs, and may be NULL.
 */
typedef int pdump_each_name(const char *name, const char *about, void *data);

struct pdump_source {
    const char *name;
    int (*open)(const struct pdump_settings *set, struct pdump_wishes *wishes,
                struct pdump_metric *metrics, int max);
    int (*attach)(void **state);
    int (*read)(void *state, int64_t *values);
    int (*read_end)(void *state, int64_t *values);
    void (*read_other)(int64_t tid, int64_t *values);
    void (*detach)(void *state);
    void (*close)(void);
    void (*before_fork)(struct timespec until);
    void (*in_parent)(void);
    void (*forked)(void);
    int (*names)(pdump_each_name *each, void *data);
    void (*load)(void);
};

/* The sources of a session: time first (metric 0, read by the recorder itself,
 * see clock.h), then the values of source[0], source[1], ... in a row. */
struct pdump_sources {
    const struct pdump_source *source[PDUMP_SOURCES_MAX];
    int first[PDUMP_SOURCES_MAX]; /* its first metric */
    int n;
    struct pdump_metric metric[PDUMP_METRICS_MAX];
    int n_metrics;    /* with time */
    uint32_t gauges;  /* bit i: metric i is a gauge */
    bool is_default;  /* these counters were not requested */
    char choice[400]; /* what was chosen and why, for the dump */
};

/* Choose and open: PDUMP_EVENTS, PDUMP_CODES and PDUMP_DELIMITER, or what
 * suits the machine.  Warns about each event that cannot be counted;
 * PDUMP_ESOURCE with the list if none of those asked can. */
PDUMP_SHARED int pdump_sources_open(const struct pdump_settings *set,
                                    struct pdump_sources *out);
PDUMP_SHARED void pdump_sources_close(struct pdump_sources *sources);

/* Load the libraries that pdump_sources_open() will need for these settings.
 * It loads them itself otherwise; but the caller may have a turn then. */
void pdump_sources_load(const char *events, const char *codes,
                        const char *delimiter, bool is_quick);

/* In the child of a fork(): tell every source of this build. */
void pdump_sources_before_fork(struct timespec until);
void pdump_sources_in_parent(void);
void pdump_sources_forked(void);

/* For `pdump events`: try `name` alone.  1: counted (fills `metric`),
 * 0: not (fills `why`), or a pdump_error. */
PDUMP_SHARED int pdump_sources_try(const char *name,
                                   struct pdump_metric *metric, char *why,
                                   size_t len);

/* For `pdump events`: every name worth trying here, in order, to `each`;
 * stops when it returns not 0, and returns that. */
PDUMP_SHARED int pdump_sources_names(pdump_each_name *each, void *data);

/* Does perf count event `name` in software: at any rate by a system call? */
bool pdump_source_is_software(const char *name);

/* Returns true if it is CPU time of the thread, which never exceeds elapsed
 * time. */
bool pdump_source_is_cpu_time(const char *name);

extern const struct pdump_source pdump_source_papi;   /* source_papi.c */
extern const struct pdump_source pdump_source_rusage; /* source_rusage.c */

#endif
