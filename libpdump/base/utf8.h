/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that others wrote, for files whose readers insist on UTF-8. */
#ifndef PDUMP_UTF8_H
#define PDUMP_UTF8_H

#include "base/error.h"

#include <stdio.h>

/* Length of the character at `s`, or 0 if it is none: half of one, longer than
 * necessary, or no part of UTF-8 at all. */
PDUMP_SHARED int pdump_utf8_length(const char *s);

/* How a format that has no escapes wants its names. */
struct pdump_utf8_rules {
    const char *forbidden; /* characters that mean something there */
    char instead;          /* takes their place */
    const char *escaped;   /* characters that get a backslash; NULL: none */
    int max;               /* characters; the rest becomes "..."; 0: all */
};

/* Control characters become blanks, what is no character U+FFFD, and an empty
 * name "(no name)". */
void pdump_utf8_put(FILE *f, const char *text,
                    const struct pdump_utf8_rules *rules);

/* What an empty name is called.  Borrowed, or static. */
static inline const char *pdump_utf8_name(const char *name)
{
    return *name ? name : "(no name)";
}

#endif
