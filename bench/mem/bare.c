/* SPDX-License-Identifier: BSD-3-Clause */
/* The floor: wrappers that only count.  To be preloaded. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

static void *(*real_malloc)(size_t);
static void (*real_free)(void *);
static volatile int64_t n_calls, n_bytes;

void *malloc(size_t size)
{
    if (!real_malloc)
        *(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
    n_calls++;
    n_bytes += (int64_t)size;
    return real_malloc(size);
}

void free(void *block)
{
    if (!real_free)
        *(void **)&real_free = dlsym(RTLD_NEXT, "free");
    n_calls++;
    real_free(block);
}
