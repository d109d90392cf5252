/* SPDX-License-Identifier: BSD-3-Clause */
/* Compression for HDF5's filter "deflate" (zlib streams), with the fastest
 * library that configure found. */
#ifndef PDUMP_HDF5_DEFLATE_H
#define PDUMP_HDF5_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>

struct pdump_deflate;

/* Returns NULL if there is no memory.  Given: pdump_deflate_free(). */
struct pdump_deflate *pdump_deflate_new(int level);
void pdump_deflate_free(struct pdump_deflate *d);

/* Returns the most bytes that `len` bytes can become. */
size_t pdump_deflate_bound(struct pdump_deflate *d, size_t len);

/* Compresses `in` into `out`, which has `room` bytes.  Returns the number of
 * bytes written; 0 if there is no memory or not enough room. */
size_t pdump_deflate(struct pdump_deflate *d, const void *in, size_t len,
                     void *out, size_t room);

/* Decompresses `in`.  Returns false unless its `len` bytes are exactly one
 * stream with a correct checksum and `size` decompressed bytes. */
bool pdump_inflate(const void *in, size_t len, void *out, size_t size);

#endif
