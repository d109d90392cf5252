/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates, writes and compares datasets. */
#include "h5_call.h"

#include <stdlib.h>
#include <string.h>

hid_t pdump_h5_memory_type(enum pdump_schema_type type)
{
    return type == PDUMP_SCHEMA_BYTE    ? H5T_NATIVE_UINT8
           : type == PDUMP_SCHEMA_INT32 ? H5T_NATIVE_INT32
           : type == PDUMP_SCHEMA_INT64 ? H5T_NATIVE_INT64
                                        : H5T_NATIVE_DOUBLE;
}

hid_t pdump_h5_file_type(enum pdump_schema_type type)
{
    return type == PDUMP_SCHEMA_BYTE    ? H5T_STD_U8LE
           : type == PDUMP_SCHEMA_INT32 ? H5T_STD_I32LE
           : type == PDUMP_SCHEMA_INT64 ? H5T_STD_I64LE
                                        : H5T_IEEE_F64LE;
}

static int64_t column_values(int n_dims, const hsize_t *dims)
{
    int64_t n = 1;

    for (int i = 0; i < n_dims; i++)
        n *= (int64_t)dims[i];
    return n;
}

/* Fills the last dimension first, so that rows that come in order fill one
 * chunk after the other. */
static void choose_chunk(int n_dims, const hsize_t *dims, hsize_t *chunk)
{
    hsize_t room = PDUMP_H5_CHUNK;

    for (int i = n_dims - 1; i >= 0; i--) {
        chunk[i] = dims[i] < room ? dims[i] : room;
        room /= chunk[i];
        if (room == 0)
            room = 1;
    }
}

/* HDF5 keeps the output of deflate even if it is longer than the input.  So
 * every chunk has zlib's checksum and needs none from HDF5. */
static int column_layout(hid_t list, enum pdump_schema_type type, int n_dims,
                         const hsize_t *dims, bool is_chunked)
{
    int64_t n = column_values(n_dims, dims);
    hsize_t chunk[2];

    if (n == 0)
        return 0;
    if (!is_chunked && n * (int64_t)pdump_schema_size(type) <= PDUMP_H5_SMALL)
        return H5Pset_layout(list, H5D_COMPACT);
    choose_chunk(n_dims, dims, chunk);
    if (H5Pset_chunk(list, n_dims, chunk) < 0 ||
        (pdump_schema_size(type) > 1 && H5Pset_shuffle(list) < 0))
        return -1;
    return H5Pset_deflate(list, PDUMP_H5_DEFLATE);
}

/* A chunk cache for two chunks: the one being filled and the next one. */
static hid_t cache_of_two(void)
{
    hid_t list = H5Pcreate(H5P_DATASET_ACCESS);

    H5Pset_chunk_cache(list, 11, 2 * PDUMP_H5_CHUNK * sizeof(int64_t), 1.0);
    return list;
}

static int column_create(const struct pdump_h5 *h, hid_t place,
                         const char *name, enum pdump_schema_type type,
                         int n_dims, const hsize_t *dims, bool is_chunked,
                         hid_t *out)
{
    hid_t space = H5Screate_simple(n_dims, dims, NULL);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t access = cache_of_two();
    int err = PDUMP_OK;

    *out = -1;
    H5Pset_obj_track_times(list, false);
    if (column_layout(list, type, n_dims, dims, is_chunked) >= 0)
        *out = H5Dcreate2(place, name, pdump_h5_file_type(type), space,
                          H5P_DEFAULT, list, access);
    if (*out < 0)
        err = pdump_h5_fail(h, PDUMP_EIO, name);
    H5Pclose(access);
    H5Pclose(list);
    H5Sclose(space);
    return err;
}

int pdump_h5_open_dataset(const struct pdump_h5 *h, int err, hid_t place,
                          const char *name, hid_t *out)
{
    hid_t access = cache_of_two();

    *out = H5Dopen2(place, name, access);
    err = *out < 0 ? pdump_h5_fail(h, err, name) : PDUMP_OK;
    H5Pclose(access);
    return err;
}

