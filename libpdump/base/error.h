/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors: a code that travels, and a message per thread. */
#ifndef PDUMP_ERROR_H
#define PDUMP_ERROR_H

#include <pdump.h>

/* Visible to our own modules and to the pdump command, not to users: listed
 * under PDUMP_PRIVATE in pdump.map, same release only. */
#define PDUMP_SHARED __attribute__((visibility("default")))

/* For variables of the hot path: the compiler must know where they are, and
 * -fvisibility=hidden does not tell it about a declaration. */
#define PDUMP_NEAR __attribute__((visibility("hidden")))

/* Record a message for this thread and return err, so that every failure
 * reads `return pdump_fail(PDUMP_EINVAL, "...", ...);`. */
PDUMP_SHARED int pdump_fail(int err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* For the one failure that has nothing else to say. */
PDUMP_SHARED int pdump_no_memory(void);

#endif
