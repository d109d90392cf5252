/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Refuses datasets that HDF5 must not read for us: their data is in another
 * file, a filter would have to be loaded as code, or a chunk becomes longer
 * than it may when it is decompressed.
 *
 * External links and the sources of virtual datasets are not opened in any
 * case: see file_driver.h.
 */
#include "deflate.h"
#include "h5_layout.h"
#include "read.h"

#include <stdlib.h>

/* Deflate cannot expand a byte to more than EXPANSION_MAX, and files that other
 * programs have packed anew have chunks that fit into memory. */
enum { EXPANSION_MAX = 1100, CHUNK_MAX = 1 << 28 };

static int column_refuse(const struct pdump_h5_column *c, const char *why)
{
    return pdump_fail(PDUMP_EFORMAT, "%s: %s: %s", c->h->path, c->name, why);
}

/* Returns the position of deflate in the pipeline, or -1. */
static int find_deflate(hid_t list)
{
    int n = H5Pget_nfilters(list);

    return n > 0 && H5Pget_filter2(list, (unsigned)n - 1, &(unsigned){ 0 },
                                   &(size_t){ 0 }, NULL, 0, NULL,
                                   NULL) == H5Z_FILTER_DEFLATE
               ? n - 1
               : -1;
}

/* Only shuffle, and deflate as the last one: what pdump and h5repack write. */
static bool has_other_filters(hid_t list)
{
    int n = H5Pget_nfilters(list), deflate = find_deflate(list);

    for (int i = 0; i < n; i++)
        if (i != deflate &&
            H5Pget_filter2(list, (unsigned)i, &(unsigned){ 0 }, &(size_t){ 0 },
                           NULL, 0, NULL, NULL) != H5Z_FILTER_SHUFFLE)
            return true;
    return n < 0;
}

int pdump_h5_column_check(const struct pdump_h5_column *c)
{
    hid_t list = H5Dget_create_plist(c->set);
    H5D_layout_t layout = H5Pget_layout(list);
    int err = PDUMP_OK;

    if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS &&
        layout != H5D_CHUNKED)
        err = column_refuse(c, "its data is in other datasets (virtual)");
    else if (layout == H5D_CONTIGUOUS && H5Pget_external_count(list) != 0)
        err = column_refuse(c, "its data is in other files (external)");
    else if (has_other_filters(list))
        err = column_refuse(c, "has a filter other than shuffle and deflate "
                               "(h5repack -f GZIP=1)");
    H5Pclose(list);
    return err;
}

/* A chunk: where it is, and how many bytes it must become. */
struct chunk {
    hsize_t at[2];
    size_t bytes;
    uint32_t deflate; /* the bit of the filter in the mask of skipped ones */
};

static bool chunk_fits(const struct pdump_h5_column *c, const struct chunk *k)
{
    const hsize_t *at = k->at + 2 - c->n_dims;
    uint32_t skipped = 0;
    hsize_t size = 0;
    bool is_good = false;
    char *packed, *bytes;

    if (H5Dget_chunk_storage_size(c->set, at, &size) < 0 || size == 0)
        return true; /* there is none: HDF5 gives zeros */
    if (k->bytes / EXPANSION_MAX > size || size > 2 * k->bytes + 4096)
        return false;
    packed = malloc(size);
    bytes = malloc(k->bytes);
    if (packed && bytes &&
        H5Dread_chunk(c->set, c->h->transfer, at, &skipped, packed) >= 0)
        is_good = skipped & k->deflate
                      ? size == k->bytes
                      : pdump_inflate(packed, size, bytes, k->bytes);
    free(packed);
    free(bytes);
    return is_good;
}

/* The bytes of a chunk, whose dimensions are set as in the column; 0 if it is
 * too large. */
static size_t find_chunk(const struct pdump_h5_column *c, hid_t list,
                         hsize_t dims[2])
{
    hid_t type = H5Dget_type(c->set);
    hsize_t bytes = H5Tget_size(type);

    H5Tclose(type);
    dims[0] = 1;
    if (H5Pget_chunk(list, c->n_dims, dims + 2 - c->n_dims) != c->n_dims ||
        dims[0] == 0 || dims[1] == 0 || dims[0] > CHUNK_MAX ||
        dims[1] > CHUNK_MAX || bytes > CHUNK_MAX ||
        dims[0] * dims[1] > CHUNK_MAX / bytes)
        return 0;
    return (size_t)(dims[0] * dims[1] * bytes);
}

static bool chunks_fit(const struct pdump_h5_column *c, hid_t list,
                       const hsize_t start[2], const hsize_t count[2])
{
    int deflate = find_deflate(list);
    hsize_t dims[2];
    struct chunk k = { .bytes = find_chunk(c, list, dims),
                       .deflate = deflate < 0 ? 0 : 1u << deflate };
    bool is_good = k.bytes > 0;

    k.at[0] = is_good ? start[0] - start[0] % dims[0] : 0;
    for (; is_good && deflate >= 0 && k.at[0] < start[0] + count[0];
         k.at[0] += dims[0]) {
        k.at[1] = start[1] - start[1] % dims[1];
        for (; is_good && k.at[1] < start[1] + count[1]; k.at[1] += dims[1])
            is_good = chunk_fits(c, &k);
    }
    return is_good;
}

int pdump_h5_column_check_chunks(const struct pdump_h5_column *c,
                                 const hsize_t start[2], const hsize_t count[2])
{
    hid_t list = H5Dget_create_plist(c->set);
    bool is_good =
        H5Pget_layout(list) != H5D_CHUNKED || chunks_fit(c, list, start, count);

    H5Pclose(list);
    return is_good ? PDUMP_OK
                   : column_refuse(c, "a chunk has not the size that it must "
                                      "have");
}
