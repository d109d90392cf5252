/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks up the allocator behind the wrappers.
 *
 * The lookup may allocate, too.  Those few bytes come from a static buffer and
 * are never freed.
 */
#ifndef PDUMP_MEM_REAL_ALLOCATOR_H
#define PDUMP_MEM_REAL_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>

struct pdump_mem_real {
    void *(*malloc)(size_t size);
    void *(*calloc)(size_t n, size_t size);
    void *(*realloc)(void *block, size_t size);
    void (*free)(void *block);
    int (*posix_memalign)(void **out, size_t alignment, size_t size);
    void *(*aligned_alloc)(size_t alignment, size_t size);
    void *(*memalign)(size_t alignment, size_t size);
    void *(*valloc)(size_t size);
    void *(*pvalloc)(size_t size);
};

extern struct pdump_mem_real pdump_mem_real;

/* Finds all functions.  Returns false while the lookup is under way; the caller
 * must use pdump_mem_early() then. */
bool pdump_mem_find(void);

static inline bool pdump_mem_is_found(void)
{
    return __builtin_expect(pdump_mem_real.free != NULL, 1) || pdump_mem_find();
}

/* Returns zeroed bytes from the static buffer, or NULL. */
void *pdump_mem_early(size_t size);
bool pdump_mem_is_early(const void *block);

/* Returns how many bytes from `block` on may be copied. */
size_t pdump_mem_early_rest(const void *block);

#endif
