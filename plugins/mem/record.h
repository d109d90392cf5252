/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program allocates, by the region that does it: the table "heap". */
#ifndef PDUMP_MEM_RECORD_H
#define PDUMP_MEM_RECORD_H

#include "blocks.h"

#include <stddef.h>

/* A block has been allocated. */
void pdump_mem_allocated(void *block, size_t size);

/* A block is about to be freed: forget it.  What was known of it is in *out;
 * false if that is nothing. */
bool pdump_mem_forget(void *block, struct pdump_mem_block *out);

/* It has been freed. */
void pdump_mem_freed(const struct pdump_mem_block *known);

/* It has not: pdump_mem_forget() is undone. */
void pdump_mem_remember(void *block, const struct pdump_mem_block *known);

#endif
