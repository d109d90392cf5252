/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors: a code that functions return, and a message per thread.
 *
 * This is the central header of base/, which contains helpers that know nothing
 * of measurement: errors, arrays, text formats, encodings, hash tables.
 */
#ifndef PDUMP_ERROR_H
#define PDUMP_ERROR_H

#include <pdump.h>

/* Visible to libpdump's modules and to the pdump command, not to users: listed
 * in the private node of pdump.map, same release only.  Preloaded libraries
 * have functions of these names themselves, which are hidden:
 * plugins/handshake. */
#ifndef PDUMP_SHARED
#define PDUMP_SHARED __attribute__((visibility("default")))
#endif

/* For variables of the hot path.  The compiler must know that they are in this
 * library, and -fvisibility=hidden does not apply to declarations. */
#define PDUMP_NEAR __attribute__((visibility("hidden")))

/* Record a message for this thread and return err, so that every failure
 * reads `return pdump_fail(PDUMP_EINVAL, "...", ...);`. */
PDUMP_SHARED int pdump_fail(int err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* A copy of a thread's message. */
struct pdump_error_kept {
    char message[1024];
};

/*
 * For public functions that try things which may fail without harm, such as a
 * module that is not installed.  Keep the thread's message at the start; at the
 * end settle with the result.  If that is not a failure, the thread gets its
 * former message back.  Returns err.
 */
void pdump_error_keep(struct pdump_error_kept *kept);
int pdump_error_settle(const struct pdump_error_kept *kept, int err);

/* Fails with PDUMP_ENOMEM and a fixed message. */
PDUMP_SHARED int pdump_no_memory(void);

#endif
