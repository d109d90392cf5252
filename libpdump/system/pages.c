/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory from the kernel. */
#include "system/pages.h"

#include <sys/mman.h>

void *pdump_pages_get(size_t size)
{
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return pages == MAP_FAILED ? NULL : pages;
}

void pdump_pages_free(void *pages, size_t size)
{
    if (pages)
        munmap(pages, size);
}
