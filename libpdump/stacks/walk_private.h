/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that a walk reads: the thread's stack directly, other memory
 * through copies that the kernel makes. */
#ifndef PDUMP_WALK_PRIVATE_H
#define PDUMP_WALK_PRIVATE_H

#include "stacks/safe_read.h"
#include "stacks/walk.h"

/* Find out what can be read directly. */
void pdump_walk_memory_start(struct pdump_walker *w);

/* As pdump_walk_word(), through a copy. */
bool pdump_walk_word_copied(struct pdump_walker *w, uintptr_t at,
                            uint64_t *out);

/* Reads a word.  Returns false if it cannot be read.  A sanitizer would find
 * that it is not in a variable of the caller. */
__attribute__((no_sanitize("address"),
               no_sanitize("thread"))) static inline bool
pdump_walk_word(struct pdump_walker *w, uintptr_t at, uint64_t *out)
{
    if (at < w->low || at >= w->high || at % 8)
        return pdump_walk_word_copied(w, at, out);
    *out = *(const volatile uint64_t *)at;
    return true;
}

#endif
