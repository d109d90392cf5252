/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of all heap blocks by address.
 *
 * It is separate from the heap, so that the program's blocks are the same as
 * without libpdump.  It is a tree of pages that covers every possible address.
 * Pages are mapped on demand and never unmapped.  No locks: between malloc()
 * and free() a block, and so its entry, belongs to one owner.
 */
#ifndef PDUMP_MEM_BLOCKS_H
#define PDUMP_MEM_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct pdump_mem_block {
    uint64_t size;    /* as requested */
    uint32_t row;     /* reference of its row of figures; 0: unknown */
    uint32_t session; /* session of that row */
};

/* Returns the entry of a block; NULL if there was never a block near it.  With
 * `wants_new`, NULL only if there is no memory. */
struct pdump_mem_block *pdump_mem_blocks_at(const void *block, bool wants_new);

#endif
