/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings that live and die together, each kept once. */
#ifndef PDUMP_STRING_POOL_H
#define PDUMP_STRING_POOL_H

#include "base/error.h"

#include <stddef.h>

struct pdump_string_pool;

int pdump_string_pool_new(struct pdump_string_pool **out);

/* Ends every string that was kept.  NULL is ignored. */
void pdump_string_pool_free(struct pdump_string_pool *text);

/* A copy of the `len` bytes at `s` with a final NUL, which lives as long as
 * `text` and never moves; NULL without memory.  Equal bytes give the same
 * pointer, so kept strings are compared by address. */
const char *pdump_string_pool_keep(struct pdump_string_pool *text,
                                   const char *s, size_t len);

/* The copy that is there, or NULL. */
const char *pdump_string_pool_find(const struct pdump_string_pool *text,
                                   const char *s, size_t len);

/* No string comes any more: give back what only finding needs. */
void pdump_string_pool_seal(struct pdump_string_pool *text);

#endif