static bool has_shape(hid_t set, int n_dims, const hsize_t *dims)
{
    hid_t space = H5Dget_space(set);
    hsize_t found[3] = { 0 };
    bool is_same = H5Sget_simple_extent_ndims(space) == n_dims &&
                   H5Sget_simple_extent_dims(space, found, NULL) == n_dims;

    for (int i = 0; is_same && i < n_dims; i++)
        is_same = found[i] == dims[i];
    H5Sclose(space);
    return is_same;
}

int pdump_h5_dataset(const struct pdump_h5 *h, hid_t place, const char *name,
                     enum pdump_schema_type type, int n_dims,
                     const hsize_t *dims, bool is_chunked, hid_t *out)
{
    int err = pdump_h5_disk(h, PDUMP_OK);

    *out = -1;
    if (err < 0)
        return err; /* the disk has failed: no use in going on */
    if (h->mode == PDUMP_H5_MAKE)
        return column_create(h, place, name, type, n_dims, dims, is_chunked,
                             out);
    err = pdump_h5_open_dataset(h, PDUMP_EIO, place, name, out);
    if (err < 0)
        return err;
    if (!has_shape(*out, n_dims, dims)) {
        H5Dclose(*out);
        *out = -1;
        return pdump_fail(PDUMP_EIO, "%s: %s has another size than was written",
                          h->path, name);
    }
    return PDUMP_OK;
}

int pdump_h5_done(const struct pdump_h5 *h, hid_t set, const char *name,
                  int err)
{
    if (set >= 0 && H5Dclose(set) < 0 && err == PDUMP_OK)
        err = pdump_h5_fail(h, PDUMP_EIO, name);
    return err;
}

int pdump_h5_differs(const struct pdump_h5 *h, const char *name)
{
    return pdump_fail(PDUMP_EIO, "%s: %s is not what was written", h->path,
                      name);
}

static int column_compare(const struct pdump_h5 *h, hid_t set, const char *name,
                          enum pdump_schema_type type, hid_t in_memory,
                          hid_t in_file, int64_t n, const void *values)
{
    size_t len = (size_t)n * pdump_schema_size(type);
    char *back = malloc(len + 1);
    int err = PDUMP_OK;

    if (!back)
        return pdump_no_memory();
    if (H5Dread(set, pdump_h5_memory_type(type), in_memory, in_file,
                h->transfer, back) < 0)
        err = pdump_h5_fail(h, PDUMP_EIO, name);
    else if (len > 0 && memcmp(back, values, len) != 0)
        err = pdump_h5_differs(h, name);
    free(back);
    return err;
}

int pdump_h5_transfer(const struct pdump_h5 *h, hid_t set, const char *name,
                      enum pdump_schema_type type, hid_t in_memory,
                      hid_t in_file, int64_t n, const void *values)
{
    if (h->mode == PDUMP_H5_CHECK)
        return column_compare(h, set, name, type, in_memory, in_file, n,
                              values);
    if (H5Dwrite(set, pdump_h5_memory_type(type), in_memory, in_file,
                 h->transfer, values) < 0)
        return pdump_h5_fail(h, PDUMP_EIO, name);
    return PDUMP_OK;
}

int pdump_h5_put(const struct pdump_h5 *h, hid_t place, const char *name,
                 enum pdump_schema_type type, int64_t n, const void *values)
{
    hsize_t dims = (hsize_t)n;
    hid_t set;
    int err;

    if (h->mode == PDUMP_H5_FILL)
        return PDUMP_OK;
    err = pdump_h5_dataset(h, place, name, type, 1, &dims, false, &set);
    if (err == PDUMP_OK && n > 0)
        err =
            pdump_h5_transfer(h, set, name, type, H5S_ALL, H5S_ALL, n, values);
    return pdump_h5_done(h, set, name, err);
}
