/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings: each cause once on standard error, counted for the dump. */
#include "log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CAUSES_MAX = 128 };

/* Static, because warnings start before there is a session to hold them and
 * must work when memory does not. */
static struct {
    char cause[64];
    char text[512];
    int64_t count;
} warnings[CAUSES_MAX];
static int n_warnings;
static bool quiet;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int find(const char *cause)
{
    int i = 0;

    while (i < n_warnings &&
           strncmp(warnings[i].cause, cause, sizeof(warnings[i].cause) - 1))
        i++;
    return i;
}

void pdump_warn(const char *cause, const char *fmt, ...)
{
    va_list args;
    int i;

    pthread_mutex_lock(&lock);
    i = find(cause);
    if (i == n_warnings && i < CAUSES_MAX) {
        n_warnings++;
        snprintf(warnings[i].cause, sizeof(warnings[i].cause), "%s", cause);
        va_start(args, fmt);
        vsnprintf(warnings[i].text, sizeof(warnings[i].text), fmt, args);
        va_end(args);
        warnings[i].count = 0;
        if (!quiet)
            fprintf(stderr, "pdump: %s\n", warnings[i].text);
    }
    if (i < CAUSES_MAX)
        warnings[i].count++;
    pthread_mutex_unlock(&lock);
}

bool pdump_log_again(const char *cause)
{
    bool is_known;
    int i;

    pthread_mutex_lock(&lock);
    i = find(cause);
    is_known = i < n_warnings;
    if (is_known)
        warnings[i].count++;
    pthread_mutex_unlock(&lock);
    return is_known;
}

void pdump_log_reset(void)
{
    pthread_mutex_lock(&lock);
    n_warnings = 0;
    pthread_mutex_unlock(&lock);
}

void pdump_log_set_quiet(bool is_quiet)
{
    pthread_mutex_lock(&lock);
    quiet = is_quiet;
    pthread_mutex_unlock(&lock);
}

bool pdump_log_get(int index, char *text, size_t len, int64_t *count)
{
    bool is_there;

    pthread_mutex_lock(&lock);
    is_there = index >= 0 && index < n_warnings;
    if (is_there) {
        snprintf(text, len, "%s", warnings[index].text);
        *count = warnings[index].count;
    }
    pthread_mutex_unlock(&lock);
    return is_there;
}

void pdump_log_lock(void)
{
    pthread_mutex_lock(&lock);
}

void pdump_log_unlock(void)
{
    pthread_mutex_unlock(&lock);
}
