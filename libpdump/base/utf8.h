/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes arbitrary text to files that must be valid UTF-8. */
#ifndef PDUMP_UTF8_H
#define PDUMP_UTF8_H

#include "base/error.h"

#include <stdio.h>

/* Returns the length of the character at `s` in bytes, or 0 if it is not valid
 * UTF-8: truncated, overlong, or not a character. */
PDUMP_SHARED int pdump_utf8_length(const char *s);

/* How names are written in a format that has no escape sequences. */
struct pdump_utf8_rules {
    const char *forbidden; /* characters with a meaning in the format */
    char instead;          /* replaces them */
    const char *escaped;   /* characters that get a backslash; NULL: none */
    int max;               /* characters; the rest becomes "..."; 0: all */
};

/* Write a name.  Control characters become blanks, invalid bytes become U+FFFD,
 * and an empty name becomes "(no name)". */
void pdump_utf8_put(FILE *f, const char *text,
                    const struct pdump_utf8_rules *rules);

/* Returns the name, or "(no name)" if it is empty.  Borrowed, or static. */
static inline const char *pdump_utf8_name(const char *name)
{
    return *name ? name : "(no name)";
}

#endif
