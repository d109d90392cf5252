/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of all heap blocks by address. */
#include "blocks.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

/*
 * The bits of an address, from the right: GRAIN bits below the least distance
 * of two blocks, LEAF bits for the index in a leaf, BRANCH bits for the leaf,
 * and the rest for the branch.  Some allocators have blocks at odd multiples of
 * 8: these have a second tree.
 */
enum {
    GRAIN = 4,
    LEAF = 18, /* 4 MiB of heap in 4 MiB here, few of them touched */
    BRANCH = 13,
    ROOT = 13,
    HALF = 1 << (GRAIN - 1),
};

#define BITS (GRAIN + LEAF + BRANCH + ROOT)

typedef void *_Atomic link;

static link roots[2][1 << ROOT];

/* Returns the page that *at points to; maps it if needed. */
static void *page_follow(link *at, size_t size, bool wants_new)
{
    void *old = atomic_load_explicit(at, memory_order_acquire), *new;

    if (__builtin_expect(old != NULL, 1) || !wants_new)
        return old;
    new = mmap(NULL, size, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (new == MAP_FAILED)
        return NULL;
    /* A huge page would be allocated as a whole. */
    madvise(new, size, MADV_NOHUGEPAGE);
    if (atomic_compare_exchange_strong(at, &old, new))
        return new;
    munmap(new, size);
    return old;
}

struct pdump_mem_block *pdump_mem_blocks_at(const void *block, bool wants_new)
{
    uint64_t at = (uintptr_t)block;
    struct pdump_mem_block *leaf;
    link *root = roots[(at & HALF) != 0], *branch;

    if (at >> BITS)
        return NULL;
    at >>= GRAIN;
    branch = page_follow(&root[at >> (LEAF + BRANCH)],
                         sizeof(*branch) << BRANCH, wants_new);
    if (!branch)
        return NULL;
    leaf = page_follow(&branch[at >> LEAF & ((1 << BRANCH) - 1)],
                       sizeof(*leaf) << LEAF, wants_new);
    return leaf ? &leaf[at & ((1 << LEAF) - 1)] : NULL;
}
