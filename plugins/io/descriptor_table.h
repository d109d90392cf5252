/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of descriptors: the file of each, and the position in it.
 *
 * Threads may use a descriptor at the same time; an update of the position may
 * be lost then, but never a file number.  An unknown descriptor is looked up on
 * its next use, so a missed open() or close() does no lasting harm.  No locks,
 * no malloc().
 */
#ifndef PDUMP_IO_DESCRIPTOR_TABLE_H
#define PDUMP_IO_DESCRIPTOR_TABLE_H

#include <stdatomic.h>
#include <stdint.h>

/* One cache line each, because different threads use neighbouring
 * descriptors. */
struct pdump_io_descriptor {
    _Alignas(64) _Atomic uint32_t file; /* number of file_table.h */
    _Atomic int64_t position;           /* of the next read() or write() */
    _Atomic int64_t end;                /* where the last one ended */
};

/* Returns NULL if fd is negative or beyond the table, or if there is no
 * memory. */
struct pdump_io_descriptor *pdump_io_table_at(int fd);

/* Sets the file of a descriptor and its position. */
void pdump_io_table_set(int fd, uint32_t file, int64_t position);

/* Copies the entry of `from` to `to`. */
void pdump_io_table_copy(int from, int to);

/* Forgets the descriptors [first, last]. */
void pdump_io_table_forget(unsigned first, unsigned last);

#endif
