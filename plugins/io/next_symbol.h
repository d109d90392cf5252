/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks up the C library's function behind a wrapper.
 *
 * All functions are looked up when this library is loaded, because dlsym() must
 * not be called in a signal handler.  A function that is called earlier is
 * looked up at that time.
 */
#ifndef PDUMP_IO_NEXT_SYMBOL_H
#define PDUMP_IO_NEXT_SYMBOL_H

#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

/* Finds the next function of that name after ours, and keeps it in *at.  If
 * there is none, returns a function that fails with ENOSYS. */
void *pdump_io_real_find(void *_Atomic *at, const char *name);

static inline void *pdump_io_real(void *_Atomic *at, const char *name)
{
    void *real = atomic_load_explicit(at, memory_order_relaxed);

    return __builtin_expect(real != NULL, 1) ? real
                                             : pdump_io_real_find(at, name);
}

/* Stands before the first use of REAL(name) in a file. */
#define PDUMP_IO_REAL(name)                                    \
    static void *_Atomic real_##name;                          \
    __attribute__((constructor)) static void find_##name(void) \
    {                                                          \
        pdump_io_real_find(&real_##name, #name);               \
    }

#define REAL(name) ((__typeof__(&name))pdump_io_real(&real_##name, #name))

#endif
