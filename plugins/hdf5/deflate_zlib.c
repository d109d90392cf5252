/* SPDX-License-Identifier: BSD-3-Clause */
/* Compression by zlib, which HDF5 itself needs. */
#include "deflate.h"

#include <stdlib.h>
#include <zlib.h>

struct pdump_deflate {
    int level;
};

struct pdump_deflate *pdump_deflate_new(int level)
{
    struct pdump_deflate *d = malloc(sizeof(*d));

    if (d)
        d->level = level;
    return d;
}

void pdump_deflate_free(struct pdump_deflate *d)
{
    free(d);
}

size_t pdump_deflate_bound(struct pdump_deflate *d, size_t len)
{
    (void)d;
    return compressBound(len);
}

size_t pdump_deflate(struct pdump_deflate *d, const void *in, size_t len,
                     void *out, size_t room)
{
    uLongf used = room;

    return compress2(out, &used, in, len, d->level) == Z_OK ? used : 0;
}

bool pdump_inflate(const void *in, size_t len, void *out, size_t size)
{
    uLongf used = size;

    return uncompress(out, &used, in, len) == Z_OK && used == size;
}
