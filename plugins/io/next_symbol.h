/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Standing in front of a function of the C library.
 *
 * All are looked up when the library is loaded, as dlsym() is nothing for a
 * signal handler; what is called before that is looked up then.
 */
#ifndef PDUMP_IO_NEXT_SYMBOL_H
#define PDUMP_IO_NEXT_SYMBOL_H

#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

/* The function of that name behind ours; kept in *at.  If there is none, one
 * that fails with ENOSYS. */
void *pdump_io_real_find(void *_Atomic *at, const char *name);

static inline void *pdump_io_real(void *_Atomic *at, const char *name)
{
    void *real = atomic_load_explicit(at, memory_order_relaxed);

    return __builtin_expect(real != NULL, 1) ? real
                                             : pdump_io_real_find(at, name);
}

/* Before the first use of REAL(name) in a file. */
#define PDUMP_IO_REAL(name)                                    \
    static void *_Atomic real_##name;                          \
    __attribute__((constructor)) static void find_##name(void) \
    {                                                          \
        pdump_io_real_find(&real_##name, #name);               \
    }

#define REAL(name) ((__typeof__(&name))pdump_io_real(&real_##name, #name))

#endif
