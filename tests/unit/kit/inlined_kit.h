/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that the compiler puts into others, for the tests of frames. */
#ifndef PDUMP_TESTS_INLINED_KIT_H
#define PDUMP_TESTS_INLINED_KIT_H

#define KEPT(x) __asm__ volatile("" : "+r"(x))
#define INLINED static inline __attribute__((always_inline))
#define APART static __attribute__((noinline))

static int inner_line, middle_line, outer_line;

/* Returns where it was called. */
APART void *here(void)
{
    return __builtin_return_address(0);
}

INLINED void *inner(int x)
{
    void *address;

    KEPT(x);
    inner_line = __LINE__ + 1;
    address = here();
    KEPT(address);
    return address;
}

INLINED void *middle(int x)
{
    void *address;

    KEPT(x);
    middle_line = __LINE__ + 1;
    address = inner(x);
    KEPT(address);
    return address;
}

/* Returns the address behind the call in inner(), which is a part of middle(),
 * which is a part of this function. */
APART void *outer(int x)
{
    void *address;

    KEPT(x);
    outer_line = __LINE__ + 1;
    address = middle(x);
    KEPT(address);
    return address;
}

#endif
