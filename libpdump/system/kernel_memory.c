/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory from the kernel, or from malloc() where the kernel gives none. */
#include "system/kernel_memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* No page is smaller, so what mmap() returns is a multiple of it. */
enum { PAGE_MIN = 4096, WORDS = 2 };

/* The kernel maps whole pages anyway.  The thread sanitizer forgets what was
 * there only if it is told of whole pages. */
static size_t whole_pages(size_t size)
{
    return (size + PAGE_MIN - 1) / PAGE_MIN * PAGE_MIN;
}

static bool is_mapped(const void *memory)
{
    return (uintptr_t)memory % PAGE_MIN == 0;
}

/* A program may have forbidden mmap() to itself (seccomp), while malloc() still
 * has memory.  What it returns is made unlike that of mmap(); the word in front
 * is what has to be freed. */
static void *memory_allocate(size_t size)
{
    void **block = calloc(1, size + 2 * WORDS * sizeof(void *)), **memory;

    if (!block)
        return NULL;
    memory = block + WORDS;
    if (is_mapped(memory))
        memory += WORDS;
    memory[-1] = block;
    return memory;
}

void *pdump_kernel_memory_get(size_t size)
{
    void *memory = mmap(NULL, whole_pages(size), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? memory_allocate(size) : memory;
}

void pdump_kernel_memory_free(void *memory, size_t size)
{
    if (memory && is_mapped(memory))
        munmap(memory, whole_pages(size));
    else if (memory)
        free(((void **)memory)[-1]);
}
