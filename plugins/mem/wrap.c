/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrappers of malloc() and its family. */
#include "real_allocator.h"
#include "mem_record.h"

#include "base/error.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static void *block_seen(void *block, size_t size)
{
    if (block)
        pdump_mem_allocated(block, size);
    return block;
}

static void *block_none(void)
{
    errno = ENOMEM;
    return NULL;
}

PDUMP_API void *malloc(size_t size)
{
    if (!pdump_mem_is_found())
        return pdump_mem_early(size);
    return block_seen(pdump_mem_real.malloc(size), size);
}

PDUMP_API void *calloc(size_t n, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(n, size, &bytes))
        return block_none();
    if (!pdump_mem_is_found())
        return pdump_mem_early(bytes);
    return block_seen(pdump_mem_real.calloc(n, size), bytes);
}

/* Forgets the block before it is freed: after that, another thread may have
 * it. */
PDUMP_API void free(void *block)
{
    struct pdump_mem_block known;

    if (!block || pdump_mem_is_early(block) || !pdump_mem_is_found())
        return;
    if (pdump_mem_forget(block, &known))
        pdump_mem_freed(&known);
    pdump_mem_real.free(block);
}

/* Moves a block from the static buffer to the real allocator. */
static void *block_move(void *block, size_t size)
{
    size_t rest = pdump_mem_early_rest(block);
    void *new = malloc(size);

    if (new)
        memcpy(new, block, size < rest ? size : rest);
    return new;
}

PDUMP_API void *realloc(void *block, size_t size)
{
    struct pdump_mem_block known;
    bool is_known;
    void *new;

    if (!block)
        return malloc(size);
    if (pdump_mem_is_early(block) || !pdump_mem_is_found())
        return block_move(block, size);
    is_known = pdump_mem_forget(block, &known);
    new = pdump_mem_real.realloc(block, size);
    if (is_known && !new &&size > 0)
        pdump_mem_remember(block, &known);
    else if (is_known)
        pdump_mem_freed(&known);
    return block_seen(new, size);
}

PDUMP_API void *reallocarray(void *block, size_t n, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(n, size, &bytes))
        return block_none();
    return realloc(block, bytes);
}

/* Not every allocator has all functions. */
#define HAS(name) (pdump_mem_is_found() && pdump_mem_real.name)

PDUMP_API int posix_memalign(void **out, size_t alignment, size_t size)
{
    int err = HAS(posix_memalign)
                  ? pdump_mem_real.posix_memalign(out, alignment, size)
                  : ENOMEM;

    if (err == 0)
        block_seen(*out, size);
    return err;
}

PDUMP_API void *aligned_alloc(size_t alignment, size_t size)
{
    return HAS(aligned_alloc)
               ? block_seen(pdump_mem_real.aligned_alloc(alignment, size), size)
               : block_none();
}

PDUMP_API void *memalign(size_t alignment, size_t size)
{
    return HAS(memalign)
               ? block_seen(pdump_mem_real.memalign(alignment, size), size)
               : block_none();
}

PDUMP_API void *valloc(size_t size)
{
    return HAS(valloc) ? block_seen(pdump_mem_real.valloc(size), size)
                       : block_none();
}

PDUMP_API void *pvalloc(size_t size)
{
    return HAS(pvalloc) ? block_seen(pdump_mem_real.pvalloc(size), size)
                        : block_none();
}
