/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up the allocator behind the wrappers. */
#include "real_allocator.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>

struct pdump_mem_real pdump_mem_real;

enum { ROOM = 64 * 1024, ALIGNMENT = 16 };

static _Alignas(ALIGNMENT) char room[ROOM];
static _Atomic size_t used;
static _Atomic bool is_finding;

void *pdump_mem_early(size_t size)
{
    size_t at;

    if (size < ROOM) {
        size = (size + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
        at = atomic_fetch_add(&used, size);
        if (at + size <= ROOM)
            return room + at;
    }
    errno = ENOMEM;
    return NULL;
}

bool pdump_mem_is_early(const void *block)
{
    return (uintptr_t)block - (uintptr_t)room < ROOM;
}

size_t pdump_mem_early_rest(const void *block)
{
    return ROOM - (size_t)((const char *)block - room);
}

bool pdump_mem_find(void)
{
    struct pdump_mem_real real;
    void (*last)(void *);

    if (atomic_exchange(&is_finding, true))
        return pdump_mem_real.free != NULL;
    if (pdump_mem_real.free)
        return true; /* another thread was faster */
#define FIND(name) *(void **)&real.name = dlsym(RTLD_NEXT, #name)
    FIND(malloc);
    FIND(calloc);
    FIND(realloc);
    FIND(free);
    FIND(posix_memalign);
    FIND(aligned_alloc);
    FIND(memalign);
    FIND(valloc);
    FIND(pvalloc);
#undef FIND
    /* `free` is set last: it signals that all are found. */
    last = real.free;
    real.free = NULL;
    pdump_mem_real = real;
    atomic_thread_fence(memory_order_release);
    pdump_mem_real.free = last;
    atomic_store(&is_finding, false);
    return last != NULL;
}
