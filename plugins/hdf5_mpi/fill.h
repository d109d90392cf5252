/* SPDX-License-Identifier: BSD-3-Clause */
/* The module "hdf5_mpi" lets all ranks write their rows into one existing HDF5
 * file together. */
#ifndef PDUMP_HDF5_MPI_FILL_H
#define PDUMP_HDF5_MPI_FILL_H

#include "job/comm.h"
#include "stream/stream.h"

/* Implements pdump_sink.fill of sink.h. */
int pdump_h5_fill(const struct pdump_dump *mine,
                  const struct pdump_stream *shape, int piece, const char *path,
                  const struct pdump_comm *comm);

#endif
