/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of descriptors: chunks that are mapped on demand and never
 * unmapped. */
#include "descriptor_table.h"

#include <stddef.h>
#include <sys/mman.h>

enum { CHUNK = 1024, CHUNKS = 1024 };

static struct pdump_io_descriptor *_Atomic chunks[CHUNKS];

static struct pdump_io_descriptor *descriptor_make(unsigned index)
{
    struct pdump_io_descriptor *old = NULL;
    size_t size = CHUNK * sizeof(*old);
    void *new = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (new == MAP_FAILED)
        return NULL;
    if (atomic_compare_exchange_strong(&chunks[index], &old, new))
        return new;
    munmap(new, size);
    return old;
}

struct pdump_io_descriptor *pdump_io_table_at(int fd)
{
    unsigned index = (unsigned)fd / CHUNK;
    struct pdump_io_descriptor *chunk;

    if (index >= CHUNKS)
        return NULL;
    chunk = atomic_load_explicit(&chunks[index], memory_order_acquire);
    if (!chunk)
        chunk = descriptor_make(index);
    return chunk ? &chunk[(unsigned)fd % CHUNK] : NULL;
}

void pdump_io_table_set(int fd, uint32_t file, int64_t position)
{
    struct pdump_io_descriptor *d = pdump_io_table_at(fd);

    if (!d)
        return;
    atomic_store_explicit(&d->position, position, memory_order_relaxed);
    atomic_store_explicit(&d->end, position, memory_order_relaxed);
    atomic_store_explicit(&d->file, file, memory_order_release);
}

void pdump_io_table_copy(int from, int to)
{
    struct pdump_io_descriptor *a = pdump_io_table_at(from);
    struct pdump_io_descriptor *b = pdump_io_table_at(to);

    if (a == b || !b)
        return;
    pdump_io_table_set(to, a ? a->file : 0, a ? a->position : 0);
    if (a)
        atomic_store_explicit(&b->end, a->end, memory_order_relaxed);
}

void pdump_io_table_forget(unsigned first, unsigned last)
{
    if (last >= CHUNK * CHUNKS)
        last = CHUNK * CHUNKS - 1;
    while (first <= last) {
        struct pdump_io_descriptor *chunk = chunks[first / CHUNK];

        if (chunk)
            atomic_store_explicit(&chunk[first % CHUNK].file, 0,
                                  memory_order_release);
        first = chunk ? first + 1 : (first / CHUNK + 1) * CHUNK;
    }
}
