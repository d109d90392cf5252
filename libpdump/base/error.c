/* SPDX-License-Identifier: BSD-3-Clause */
/* The message of this thread's last failure. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static __thread char message[sizeof(struct pdump_error_kept)];

int pdump_fail(int err, const char *fmt, ...)
{
    char text[sizeof(message)]; /* an argument may be the last message */
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    strcpy(message, text);
    return err;
}

int pdump_no_memory(void)
{
    return pdump_fail(PDUMP_ENOMEM, "out of memory");
}

void pdump_error_keep(struct pdump_error_kept *kept)
{
    strcpy(kept->message, message);
}

int pdump_error_settle(const struct pdump_error_kept *kept, int err)
{
    if (err >= 0)
        strcpy(message, kept->message);
    return err;
}

const char *pdump_last_error(void)
{
    return message;
}

const char *pdump_strerror(int err)
{
    static const char *const text[] = {
        "success",
        "out of memory",
        "bad argument or configuration value",
        "call not allowed now",
        "the counters cannot be used",
        "a file cannot be read or written",
        "a file is not what it should be",
        "no such region, metric or setting",
        "a module is missing or does not fit",
    };

    if (err > 0)
        err = 0;
    if (err < -(int)(sizeof(text) / sizeof(text[0]) - 1))
        return "unknown error";
    return text[-err];
}
