/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An HDF5 file driver for files that are open already.  HDF5 opens names, which
 * another user may have replaced meanwhile, and names that a file contains
 * (external links, virtual datasets); with this driver it opens nothing.
 *
 * It also hides write errors from HDF5.
 * HDF5 1.10 dereferences freed memory when a disk is full, and prints "infinite
 * loop closing library" when the program ends.  So the driver notes the first
 * error and drops all later writes, and HDF5 can close its file normally.
 */
#ifndef PDUMP_HDF5_FILE_DRIVER_H
#define PDUMP_HDF5_FILE_DRIVER_H

#include <hdf5.h>
#include <stdbool.h>

/* Sets the driver in the access property list for the next file, open as `fd`,
 * borrowed.  Only one new file (`is_new`) may be open at a time; other files
 * may be read meanwhile.  Given: pdump_h5_disk_close(). */
hid_t pdump_h5_disk_open(hid_t access, int fd, bool is_new);
void pdump_h5_disk_close(hid_t driver);

/* Call this when HDF5 has opened the file: it opens no other one. */
void pdump_h5_disk_opened(void);

/* Returns errno of the first call that failed for the newest new file, or 0. */
int pdump_h5_disk_error(void);

#endif
