/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory from the kernel, for code that may run in a signal handler: malloc()
 * may be what the signal has interrupted.  malloc() is called only if the
 * kernel refuses. */
#ifndef PDUMP_KERNEL_MEMORY_H
#define PDUMP_KERNEL_MEMORY_H

#include <stddef.h>

/* Returns zeroed memory, or NULL.  It is a multiple of pages, so not for small
 * things. */
void *pdump_kernel_memory_get(size_t size);

/* Give it back; `size` as in pdump_kernel_memory_get().  NULL is allowed. */
void pdump_kernel_memory_free(void *memory, size_t size);

#endif
