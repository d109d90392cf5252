/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the sources share: open some, read them, take faults. */
#ifndef PDUMP_TESTS_SOURCE_KIT_H
#define PDUMP_TESTS_SOURCE_KIT_H

#include "system/log.h"
#include "source/source.h"
#include "source/source_fds.h"

#include <check.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* PAPI never frees some of what it tells about events. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libpapi";
}

static struct pdump_sources src;
static struct pdump_settings set;

static inline int open_by(const char *events, const char *codes,
                          const char *delimiter)
{
    set.events = (char *)events;
    set.codes = (char *)codes;
    set.delimiter = (char *)delimiter;
    set.clock = "auto";
    pdump_log_set_quiet(true);
    pdump_log_reset();
    return pdump_sources_open(&set, &src);
}

static inline int open_events(const char *events)
{
    return open_by(events, "", ",");
}

/* One thread's counters. */
struct counters {
    void *state[PDUMP_SOURCES_MAX];
    int64_t value[PDUMP_METRICS_MAX];
};

static inline int attach(struct counters *c)
{
    for (int i = 0; i < src.n; i++) {
        int err = src.source[i]->attach(&c->state[i]);

        if (err < 0) {
            while (i-- > 0)
                src.source[i]->detach(c->state[i]);
            return err;
        }
    }
    return PDUMP_OK;
}

/* Asserts nothing, because Check writes every assertion to its own log. */
static inline int read_quietly(struct counters *c)
{
    int err = PDUMP_OK;

    for (int i = 0; i < src.n && err == PDUMP_OK; i++)
        err = src.source[i]->read(c->state[i], &c->value[src.first[i]]);
    return err;
}

static inline void read_all(struct counters *c)
{
    ck_assert_int_eq(read_quietly(c), PDUMP_OK);
}

static inline void detach(struct counters *c)
{
    for (int i = 0; i < src.n; i++)
        src.source[i]->detach(c->state[i]);
}

static inline int metric(const char *name)
{
    for (int i = 0; i < src.n_metrics; i++)
        if (strcmp(src.metric[i].name, name) == 0)
            return i;
    return -1;
}

static inline bool was_warned_of(const char *text)
{
    char line[512];
    int64_t count;

    for (int i = 0; pdump_log_get(i, line, sizeof(line), &count); i++)
        if (strstr(line, text))
            return true;
    return false;
}

static inline int n_warnings(void)
{
    char line[512];
    int64_t count;
    int n = 0;

    while (pdump_log_get(n, line, sizeof(line), &count))
        n++;
    return n;
}

/* Many machines forbid perf, and some builds have no PAPI: then the tests of
 * PAPI's events have nothing to say. */
static inline bool has_perf(void)
{
    struct pdump_metric m;
    char why[200];

    return pdump_sources_try("perf::TASK-CLOCK", &m, why, sizeof(why)) == 1;
}

static inline void count_fd(int fd, void *data)
{
    (void)fd;
    ++*(int *)data;
}

static inline int n_fds(void)
{
    int n = 0;

    ck_assert(pdump_fds_each(count_fd, &n));
    return n;
}

/* Take n page faults: fresh memory, never a huge page. */
static inline void fault(int n)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t len = (size_t)n * page;
    volatile char *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert_ptr_ne((void *)p, MAP_FAILED);
    madvise((void *)p, len, MADV_NOHUGEPAGE);
    for (int i = 0; i < n; i++)
        p[(size_t)i * page] = 1;
    munmap((void *)p, len);
}

/* perf counts at least the faults we take, and no more than getrusage() does
 * around them. */
static inline void expect_agreement(struct counters *c, int faults)
{
    struct counters before = *c;
    struct rusage from, to;
    int64_t counted;
    int at = metric("perf::PAGE-FAULTS");

    getrusage(RUSAGE_THREAD, &from);
    read_quietly(&before);
    fault(faults);
    read_quietly(c);
    getrusage(RUSAGE_THREAD, &to);
    counted = c->value[at] - before.value[at];
    ck_assert_int_ge(counted, faults);
    ck_assert_int_le(counted, to.ru_minflt - from.ru_minflt + to.ru_majflt -
                                  from.ru_majflt);
}

#endif
