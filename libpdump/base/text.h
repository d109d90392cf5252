/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings that live and die together, each kept once. */
#ifndef PDUMP_TEXT_H
#define PDUMP_TEXT_H

#include "base/error.h"

#include <stddef.h>

struct pdump_text;

int pdump_text_new(struct pdump_text **out);

/* Ends every string that was kept.  NULL is ignored. */
void pdump_text_free(struct pdump_text *text);

/* A copy of the `len` bytes at `s` with a final NUL, which lives as long as
 * `text` and never moves; NULL without memory.  Equal bytes give the same
 * pointer, so kept strings are compared by address. */
const char *pdump_text_keep(struct pdump_text *text, const char *s, size_t len);

/* The copy that is there, or NULL. */
const char *pdump_text_find(const struct pdump_text *text, const char *s,
                            size_t len);

/* No string comes any more: give back what only finding needs. */
void pdump_text_seal(struct pdump_text *text);

#endif
