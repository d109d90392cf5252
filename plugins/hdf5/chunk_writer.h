/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a dataset sequentially, from its first value to its last.
 *
 * The chunks are compressed here, as HDF5 would do it, but faster.  A checksum
 * of the stored bytes makes it possible to verify the file without
 * decompressing it.
 */
#ifndef PDUMP_HDF5_CHUNK_WRITER_H
#define PDUMP_HDF5_CHUNK_WRITER_H

#include "base/checksum.h"
#include "h5_call.h"

/* Buffers and compressor, used by one column of a file after the other. */
struct pdump_h5_packer;
/* Returns NULL if there is no memory. */
struct pdump_h5_packer *pdump_h5_packer_new(void);
void pdump_h5_packer_free(struct pdump_h5_packer *p);

struct pdump_h5_chunks {
    const struct pdump_h5 *h;
    hid_t set;
    const char *name;
    enum pdump_schema_type type;
    bool is_packed; /* false: contiguous, in the object header */
    int n_dims;
    hsize_t dims[2];
    hsize_t size[2];           /* of a chunk */
    hsize_t at[2];             /* offset of the current chunk */
    size_t n;                  /* values in `values` so far */
    char *values;              /* buffer for one chunk */
    struct pdump_checksum sum; /* of the stored bytes */
};

/* Starts at the first chunk of an open dataset, whether it has data or not.
 * Borrows set and name.  Given: pdump_h5_chunks_close(). */
int pdump_h5_chunks_open(const struct pdump_h5 *h, hid_t set, const char *name,
                         enum pdump_schema_type type,
                         struct pdump_h5_chunks *c);
void pdump_h5_chunks_close(struct pdump_h5_chunks *c);

/* Appends the next n values, in the order of the dataset. */
int pdump_h5_chunks_put(struct pdump_h5_chunks *c, struct pdump_h5_packer *p,
                        int64_t n, const void *values);

/* Reads the dataset from the file instead of writing it.  Afterwards `sum` is
 * the same as if the data had just been written. */
int pdump_h5_chunks_read(struct pdump_h5_chunks *c, struct pdump_h5_packer *p);

#endif
