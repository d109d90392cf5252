/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An MPI for Fortran that does nothing, to be preloaded in front of the real
 * one: it notes what it is given, and sets ierror.  fakes.h, which the test
 * makes, has FAKE(name) for each of its subroutines.
 */
#include <stdint.h>
#include <string.h>

#define API __attribute__((visibility("default")))

enum { WORDS = 24 };

API uintptr_t fake_seen[WORDS];
API int fake_calls;
API int fake_ierror; /* number of the argument, from 0 */
API int32_t fake_code;

#define PARAMETERS                                                       \
    uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e,     \
        uintptr_t f, uintptr_t g, uintptr_t h, uintptr_t i, uintptr_t j, \
        uintptr_t k, uintptr_t l, uintptr_t m, uintptr_t n, uintptr_t o, \
        uintptr_t p, uintptr_t q
#define VALUES                                               \
    {                                                        \
        a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, 0 \
    }

static void take(const uintptr_t *words)
{
    memcpy(fake_seen, words, sizeof(fake_seen));
    fake_calls++;
    *(int32_t *)words[fake_ierror] = fake_code;
}

#define FAKE(name)                         \
    API void p##name(PARAMETERS);          \
    void p##name(PARAMETERS)               \
    {                                      \
        const uintptr_t words[] = VALUES;  \
        uintptr_t all[WORDS] = { 0 };      \
                                           \
        memcpy(all, words, sizeof(words)); \
        take(all);                         \
    }

#include "fakes.h"
