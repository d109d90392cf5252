/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads of this process's memory that cannot fault, for signal handlers.
 *
 * Another thread may unmap a library or a stack at any time, and a walk may
 * follow a word that is not an address.
 */
#ifndef PDUMP_SAFE_READ_H
#define PDUMP_SAFE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies n bytes.  Returns false if any of them cannot be read, or if the
 * kernel does not allow such reads at all. */
bool pdump_safe_read(void *to, uintptr_t from, size_t n);

/* Copies as many of the n bytes as can be read.  Returns their number. */
size_t pdump_safe_read_some(void *to, uintptr_t from, size_t n);

enum { PDUMP_SAFE_READ_WORDS = 16 };

/* Copies n words from different addresses, up to PDUMP_SAFE_READ_WORDS. */
bool pdump_safe_read_words(uint64_t *to, const uintptr_t *from, int n);

/* Returns true if all pages from `low` to `high` can be read. */
bool pdump_safe_read_all_pages(uintptr_t low, uintptr_t high);

/* Returns true if the kernel allows such reads: seccomp filters may not. */
bool pdump_safe_read_works(void);

/* In a child, whose memory is another. */
void pdump_safe_read_forked(void);

#endif
