/* SPDX-License-Identifier: BSD-3-Clause */
/* The module "hdf5": sinks and a reader for programs without MPI, and for rank
 * 0 of programs with MPI.  The module "hdf5_mpi" has the same, and files that
 * all ranks of an MPI job can fill together.  The Makefiles say which of the
 * two it is. */
#include "hdf5_check.h"
#include "read.h"
#include "read/reader.h"
#include "system/plugin.h"
#include "write.h"
#include "write/sink.h"

PDUMP_PLUGIN_MODULE;

static const struct pdump_sink_part parts[] = {
    { .suffix = ".h5", .write = pdump_h5_write },
    { .suffix = NULL },
};

static const struct pdump_sink sink = {
    .name = "hdf5",
    .about = "one compressed file for h5py, h5dump and others; read back by "
             "pdump",
    .names_ranks = true,
    .parts = parts,
    .is_complete = true,
    .has_stacks = true,
    .verify = pdump_h5_verify,
    .fill = PDUMP_HDF5_FILL,
};

static const struct pdump_sink_part pyperfdump_parts[] = {
    { .suffix = ".h5", .write = pdump_h5_pyperfdump_write },
    { .suffix = NULL },
};

static const struct pdump_sink pyperfdump = {
    .name = "hdf5-pyperfdump",
    .about = "PyPerfDump's layout: /REGION/EVENT with (ranks, 1, N) elements",
    .names_ranks = true,
    .parts = pyperfdump_parts,
    .verify = pdump_h5_pyperfdump_verify,
};

static const struct pdump_reader reader = {
    .name = "hdf5",
    .knows = pdump_h5_knows,
    .read = pdump_h5_read,
};

static const struct pdump_sink *const sinks[] = { &sink, &pyperfdump, NULL };
static const struct pdump_reader *const readers[] = { &reader, NULL };

const struct pdump_plugin pdump_plugin = {
    .name = PDUMP_HDF5_MODULE,
    .check = pdump_h5_origin,
    .sinks = sinks,
    .readers = readers,
};
