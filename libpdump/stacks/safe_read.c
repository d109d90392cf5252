/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads that cannot fault: the kernel copies, and returns an error instead. */
#include "stacks/safe_read.h"

#include <stdatomic.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    PAGE = 4096, /* the smallest page: more bytes are read than needed */
    PAGES_AT_ONCE = 32,
};

/* getpid() is a system call. */
static _Atomic pid_t own;

static pid_t own_pid(void)
{
    pid_t pid = atomic_load_explicit(&own, memory_order_relaxed);

    if (!pid)
        own = pid = getpid();
    return pid;
}

void pdump_safe_read_forked(void)
{
    own = 0;
}

size_t pdump_safe_read_some(void *to, uintptr_t from, size_t n)
{
    struct iovec here = { to, n }, there = { (void *)from, n };
    ssize_t done = process_vm_readv(own_pid(), &here, 1, &there, 1, 0);

    return done > 0 ? (size_t)done : 0;
}

bool pdump_safe_read(void *to, uintptr_t from, size_t n)
{
    return pdump_safe_read_some(to, from, n) == n;
}

bool pdump_safe_read_words(uint64_t *to, const uintptr_t *from, int n)
{
    size_t bytes = (size_t)n * sizeof(*to);
    struct iovec here = { to, bytes }, there[PDUMP_SAFE_READ_WORDS];

    for (int i = 0; i < n; i++)
        there[i] = (struct iovec){ (void *)from[i], sizeof(*to) };
    return process_vm_readv(own_pid(), &here, 1, there, (unsigned long)n, 0) ==
           (ssize_t)bytes;
}

bool pdump_safe_read_all_pages(uintptr_t low, uintptr_t high)
{
    unsigned char bytes[PAGES_AT_ONCE];
    struct iovec there[PAGES_AT_ONCE];

    for (low &= ~(uintptr_t)(PAGE - 1); low < high;) {
        struct iovec here = { bytes, 0 };
        int n = 0;

        for (; low < high && n < PAGES_AT_ONCE; low += PAGE)
            there[n++] = (struct iovec){ (void *)low, 1 };
        here.iov_len = (size_t)n;
        if (process_vm_readv(own_pid(), &here, 1, there, (unsigned long)n, 0) !=
            n)
            return false;
    }
    return true;
}

bool pdump_safe_read_works(void)
{
    uint64_t from = 1, to = 0;

    return pdump_safe_read(&to, (uintptr_t)&from, sizeof(to)) && to == from;
}
