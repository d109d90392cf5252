/* SPDX-License-Identifier: BSD-3-Clause */
/* A pool of strings that are freed together; equal strings are stored once. */
#ifndef PDUMP_STRING_POOL_H
#define PDUMP_STRING_POOL_H

#include "base/error.h"

#include <stddef.h>

struct pdump_string_pool;

int pdump_string_pool_new(struct pdump_string_pool **out);

/* Frees all strings of the pool.  NULL is ignored. */
void pdump_string_pool_free(struct pdump_string_pool *text);

/* Returns a copy of the `len` bytes at `s` with a final NUL, which lives as
 * long as `text` and never moves; NULL if out of memory.  Equal bytes give the
 * same pointer, so strings of a pool are compared by address. */
const char *pdump_string_pool_keep(struct pdump_string_pool *text,
                                   const char *s, size_t len);

/* Returns the existing copy, or NULL. */
const char *pdump_string_pool_find(const struct pdump_string_pool *text,
                                   const char *s, size_t len);

/* Called after the last string was added: frees the hash table that only
 * lookups need. */
void pdump_string_pool_seal(struct pdump_string_pool *text);

#endif
