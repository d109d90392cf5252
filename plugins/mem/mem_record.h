/* SPDX-License-Identifier: BSD-3-Clause */
/* The library to preload for the heap: it counts allocations by the region that
 * makes them, in the table "heap". */
#ifndef PDUMP_MEM_MEM_RECORD_H
#define PDUMP_MEM_MEM_RECORD_H

#include "blocks.h"

#include <stddef.h>

/* Records a new block. */
void pdump_mem_allocated(void *block, size_t size);

/* Called before a block is freed: removes its entry and copies it to *out.
 * Returns false if the block is unknown. */
bool pdump_mem_forget(void *block, struct pdump_mem_block *out);

/* Called after the block was freed. */
void pdump_mem_freed(const struct pdump_mem_block *known);

/* Called if the block was not freed after all: undoes pdump_mem_forget(). */
void pdump_mem_remember(void *block, const struct pdump_mem_block *known);

#endif
