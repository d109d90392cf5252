/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a dataset sequentially, from its first value to its last. */
#include "chunk_writer.h"
#include "deflate.h"

#include <stdlib.h>
#include <string.h>

struct pdump_h5_packer {
    struct pdump_deflate *deflate;
    size_t room; /* of `packed`: the largest compressed chunk */
    char *packed;
    char shuffled[PDUMP_H5_CHUNK * sizeof(int64_t)];
};

struct pdump_h5_packer *pdump_h5_packer_new(void)
{
    struct pdump_h5_packer *p = calloc(1, sizeof(*p));

    if (!p)
        return NULL;
    p->deflate = pdump_deflate_new(PDUMP_H5_DEFLATE);
    if (p->deflate) {
        p->room = pdump_deflate_bound(p->deflate, sizeof(p->shuffled));
        p->packed = malloc(p->room);
    }
    if (p->packed)
        return p;
    pdump_h5_packer_free(p);
    return NULL;
}

void pdump_h5_packer_free(struct pdump_h5_packer *p)
{
    if (!p)
        return;
    if (p->deflate)
        pdump_deflate_free(p->deflate);
    free(p->packed);
    free(p);
}

static void chunks_look(struct pdump_h5_chunks *c)
{
    hid_t space = H5Dget_space(c->set);
    hid_t list = H5Dget_create_plist(c->set);

    c->n_dims = H5Sget_simple_extent_ndims(space);
    H5Sget_simple_extent_dims(space, c->dims, NULL);
    c->is_packed = H5Pget_layout(list) == H5D_CHUNKED;
    memcpy(c->size, c->dims, sizeof(c->size));
    if (c->is_packed)
        H5Pget_chunk(list, c->n_dims, c->size);
    H5Pclose(list);
    H5Sclose(space);
}

static size_t chunk_values(int n_dims, const hsize_t *size)
{
    return (size_t)(n_dims == 2 ? size[0] * size[1] : size[0]);
}

/* Returns how many values of the current chunk lie within the dataset.  They
 * are contiguous: a chunk is as wide as the dataset, or one line high. */
static size_t chunk_values_within(const struct pdump_h5_chunks *c)
{
    hsize_t size[2] = { 0, 0 };

    for (int i = 0; i < c->n_dims; i++) {
        hsize_t left = c->at[i] < c->dims[i] ? c->dims[i] - c->at[i] : 0;

        size[i] = left < c->size[i] ? left : c->size[i];
    }
    return chunk_values(c->n_dims, size);
}

int pdump_h5_chunks_open(const struct pdump_h5 *h, hid_t set, const char *name,
                         enum pdump_schema_type type, struct pdump_h5_chunks *c)
{
    *c = (struct pdump_h5_chunks){
        .h = h, .set = set, .name = name, .type = type
    };
    chunks_look(c);
    c->values = calloc(chunk_values(c->n_dims, c->size) + 1, sizeof(int64_t));
    return c->values ? PDUMP_OK : pdump_no_memory();
}

void pdump_h5_chunks_close(struct pdump_h5_chunks *c)
{
    free(c->values);
    c->values = NULL;
}

static void go_on(struct pdump_h5_chunks *c)
{
    int last = c->n_dims - 1;

    c->n = 0;
    c->at[last] += c->size[last];
    if (last > 0 && c->at[last] >= c->dims[last]) {
        c->at[last] = 0;
        c->at[0] += c->size[0];
    }
}

/* As HDF5's shuffle filter: the first bytes of all values, then the second
 * ones. */
static void values_shuffle(const char *values, size_t n, size_t width,
                           char *out)
{
    for (size_t byte = 0; byte < width; byte++)
        for (size_t i = 0; i < n; i++)
            *out++ = values[i * width + byte];
}

/* Compresses and stores the chunk; values beyond the dataset's end are
 * zeros. */
static int store_packed(struct pdump_h5_chunks *c, struct pdump_h5_packer *p)
{
    size_t width = pdump_schema_size(c->type);
    size_t n = chunk_values(c->n_dims, c->size), len;

    memset(c->values + c->n * width, 0, (n - c->n) * width);
    if (H5Tconvert(pdump_h5_memory_type(c->type), pdump_h5_file_type(c->type),
                   n, c->values, NULL, H5P_DEFAULT) < 0)
        return pdump_h5_fail(c->h, PDUMP_EIO, c->name);
    values_shuffle(c->values, n, width, p->shuffled);
    len = pdump_deflate(p->deflate, p->shuffled, n * width, p->packed, p->room);
    if (len == 0)
        return pdump_no_memory();
    pdump_checksum_add(&c->sum, p->packed, len);
    if (H5Dwrite_chunk(c->set, c->h->transfer, 0, c->at, len, p->packed) < 0)
        return pdump_h5_fail(c->h, PDUMP_EIO, c->name);
    return PDUMP_OK;
}

static int store_whole(struct pdump_h5_chunks *c)
{
    hid_t type = pdump_h5_memory_type(c->type);

    pdump_checksum_add(&c->sum, c->values, c->n * pdump_schema_size(c->type));
    if (H5Dwrite(c->set, type, H5S_ALL, H5S_ALL, c->h->transfer, c->values) < 0)
        return pdump_h5_fail(c->h, PDUMP_EIO, c->name);
    return PDUMP_OK;
}

int pdump_h5_chunks_put(struct pdump_h5_chunks *c, struct pdump_h5_packer *p,
                        int64_t n, const void *values)
{
    size_t width = pdump_schema_size(c->type), left = (size_t)n;
    const char *from = values;
    int err = PDUMP_OK;

    while (err == PDUMP_OK && left > 0) {
        size_t room = chunk_values_within(c) - c->n,
               take = left < room ? left : room;

        if (room == 0)
            return pdump_fail(PDUMP_EINVAL, "%s: %s: more values than rows",
                              c->h->path, c->name);
        memcpy(c->values + c->n * width, from, take * width);
        c->n += take;
        from += take * width;
        left -= take;
        if (take < room)
            break;
        err = c->is_packed ? store_packed(c, p) : store_whole(c);
        go_on(c);
    }
    return err;
}

static int read_packed(struct pdump_h5_chunks *c, struct pdump_h5_packer *p)
{
    uint32_t filters = 0;
    hsize_t len = 0;

    if (H5Dget_chunk_storage_size(c->set, c->at, &len) < 0 || len > p->room ||
        H5Dread_chunk(c->set, c->h->transfer, c->at, &filters, p->packed) < 0)
        return pdump_h5_fail(c->h, PDUMP_EIO, c->name);
    pdump_checksum_add(&c->sum, p->packed, len);
    return filters ? pdump_h5_differs(c->h, c->name) : PDUMP_OK;
}

static int read_whole(struct pdump_h5_chunks *c)
{
    size_t len = chunk_values(c->n_dims, c->dims) * pdump_schema_size(c->type);
    hid_t type = pdump_h5_memory_type(c->type);

    if (H5Dread(c->set, type, H5S_ALL, H5S_ALL, c->h->transfer, c->values) < 0)
        return pdump_h5_fail(c->h, PDUMP_EIO, c->name);
    pdump_checksum_add(&c->sum, c->values, len);
    return PDUMP_OK;
}

int pdump_h5_chunks_read(struct pdump_h5_chunks *c, struct pdump_h5_packer *p)
{
    int err = PDUMP_OK;

    for (; err == PDUMP_OK && c->at[0] < c->dims[0]; go_on(c))
        err = c->is_packed ? read_packed(c, p) : read_whole(c);
    return err;
}
