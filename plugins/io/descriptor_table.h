/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors: which file each is, and where in it.
 *
 * Threads may use one at once, and lose each other's change of a position; but
 * never a file's number.  What is not known is found out on the next use, so
 * whoever misses a close() or an open() does no lasting damage.  No locks, no
 * malloc().
 */
#ifndef PDUMP_IO_DESCRIPTOR_TABLE_H
#define PDUMP_IO_DESCRIPTOR_TABLE_H

#include <stdatomic.h>
#include <stdint.h>

/* A cache line each: files of different threads stand side by side. */
struct pdump_io_descriptor {
    _Alignas(64) _Atomic uint32_t file; /* of file_table.h */
    _Atomic int64_t position;           /* of the next read() or write() */
    _Atomic int64_t end;                /* of the last one */
};

/* NULL for what is no descriptor, beyond the table, or without memory. */
struct pdump_io_descriptor *pdump_io_table_at(int fd);

/* A descriptor whose file is known now, and which starts at `position`. */
void pdump_io_table_set(int fd, uint32_t file, int64_t position);

/* What is known of `from` is known of `to`. */
void pdump_io_table_copy(int from, int to);

/* Forget [first, last]. */
void pdump_io_table_forget(unsigned first, unsigned last);

#endif
