/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reserves disk space before the ranks write together.
 *
 * A write that fails inside a collective call makes HDF5 leave the call early
 * on one rank, and the others wait for ever.  So the space for all data,
 * uncompressed, has to be available before they begin.
 */
#ifndef PDUMP_HDF5_MPI_DISK_SPACE_H
#define PDUMP_HDF5_MPI_DISK_SPACE_H

#include "stream/stream.h"
#include "system/new_file.h"

/* Reserves the space.  Returns PDUMP_EIO if there is not enough. */
int pdump_h5_space_take(const struct pdump_new_file *file,
                        const struct pdump_stream *shape);

/* Releases what was not needed. */
int pdump_h5_space_return(const struct pdump_new_file *file);

#endif
