/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface of counter sources: counters that can be read per thread, as
 * growing integers.
 *
 * This is the central header of source/, which contains the clock and the
 * sources: PAPI, and the counters of the kernel.
 */
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

/* The value of a counter that could not be read. */
#define PDUMP_UNREAD INT64_MIN

/* What an empty visit adds to a metric, in the unit of its source.  `counted`
 * and `timed` are added to the enclosing region, by a visit that reads counters
 * or only the clock; `inside` is added to the visit itself. */
struct pdump_cost {
    int64_t counted;
    int64_t timed;
    int64_t inside;
};

/* A metric.  The value of the source times `scale` is in `unit`. */
struct pdump_metric {
    char name[128];
    char unit[16];
    char source[16];
    char about[200];
    enum pdump_metric_kind kind;
    double scale;
    struct pdump_cost cost; /* from the calibration, in the store only */
};

/* An event the user asked for, before a source has claimed it. */
struct pdump_wish {
    char name[128];    /* "" if requested by code */
    long long code;    /* 0 if requested by name */
    bool is_claimed;   /* a source counts it */
    char refusal[160]; /* why its source cannot count it, or "" */
};

struct pdump_wishes {
    struct pdump_wish *wish;
    int n;
    bool is_default; /* nothing was requested: these are the defaults */
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
 * system calls.  It makes them in the opposite order: the last call at the
 * begin is the first at the end, so the other calls are not measured.  It may
 * be NULL if the order does not matter.
 *
 * open() tries each wish: a counter that cannot be started is not claimed.  It
 * marks the wishes that it takes, writes a reason into those that belong to
 * this source but cannot be counted, and returns the number of metrics, or a
 * pdump_error.  detach() may run after close(), for threads that are still
 * alive.
 *
 * read_other() reads the counters of another thread of the process, given its
 * kernel thread id, for the regions that the thread has open when a dump is
 * made.  A counter that only the thread itself can read is PDUMP_UNREAD.  It
 * may be NULL if no counters of other threads can be read.
 *
 * before_fork() brings the source to rest for a fork(), if that is possible
 * until the given moment (lock.h); in_parent() runs after the fork().  forked()
 * runs in the child, where only async-signal-safe calls are allowed: it
 * releases what was inherited without affecting the parent.  They may be NULL.
 *
 * names() calls each() for every name worth trying on this machine, until
 * each() returns a value other than 0, and returns that.  It may be NULL.
 *
 * load() loads and starts the library that the source needs.  It may be NULL.
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

/* The sources of a session.  Metric 0 is the time, which the recorder reads
 * itself (clock.h); the values of source[0], source[1], ... follow. */
struct pdump_sources {
    const struct pdump_source *source[PDUMP_SOURCES_MAX];
    int first[PDUMP_SOURCES_MAX]; /* its first metric */
    int n;
    struct pdump_metric metric[PDUMP_METRICS_MAX];
    int n_metrics;    /* including time */
    uint32_t gauges;  /* bit i: metric i is a gauge */
    bool is_default;  /* these counters were not requested */
    char choice[400]; /* the choice and its reason, for the dump */
};

/* Choose and open the sources for PDUMP_EVENTS, PDUMP_CODES and
 * PDUMP_DELIMITER, or the defaults for this machine.  Warns about each event
 * that cannot be counted.  If none of the requested events can be,
 * PDUMP_ESOURCE with the list, or with is_lenient only the time and one more
 * warning. */
PDUMP_SHARED int pdump_sources_open(const struct pdump_settings *set,
                                    struct pdump_sources *out);

/* Nothing in *sources changes: another thread may be attaching to them or
 * detaching from them. */
PDUMP_SHARED void pdump_sources_close(const struct pdump_sources *sources);

/* Load the libraries that pdump_sources_open() will need for these settings.
 * It would load them itself, but its caller may have a turn (lock.h). */
void pdump_sources_load(const char *events, const char *codes,
                        const char *delimiter, bool is_quick);

/* Around fork(), and in its child: call these functions of every source in this
 * build. */
void pdump_sources_before_fork(struct timespec until);
void pdump_sources_in_parent(void);
void pdump_sources_forked(void);

/* For `pdump events`: try `name` alone.  Returns 1 if it can be counted (fills
 * `metric`), 0 if not (fills `why`), or a pdump_error. */
PDUMP_SHARED int pdump_sources_try(const char *name,
                                   struct pdump_metric *metric, char *why,
                                   size_t len);

/* For `pdump events`: call each() for every name worth trying on this machine,
 * in order.  Stops when it returns a value other than 0, and returns that. */
PDUMP_SHARED int pdump_sources_names(pdump_each_name *each, void *data);

/* Returns true if perf counts the event `name` in software, so that every read
 * is a system call. */
bool pdump_source_is_software(const char *name);

/* Returns true if the event is CPU time of the thread, which never exceeds
 * elapsed time. */
bool pdump_source_is_cpu_time(const char *name);

extern const struct pdump_source pdump_source_papi;   /* source_papi.c */
extern const struct pdump_source pdump_source_rusage; /* source_rusage.c */

#endif
