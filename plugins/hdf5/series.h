/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that write rows, samples and events. */
#ifndef PDUMP_HDF5_SERIES_H
#define PDUMP_HDF5_SERIES_H

#include "chunk_writer.h"
#include "write.h"

struct pdump_h5_series_column {
    hid_t set;
    enum pdump_schema_type type;
    int field;  /* index of the table's field, or -1 */
    int metric; /* if field is -1: the metric and its figure */
    int figure;
    struct pdump_h5_chunks chunks;
    char name[PDUMP_H5_LINK_MAX + 8];
};

struct pdump_h5_series {
    const struct pdump_h5 *h;
    const struct pdump_schema_table *table;
    const struct pdump_stream *shape;
    const int64_t *ptr; /* index of each piece's first row */
    enum pdump_h5_what what;
    hsize_t dims[2]; /* (rows), or (pieces, samples of each) */
    int n_dims;
    struct pdump_h5_series_column *columns;
    int n_columns;
    struct pdump_h5_packer *packer; /* NULL: written as hyperslabs */
};

/* One write: n structures of the table, starting at number `at`. */
struct pdump_h5_part {
    int64_t at;
    int64_t n;
    const void *array;
    const struct pdump_dump *piece; /* has the metrics of rows and samples */
};
int pdump_h5_series_part(struct pdump_h5_series *s,
                         const struct pdump_h5_part *part);

/* Writes or compares the events of one piece, block by block (write_events.c).
 * Called by pdump_h5_series_piece(). */
int pdump_h5_series_events(struct pdump_h5_series *s, int piece,
                           const struct pdump_dump *dump);

/* Prepares the columns to be written or read from start to end. */
int pdump_h5_series_chunks(struct pdump_h5_series *s);

#endif
