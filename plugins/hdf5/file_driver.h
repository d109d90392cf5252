/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file driver for new files that never lets HDF5 know of a failure.
 *
 * HDF5 1.10 dereferences freed memory when a disk is full, and complains about
 * an "infinite loop closing library" at the program's end.  So the driver notes
 * the first failure, drops what comes after it, and HDF5 closes its file in
 * peace.
 */
#ifndef PDUMP_HDF5_FILE_DRIVER_H
#define PDUMP_HDF5_FILE_DRIVER_H

#include <hdf5.h>
#include <stdbool.h>

/* For the file access property list of the next file: one at a time is made
 * (`is_new`), others may be read meanwhile.  Given: pdump_h5_disk_close(). */
hid_t pdump_h5_disk_open(hid_t access, bool is_new);
void pdump_h5_disk_close(hid_t driver);

/* errno of the first call that failed since the last one was made, or
 * 0. */
int pdump_h5_disk_error(void);

#endif
