/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Room on the disk before the ranks write together.
 *
 * A write that fails inside of a collective call makes HDF5 leave it early on
 * one rank, and the others wait for ever.  So there has to be room for all of
 * it, as if nothing could be compressed, before they begin.
 */
#ifndef PDUMP_HDF5_MPI_DISK_SPACE_H
#define PDUMP_HDF5_MPI_DISK_SPACE_H

#include "stream/stream.h"

/* Make sure of it.  PDUMP_EIO if there is not enough. */
int pdump_h5_space_take(const char *path, const struct pdump_stream *shape);

/* Give back what was not needed. */
int pdump_h5_space_return(const char *path);

#endif
