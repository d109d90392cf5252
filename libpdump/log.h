/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings: each cause once on standard error, counted for the dump. */
#ifndef PDUMP_LOG_H
#define PDUMP_LOG_H

#include "error.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Warn about `cause` (a short static word such as "event PAPI_L9"; copied):
 * the first time the text goes to standard error with "pdump: " in front,
 * unless quiet; each time it is counted.  Allowed everywhere but in the hot
 * path.  Thread-safe.
 */
PDUMP_SHARED void pdump_warn(const char *cause, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Count `cause` once more, if it was warned about already. */
bool pdump_log_again(const char *cause);

/* Forget everything, at the start of a session. */
void pdump_log_reset(void);
void pdump_log_set_quiet(bool is_quiet);

/* The index-th warning since the reset, or false.  `text` is copied. */
bool pdump_log_get(int index, char *text, size_t len, int64_t *count);

/* Around fork(): take and release the lock. */
void pdump_log_lock(void);
void pdump_log_unlock(void);

#endif
