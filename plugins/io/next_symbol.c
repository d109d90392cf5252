/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up the C library's function behind a wrapper. */
#include "next_symbol.h"

#include <dlfcn.h>
#include <errno.h>

/* Called instead of a function that this C library does not have. */
static ssize_t missing_function(void)
{
    errno = ENOSYS;
    return -1;
}

void *pdump_io_real_find(void *_Atomic *at, const char *name)
{
    void *real = dlsym(RTLD_NEXT, name);

    if (!real)
        real = (void *)missing_function;
    atomic_store_explicit(at, real, memory_order_relaxed);
    return real;
}
