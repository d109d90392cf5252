/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads columns of a file whose content is not trusted. */
#include "read.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* Deflate cannot expand a byte to more than this. */
enum { EXPANSION_MAX = 1100 };

static int column_bad(const struct pdump_h5_column *c, const char *why)
{
    return pdump_fail(PDUMP_EFORMAT, "%s: %s: %s", c->h->path, c->name, why);
}

static int find_shape(struct pdump_h5_column *c)
{
    hid_t space = H5Dget_space(c->set);
    hsize_t dims[2] = { 0, 0 };
    int err = PDUMP_OK;

    c->n_dims = H5Sget_simple_extent_ndims(space);
    if (c->n_dims < 1 || c->n_dims > 2)
        err = column_bad(c, "has not one dimension or two");
    else
        H5Sget_simple_extent_dims(space, dims, NULL);
    H5Sclose(space);
    c->dims[0] = c->n_dims == 2 ? dims[0] : 1;
    c->dims[1] = c->n_dims == 2 ? dims[1] : dims[0];
    if (err == PDUMP_OK && (c->dims[0] > INT_MAX || c->dims[1] > INT_MAX))
        err = column_bad(c, "is too long");
    return err;
}

/* Checks the type and the length of a column.  HDF5 converts numbers of another
 * width; other types are refused.  A damaged length must not cost more memory
 * than the file's data can fill. */
static int check_content(const struct pdump_h5_column *c)
{
    hid_t type = H5Dget_type(c->set);
    H5T_class_t found = H5Tget_class(type);
    hsize_t size = H5Tget_size(type), file;
    /* Each dimension fits into an int. */
    bool is_too_long =
        __builtin_mul_overflow(size, c->dims[0] * c->dims[1], &size);

    H5Tclose(type);
    if (found != H5T_INTEGER &&
        (found != H5T_FLOAT || c->type != PDUMP_SCHEMA_REAL))
        return column_bad(c, "is not of the right type");
    if (H5Fget_filesize(c->h->file, &file) < 0 ||
        H5Dget_storage_size(c->set) > file)
        return column_bad(c, "is longer than the file");
    if (is_too_long || size / EXPANSION_MAX > H5Dget_storage_size(c->set))
        return column_bad(c, "is longer than its data");
    return PDUMP_OK;
}

int pdump_h5_has(const struct pdump_h5 *h, const char *group)
{
    htri_t is_there = H5Lexists(h->file, group, H5P_DEFAULT);

    return is_there < 0 ? pdump_h5_fail(h, PDUMP_EFORMAT, group) : is_there > 0;
}

int pdump_h5_column_open(const struct pdump_h5 *h, const char *name,
                         enum pdump_schema_type type,
                         struct pdump_h5_column *out)
{
    struct pdump_h5_column *c = out;
    int err;

    *c = (struct pdump_h5_column){ .h = h, .type = type };
    snprintf(c->name, sizeof(c->name), "%s", name);
    err = pdump_h5_open_dataset(h, PDUMP_EFORMAT, h->file, c->name, &c->set);
    if (err < 0)
        return err;
    err = find_shape(c);
    if (err == PDUMP_OK)
        err = pdump_h5_column_check(c);
    if (err == PDUMP_OK)
        err = check_content(c);
    if (err < 0)
        pdump_h5_column_close(c);
    return err;
}

void pdump_h5_column_close(struct pdump_h5_column *c)
{
    if (c->set >= 0)
        H5Dclose(c->set);
    c->set = -1;
}

int pdump_h5_column_read(const struct pdump_h5_column *c, hsize_t i, hsize_t j,
                         hsize_t n, void *out)
{
    hsize_t start[2] = { i, j }, count[2] = { 1, n };
    int skip = 2 - c->n_dims;
    hid_t in_memory, in_file;
    int err = PDUMP_OK;

    if (n == 0 || pdump_h5_column_unpack(c, j, n, out))
        return PDUMP_OK;
    err = pdump_h5_column_check_chunks(c, start, count);
    if (err < 0)
        return err;
    in_memory = H5Screate_simple(1, &n, NULL);
    in_file = H5Dget_space(c->set);
    if (H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start + skip, NULL,
                            count + skip, NULL) < 0 ||
        H5Dread(c->set, pdump_h5_memory_type(c->type), in_memory, in_file,
                c->h->transfer, out) < 0)
        err = pdump_h5_fail(c->h, PDUMP_EFORMAT, c->name);
    H5Sclose(in_file);
    H5Sclose(in_memory);
    return err;
}

/* Closes the column; after an error, *out is freed and set to NULL. */
static int column_close(struct pdump_h5_column *c, int err, void **out)
{
    pdump_h5_column_close(c);
    if (err < 0) {
        free(*out);
        *out = NULL;
    }
    return err;
}

int pdump_h5_get(const struct pdump_h5 *h, const char *name,
                 enum pdump_schema_type type, int64_t *n, void **out)
{
    struct pdump_h5_column c;
    int err = pdump_h5_column_open(h, name, type, &c);

    if (err < 0)
        return err;
    *out = NULL;
    if (c.n_dims != 1 || (*n >= 0 && c.dims[1] != (hsize_t)*n))
        err = column_bad(&c, "has not the length of its table");
    else
        *out = malloc((size_t)c.dims[1] * pdump_schema_size(type) + 1);
    if (err == PDUMP_OK && !*out)
        err = pdump_no_memory();
    if (err == PDUMP_OK)
        err = pdump_h5_column_read(&c, 0, 0, c.dims[1], *out);
    *n = (int64_t)c.dims[1];
    return column_close(&c, err, out);
}

static int read_wide(const struct pdump_h5_column *c, void **out)
{
    size_t n = (size_t)(c->dims[0] * c->dims[1]);
    int err = pdump_h5_column_check_chunks(c, (hsize_t[2]){ 0, 0 }, c->dims);

    if (err < 0)
        return err;
    *out = malloc(n * pdump_schema_size(c->type) + 1);
    if (!*out)
        return pdump_no_memory();
    if (n > 0 && H5Dread(c->set, pdump_h5_memory_type(c->type), H5S_ALL,
                         H5S_ALL, c->h->transfer, *out) < 0)
        return pdump_h5_fail(c->h, PDUMP_EFORMAT, c->name);
    return PDUMP_OK;
}

int pdump_h5_get_wide(const struct pdump_h5 *h, const char *name,
                      enum pdump_schema_type type, int64_t n, int width,
                      void **out)
{
    struct pdump_h5_column c;
    int err;

    if (width == 1)
        return pdump_h5_get(h, name, type, &n, out);
    *out = NULL;
    err = pdump_h5_column_open(h, name, type, &c);
    if (err < 0)
        return err;
    if (c.n_dims != 2 || c.dims[0] != (hsize_t)n || c.dims[1] != (hsize_t)width)
        err = column_bad(&c, "has not the size of its table");
    else
        err = read_wide(&c, out);
    return column_close(&c, err, out);
}

int pdump_h5_refuse(const struct pdump_h5 *h, const char *table, int64_t i,
                    int err)
{
    char why[200];

    if (err == PDUMP_ENOMEM)
        return err;
    snprintf(why, sizeof(why), "%s", pdump_last_error());
    return pdump_fail(PDUMP_EFORMAT, "%s: /%s[%lld]: %s", h->path, table,
                      (long long)i, why);
}
