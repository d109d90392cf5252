/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory the allocator has given out, for tests of leaks. */
#ifndef PDUMP_TESTS_ALLOCATED_H
#define PDUMP_TESTS_ALLOCATED_H

#include <malloc.h>

/* Always 0 if the C library cannot tell. */
static inline size_t allocated(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    return mallinfo2().uordblks;
#else
    return 0;
#endif
}

#endif
