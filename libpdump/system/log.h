/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings: each cause is printed once to standard error, and counted for the
 * dump. */
#ifndef PDUMP_LOG_H
#define PDUMP_LOG_H

#include "base/error.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { PDUMP_WARNINGS_MAX = 64 };

/* A list of warnings.  The first n are complete at any moment, so the list may
 * be in a store. */
struct pdump_warnings {
    _Atomic uint32_t n;
    uint32_t pad;
    struct {
        char cause[48];
        char text[400];
        int64_t count;
    } list[PDUMP_WARNINGS_MAX];
};

/*
 * Warn about `cause` (a short word such as "event PAPI_L9"; copied): the first
 * time the text goes to standard error with "pdump: " in front, unless quiet;
 * each time it is counted.  Allowed everywhere but in the hot path.
 * Thread-safe.
 */
PDUMP_SHARED void pdump_warn(const char *cause, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
PDUMP_SHARED void pdump_warn_list(const char *cause, const char *fmt,
                                  va_list args)
    __attribute__((format(printf, 2, 0)));

/* The same for calls out of order.  Each makes the records differ from what the
 * program meant, so it is printed each time, unless quiet or silenced. */
void pdump_warn_misuse(const char *cause, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* One of these. */
typedef void pdump_warner(const char *cause, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Print a message that does not concern the run, so it is not in the dump. */
void pdump_log_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Remove all warnings, at the start of a session. */
void pdump_log_reset(void);
void pdump_log_set_quiet(bool is_quiet);
/* Print nothing in pdump_warn_misuse(), only count (PDUMP_SILENCE_WARNINGS). */
void pdump_log_silence_misuse(bool is_silent);

/* Set the rank, or -1 outside of a job.  Only rank 0 prints its warnings; the
 * others keep theirs for the dump.  After pdump_log_speak() this rank prints,
 * too, with its number in front. */
void pdump_log_set_rank(int rank);
void pdump_log_speak(void);

/* From now on keep the warnings in `there`, and copy those until now; NULL:
 * keep them in static memory again. */
void pdump_log_keep_in(struct pdump_warnings *there);

/* Copy the index-th warning since the reset.  Returns false if there is none.
 */
bool pdump_log_get(int index, char *text, size_t len, int64_t *count);

/* Around fork(): take and release the lock.  The child starts without warnings.
 */
void pdump_log_lock(void);
void pdump_log_unlock(void);
void pdump_log_in_child(void);

#endif
