/* SPDX-License-Identifier: BSD-3-Clause */
/* Wildcards as in the shell: * ? [a-z] [!a-z], and \ before a character to be
 * taken literally.  Characters are UTF-8; every invalid byte counts as one
 * character. */
#ifndef PDUMP_WILDCARD_H
#define PDUMP_WILDCARD_H

#include <stdbool.h>

/* Returns true if the whole of `text` matches.  The pattern must be valid. */
bool pdump_wildcard_match(const char *pattern, const char *text);

/* Returns the place of an error in the pattern (a '[' without its ']', a '\' at
 * the end), or NULL if the pattern is valid. */
const char *pdump_wildcard_check(const char *pattern);

#endif
