/* SPDX-License-Identifier: BSD-3-Clause */
/* Compression as HDF5's filter "deflate" expects it (a zlib stream), by the
 * quickest library that configure found. */
#ifndef PDUMP_HDF5_DEFLATE_H
#define PDUMP_HDF5_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>

struct pdump_deflate;

/* NULL: no memory.  Given: pdump_deflate_free(). */
struct pdump_deflate *pdump_deflate_new(int level);
void pdump_deflate_free(struct pdump_deflate *d);

/* `len` bytes never become more than that. */
size_t pdump_deflate_bound(struct pdump_deflate *d, size_t len);

/* How many bytes of `out`, which has `room` of them, were used; 0: no memory,
 * or no room. */
size_t pdump_deflate(struct pdump_deflate *d, const void *in, size_t len,
                     void *out, size_t room);

/* The way back: false unless `len` bytes are one whole stream, whose sum is
 * right, of exactly `size` bytes. */
bool pdump_inflate(const void *in, size_t len, void *out, size_t size);

#endif
