/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A dataset that is written from its first value to its last.
 *
 * Its chunks are compressed here, as HDF5 would, but quicker; and what is in
 * the file can be seen to be what was written without expanding it.
 */
#ifndef PDUMP_HDF5_CHUNK_WRITER_H
#define PDUMP_HDF5_CHUNK_WRITER_H

#include "base/checksum.h"
#include "h5_call.h"

/* What the columns of a file need one after the other. */
struct pdump_h5_packer;
/* NULL: no memory. */
struct pdump_h5_packer *pdump_h5_packer_new(void);
void pdump_h5_packer_free(struct pdump_h5_packer *p);

struct pdump_h5_chunks {
    const struct pdump_h5 *h;
    hid_t set;
    const char *name;
    enum pdump_h5_type type;
    bool is_packed; /* or in the object header, as one */
    int n_dims;
    hsize_t dims[2];
    hsize_t size[2];           /* of a chunk */
    hsize_t at[2];             /* the chunk that comes now */
    size_t n;                  /* values of it that are there */
    char *values;              /* room for a chunk */
    struct pdump_checksum sum; /* of the bytes that were stored */
};

/* At the first chunk of a dataset that is open, empty or not.  Borrows set and
 * name.  Given: pdump_h5_chunks_close(). */
int pdump_h5_chunks_open(const struct pdump_h5 *h, hid_t set, const char *name,
                         enum pdump_h5_type type, struct pdump_h5_chunks *c);
void pdump_h5_chunks_close(struct pdump_h5_chunks *c);

/* The next n values, in the order of the dataset. */
int pdump_h5_chunks_put(struct pdump_h5_chunks *c, struct pdump_h5_packer *p,
                        int64_t n, const void *values);

/* Go through what is in the file instead: `sum` is then as if it had just been
 * written. */
int pdump_h5_chunks_read(struct pdump_h5_chunks *c, struct pdump_h5_packer *p);

#endif
