/* SPDX-License-Identifier: BSD-3-Clause */
/* Compression by libdeflate: zlib's format, two to three times faster. */
#include "deflate.h"

#include <libdeflate.h>

static struct libdeflate_compressor *inner(struct pdump_deflate *d)
{
    return (struct libdeflate_compressor *)d;
}

struct pdump_deflate *pdump_deflate_new(int level)
{
    return (struct pdump_deflate *)libdeflate_alloc_compressor(level);
}

void pdump_deflate_free(struct pdump_deflate *d)
{
    libdeflate_free_compressor(inner(d));
}

size_t pdump_deflate_bound(struct pdump_deflate *d, size_t len)
{
    return libdeflate_zlib_compress_bound(inner(d), len);
}

size_t pdump_deflate(struct pdump_deflate *d, const void *in, size_t len,
                     void *out, size_t room)
{
    return libdeflate_zlib_compress(inner(d), in, len, out, room);
}

bool pdump_inflate(const void *in, size_t len, void *out, size_t size)
{
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    bool is_good = d && libdeflate_zlib_decompress(d, in, len, out, size,
                                                   NULL) == LIBDEFLATE_SUCCESS;

    if (d)
        libdeflate_free_decompressor(d);
    return is_good;
}
