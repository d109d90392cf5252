/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks write their rows into one file that is there. */
#ifndef PDUMP_HDF5_MPI_FILL_H
#define PDUMP_HDF5_MPI_FILL_H

#include "job/comm.h"
#include "stream/stream.h"

/* See pdump_sink.fill in sink.h. */
int pdump_h5_fill(const struct pdump_dump *mine,
                  const struct pdump_stream *shape, int piece, const char *path,
                  const struct pdump_comm *comm);

#endif
