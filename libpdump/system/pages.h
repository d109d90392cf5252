/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory from the kernel, for code that may run in a signal handler: malloc()
 * may be what the signal has interrupted. */
#ifndef PDUMP_PAGES_H
#define PDUMP_PAGES_H

#include <stddef.h>

/* Returns zeroed memory, or NULL.  It is a multiple of pages, so not for small
 * things. */
void *pdump_pages_get(size_t size);

/* Give it back; `size` as in pdump_pages_get().  NULL is allowed. */
void pdump_pages_free(void *pages, size_t size);

#endif
