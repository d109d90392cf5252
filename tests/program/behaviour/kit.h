/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs with cases: `PROGRAM CASE` runs one and exits 1 if a check fails. */
#ifndef PDUMP_TESTS_BEHAVIOUR_KIT_H
#define PDUMP_TESTS_BEHAVIOUR_KIT_H

#include <pdump.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define IS_THREAD_SANITIZED 1
#else
#define IS_THREAD_SANITIZED 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED IS_THREAD_SANITIZED
#endif

struct behaviour {
    const char *name;
    void (*run)(void);
};

static _Atomic int n_failed;

static inline void check(int is_good, const char *text, long long value,
                         int line)
{
    if (is_good)
        return;
    if (n_failed++ >= 20)
        return; /* that is enough */
    fprintf(stderr, "line %d: %s, but it is %lld; last error: %s\n", line, text,
            value, pdump_last_error());
}

/* The value of `call` must be `wanted`. */
#define IS(call, wanted)                                             \
    do {                                                             \
        long long value_ = (call);                                   \
        check(value_ == (wanted), #call " must be " #wanted, value_, \
              __LINE__);                                             \
    } while (0)

#define YES(condition) IS(!!(condition), 1)
#define OK(call) IS(call, PDUMP_OK)

static inline int has_error(const char *text)
{
    return strstr(pdump_last_error(), text) != NULL;
}

static inline int has_no_error(void)
{
    return !*pdump_last_error();
}

/* The finished visits of a region in the running program, or an error. */
static inline long long visits_of(const char *path)
{
    struct pdump_stats stats = { .size = sizeof(stats) };
    int err = pdump_query(path, NULL, &stats);

    return err < 0 ? err : (long long)stats.visits;
}

/* The sum of a metric over all threads, or an error. */
static inline long long sum_of(const char *path, const char *metric)
{
    struct pdump_stats stats = { .size = sizeof(stats) };
    int err = pdump_query(path, metric, &stats);

    return err < 0 ? err : (long long)stats.sum;
}

/* A region that does nothing but be there. */
static inline void visit(const char *name)
{
    pdump_region_begin(name);
    pdump_region_end(name);
}

/* Entries of a folder, without those of the name itself and its parent. */
static inline int n_entries(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int n = 0;

    while (dir && (entry = readdir(dir)))
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..");
    if (dir)
        closedir(dir);
    return n;
}

static inline int run_behaviour(int argc, char **argv,
                                const struct behaviour *table)
{
    for (; argc > 1 && table->name; table++)
        if (strcmp(argv[1], table->name) == 0) {
            table->run();
            return n_failed > 0;
        }
    fprintf(stderr, "%s: no such case\n", argv[0]);
    return 99;
}

#endif
