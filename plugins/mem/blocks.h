/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is known of every block of the heap, by its address.
 *
 * Beside the heap, so that the program's blocks are what they would be without
 * us: a tree of pages that has room for every address a block may have.  Pages
 * come when they are needed and stay.  No locks: between malloc() and free() a
 * block is its owner's, and so is its place here.
 */
#ifndef PDUMP_MEM_BLOCKS_H
#define PDUMP_MEM_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct pdump_mem_block {
    uint64_t size;    /* as it was asked for */
    uint32_t row;     /* ref of the figures it is counted in; 0: unknown */
    uint32_t session; /* that the ref is of */
};

/* The place of a block; NULL if there never was one near it.  With `wants_new`,
 * only if there is no memory. */
struct pdump_mem_block *pdump_mem_blocks_at(const void *block, bool wants_new);

#endif
