/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings: each cause is printed once to standard error, and counted for the
 * dump. */
#include "system/log.h"
#include "base/safe_text.h"
#include "system/lock.h"
#include "system/process_state.h"
#include "system/write_guard.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Static, because there are warnings before the session, and also when memory
 * cannot be allocated. */
static struct pdump_warnings at_first;
static struct pdump_warnings *warnings = &at_first;
static bool quiet;
static bool is_misuse_silent;
static int own_rank = -1;
static bool speaks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t warning_find(const char *cause)
{
    uint32_t i = 0;

    while (i < warnings->n && strncmp(warnings->list[i].cause, cause,
                                      sizeof(warnings->list[i].cause) - 1))
        i++;
    return i;
}

/* Returns the prefix of a message: "rank 3: ", "", or NULL if the message is
 * not printed. */
static const char *line_prefix(char *buf, size_t len)
{
    if (quiet || (own_rank > 0 && !speaks))
        return NULL;
    buf[0] = '\0';
    if (speaks && own_rank >= 0)
        snprintf(buf, len, "rank %d: ", own_rank);
    return buf;
}

/* Not under the lock: standard error may block, or run foreign code. */
static void line_print(const char *who, char *text)
{
    struct pdump_write_guard hold;

    pdump_safe_text_clean(text);
    pdump_write_guard_hold(&hold);
    fprintf(stderr, "pdump: %s%s\n", who, text);
    pdump_write_guard_release(&hold);
}

enum printed { ONCE, ALWAYS, NEVER };

/* Counts the warning, and prints it: once per cause, each time, or never. */
static void warning_add(const char *cause, enum printed when, const char *fmt,
                        va_list args)
{
    char text[sizeof(warnings->list[0].text)], rank[24];
    const char *who = NULL;
    bool is_new;
    uint32_t i;

    if (!pdump_process_is_known())
        return;
    vsnprintf(text, sizeof(text), fmt, args);
    pthread_mutex_lock(&lock);
    i = warning_find(cause);
    is_new = i == warnings->n && i < PDUMP_WARNINGS_MAX;
    if (is_new) {
        snprintf(warnings->list[i].cause, sizeof(warnings->list[i].cause), "%s",
                 cause);
        memcpy(warnings->list[i].text, text, sizeof(text));
        warnings->list[i].count = 0;
        warnings->n++;
    }
    if (when == ALWAYS || (when == ONCE && is_new))
        who = line_prefix(rank, sizeof(rank));
    if (i < PDUMP_WARNINGS_MAX)
        warnings->list[i].count++;
    pthread_mutex_unlock(&lock);
    if (who)
        line_print(who, text);
}

void pdump_warn_list(const char *cause, const char *fmt, va_list args)
{
    warning_add(cause, ONCE, fmt, args);
}

void pdump_warn(const char *cause, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    warning_add(cause, ONCE, fmt, args);
    va_end(args);
}

void pdump_warn_misuse(const char *cause, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    warning_add(cause, is_misuse_silent ? NEVER : ALWAYS, fmt, args);
    va_end(args);
}

void pdump_log_say(const char *fmt, ...)
{
    char text[sizeof(warnings->list[0].text)], rank[24];
    const char *who;
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    pthread_mutex_lock(&lock);
    who = line_prefix(rank, sizeof(rank));
    pthread_mutex_unlock(&lock);
    if (who)
        line_print(who, text);
}

void pdump_log_reset(void)
{
    pthread_mutex_lock(&lock);
    warnings->n = 0;
    pthread_mutex_unlock(&lock);
}

void pdump_log_set_quiet(bool is_quiet)
{
    pthread_mutex_lock(&lock);
    quiet = is_quiet;
    pthread_mutex_unlock(&lock);
}

void pdump_log_silence_misuse(bool is_silent)
{
    pthread_mutex_lock(&lock);
    is_misuse_silent = is_silent;
    pthread_mutex_unlock(&lock);
}

void pdump_log_set_rank(int rank)
{
    pthread_mutex_lock(&lock);
    own_rank = rank;
    speaks = false;
    pthread_mutex_unlock(&lock);
}

void pdump_log_speak(void)
{
    pthread_mutex_lock(&lock);
    speaks = true;
    pthread_mutex_unlock(&lock);
}

void pdump_log_keep_in(struct pdump_warnings *there)
{
    if (!there)
        there = &at_first;
    pthread_mutex_lock(&lock);
    if (there != warnings) {
        uint32_t n = warnings->n;

        memcpy(there->list, warnings->list, n * sizeof(there->list[0]));
        there->n = n;
        warnings = there;
    }
    pthread_mutex_unlock(&lock);
}

bool pdump_log_get(int index, char *text, size_t len, int64_t *count)
{
    bool is_there;

    pthread_mutex_lock(&lock);
    is_there = index >= 0 && (uint32_t)index < warnings->n;
    if (is_there) {
        snprintf(text, len, "%s", warnings->list[index].text);
        *count = warnings->list[index].count;
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

void pdump_log_in_child(void)
{
    warnings = &at_first; /* the store belongs to the parent */
    warnings->n = 0;
    pdump_lock_renew(&lock);
}
