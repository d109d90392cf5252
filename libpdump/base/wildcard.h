/* SPDX-License-Identifier: BSD-3-Clause */
/* Wildcards as the shell's: * ? [a-z] [!a-z], and \ before what is meant
 * literally.  Characters are UTF-8; what is none is a character per byte. */
#ifndef PDUMP_WILDCARD_H
#define PDUMP_WILDCARD_H

#include <stdbool.h>

/* Does the whole of `text` match?  The pattern is a good one. */
bool pdump_wildcard_match(const char *pattern, const char *text);

/* Where the pattern is wrong: a '[' without its ']', a '\' at the end; NULL if
 * it is good. */
const char *pdump_wildcard_check(const char *pattern);

#endif
