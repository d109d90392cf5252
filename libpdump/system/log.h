/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings: each cause once on standard error, counted for the dump. */
#ifndef PDUMP_LOG_H
#define PDUMP_LOG_H

#include "base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { PDUMP_WARNINGS_MAX = 64 };

/* What was warned about.  Complete up to n at any moment, so that it can be in
 * a store. */
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

/* Forget everything, at the start of a session. */
void pdump_log_reset(void);
void pdump_log_set_quiet(bool is_quiet);

/* One rank speaks for all of a job: others keep their warnings for the dump,
 * until they have something of their own to say.  -1: not a rank. */
void pdump_log_set_rank(int rank);
void pdump_log_speak(void);

/* From now on keep the warnings there, with those until now; NULL: where they
 * were at first. */
void pdump_log_keep_in(struct pdump_warnings *there);

/* The index-th warning since the reset, or false.  `text` is copied. */
bool pdump_log_get(int index, char *text, size_t len, int64_t *count);

/* Around fork(): take and release the lock; in the child start anew. */
void pdump_log_lock(void);
void pdump_log_unlock(void);
void pdump_log_in_child(void);

#endif
