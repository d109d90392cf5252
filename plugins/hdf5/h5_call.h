/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 calls that say what went wrong, in our words and in HDF5's. */
#ifndef PDUMP_HDF5_H5_CALL_H
#define PDUMP_HDF5_H5_CALL_H

#include "base/error.h"
#include "h5_layout.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* Element types, in the file and in memory. */
enum pdump_h5_type {
    PDUMP_H5_BYTE, /* uint8_t */
    PDUMP_H5_INT32,
    PDUMP_H5_INT64,
    PDUMP_H5_REAL, /* double */
};

/* What is done with the values that are put into a file. */
enum pdump_h5_mode {
    PDUMP_H5_MAKE,  /* datasets are made and written */
    PDUMP_H5_CHECK, /* nothing is written, what would be is compared */
    PDUMP_H5_FILL,  /* datasets are there; rows and samples are written */
};

/* An open file. */
struct pdump_h5 {
    hid_t file;
    const char *path; /* borrowed */
    enum pdump_h5_mode mode;
    hid_t transfer; /* property list of reads and writes; H5P_DEFAULT */
    hid_t driver;   /* of file_driver.h, or -1 */
};

size_t pdump_h5_size(enum pdump_h5_type type);
hid_t pdump_h5_memory_type(enum pdump_h5_type type);
hid_t pdump_h5_file_type(enum pdump_h5_type type);

/*
 * Around everything that a module does: one thread at a time, and HDF5 prints
 * nothing by itself.  What the program told HDF5 about printing is put back.
 */
void pdump_h5_enter(void);
void pdump_h5_leave(void);

/* "PATH: WHERE: why", the reason from HDF5's last failed call; returns err. */
int pdump_h5_fail(const struct pdump_h5 *h, int err, const char *where);

/* PDUMP_EIO if a file that is being made could not be written, else err. */
int pdump_h5_disk(const struct pdump_h5 *h, int err);

/* A property list for opening files: no lock, as the file has nobody else's
 * data, and some file systems refuse locks.  Given: H5Pclose(). */
hid_t pdump_h5_access(void);

/* `path` becomes an empty HDF5 file. */
int pdump_h5_create(struct pdump_h5 *h, const char *path);
/* Read only: to check, or to read. */
int pdump_h5_open(struct pdump_h5 *h, const char *path);
/* Always closes.  Returns err, or what came up now if err is PDUMP_OK. */
int pdump_h5_close(struct pdump_h5 *h, int err);

/* A group in `place`, made or opened, as the mode says.  Given: H5Gclose(). */
int pdump_h5_group(const struct pdump_h5 *h, hid_t place, const char *name,
                   hid_t *out);

/* A whole number as attribute of the root, written or compared. */
int pdump_h5_put_attribute(const struct pdump_h5 *h, const char *name,
                           int64_t value);
/* PDUMP_ENOENT, without a message, if there is none. */
int pdump_h5_get_attribute(const struct pdump_h5 *h, const char *name,
                           int64_t *out);

/*
 * A dataset of n_dims dimensions, made, or opened and seen to be of
 * that shape.  Small ones are kept in one piece, unless `is_chunked`.
 * Given: pdump_h5_done().
 */
int pdump_h5_dataset(const struct pdump_h5 *h, hid_t place, const char *name,
                     enum pdump_h5_type type, int n_dims, const hsize_t *dims,
                     bool is_chunked, hid_t *out);
/* One that is there, with a small cache. */
int pdump_h5_open_dataset(const struct pdump_h5 *h, int err, hid_t place,
                          const char *name, hid_t *out);
/* Close a dataset; that may be the only call to notice a full disk. */
int pdump_h5_done(const struct pdump_h5 *h, hid_t set, const char *name,
                  int err);

/* Write, or compare, n values of a dataset in the selected place. */
int pdump_h5_transfer(const struct pdump_h5 *h, hid_t set, const char *name,
                      enum pdump_h5_type type, hid_t in_memory, hid_t in_file,
                      int64_t n, const void *values);

/* PDUMP_EIO: the file has other values. */
int pdump_h5_differs(const struct pdump_h5 *h, const char *name);

/* A whole column of n values; not when filling. */
int pdump_h5_put(const struct pdump_h5 *h, hid_t place, const char *name,
                 enum pdump_h5_type type, int64_t n, const void *values);

#endif
