/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of HDF5 whose error messages have our context and HDF5's own reason. */
#ifndef PDUMP_HDF5_H5_CALL_H
#define PDUMP_HDF5_H5_CALL_H

#include "base/error.h"
#include "dump/dump_schema.h"
#include "h5_layout.h"
#include "system/new_file.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* How the values that are put into a file are treated. */
enum pdump_h5_mode {
    PDUMP_H5_MAKE,  /* datasets are created and written */
    PDUMP_H5_CHECK, /* nothing is written; the file is compared */
    PDUMP_H5_FILL,  /* datasets exist; rows and samples are written into them */
};

/* An open file. */
struct pdump_h5 {
    hid_t file;
    const char *path; /* borrowed */
    enum pdump_h5_mode mode;
    hid_t transfer; /* property list of reads and writes; H5P_DEFAULT */
    hid_t driver;   /* of file_driver.h, or -1 */
};

/* Types of elements; not for texts. */
hid_t pdump_h5_memory_type(enum pdump_schema_type type);
hid_t pdump_h5_file_type(enum pdump_schema_type type);

/*
 * Every function of a module runs between these two: one thread at a time, and
 * HDF5 does not print errors. leave() restores the program's own setting for
 * HDF5's error printing.
 */
void pdump_h5_enter(void);
void pdump_h5_leave(void);

/* Sets the message "PATH: WHERE: reason" with the reason of HDF5's last failed
 * call.  Returns err. */
int pdump_h5_fail(const struct pdump_h5 *h, int err, const char *where);

/* Returns PDUMP_EIO if writing a new file has failed, else err. */
int pdump_h5_disk(const struct pdump_h5 *h, int err);

/* A property list for opening files.  It disables file locking: nobody else
 * uses the file, and some file systems refuse locks.  Given: H5Pclose(). */
hid_t pdump_h5_access(void);

/* Makes an empty HDF5 file of a new file. */
int pdump_h5_create(struct pdump_h5 *h, const struct pdump_new_file *file);
/* Opens the file that is open as `fd` read-only, to check it or to read it. */
int pdump_h5_open(struct pdump_h5 *h, int fd, const char *path);
/* Always closes.  Returns err, or the error of the close if err is PDUMP_OK. */
int pdump_h5_close(struct pdump_h5 *h, int err);

/* Creates or opens a group in `place`, depending on the mode.  Given:
 * H5Gclose(). */
int pdump_h5_group(const struct pdump_h5 *h, hid_t place, const char *name,
                   hid_t *out);

/* Writes or compares an integer attribute of the root. */
int pdump_h5_put_attribute(const struct pdump_h5 *h, const char *name,
                           int64_t value);
/* Returns PDUMP_ENOENT, without a message, if the attribute does not exist. */
int pdump_h5_get_attribute(const struct pdump_h5 *h, const char *name,
                           int64_t *out);

/*
 * Creates a dataset of n_dims dimensions, or opens it and checks its shape.
 * Small ones are not chunked unless `is_chunked`.  Given: pdump_h5_done().
 */
int pdump_h5_dataset(const struct pdump_h5 *h, hid_t place, const char *name,
                     enum pdump_schema_type type, int n_dims,
                     const hsize_t *dims, bool is_chunked, hid_t *out);
/* Opens an existing dataset, with a small chunk cache. */
int pdump_h5_open_dataset(const struct pdump_h5 *h, int err, hid_t place,
                          const char *name, hid_t *out);
/* Closes a dataset.  This may be the only call that reports a full disk. */
int pdump_h5_done(const struct pdump_h5 *h, hid_t set, const char *name,
                  int err);

/* Writes or compares the n values selected in a dataset. */
int pdump_h5_transfer(const struct pdump_h5 *h, hid_t set, const char *name,
                      enum pdump_schema_type type, hid_t in_memory,
                      hid_t in_file, int64_t n, const void *values);

/* Returns PDUMP_EIO with the message that the file has other values. */
int pdump_h5_differs(const struct pdump_h5 *h, const char *name);

/* Writes or compares a whole column of n values.  Not for PDUMP_H5_FILL. */
int pdump_h5_put(const struct pdump_h5 *h, hid_t place, const char *name,
                 enum pdump_schema_type type, int64_t n, const void *values);

#endif
