/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a stream of dumps as an HDF5 file, or compares it with one. */
#ifndef PDUMP_HDF5_WRITE_H
#define PDUMP_HDF5_WRITE_H

#include "columns.h"
#include "h5_call.h"
#include "stream/stream.h"

/* The interface of the sink: writes a whole file, verifies a whole file. */
int pdump_h5_write(struct pdump_stream *in, const struct pdump_new_file *file);
int pdump_h5_verify(struct pdump_stream *in, const struct pdump_new_file *file);

/* Implements pdump_sink.fill of sink.h: all ranks write their rows into one
 * existing file together.  Only in the module "hdf5_mpi" (hdf5_mpi/fill.c). */
struct pdump_comm;
int pdump_h5_fill(const struct pdump_dump *mine,
                  const struct pdump_stream *shape, int piece,
                  const struct pdump_new_file *file,
                  const struct pdump_comm *comm);

/* As write and verify, with a function, which writes everything, or compares
 * everything with the file. */
typedef int pdump_h5_put_file(const struct pdump_h5 *h,
                              struct pdump_stream *in);
int pdump_h5_write_by(struct pdump_stream *in,
                      const struct pdump_new_file *file,
                      pdump_h5_put_file *put);
int pdump_h5_verify_by(struct pdump_stream *in,
                       const struct pdump_new_file *file,
                       pdump_h5_put_file *put);

/* For the format "hdf5-pyperfdump" (write_pyperfdump.c). */
int pdump_h5_pyperfdump_write(struct pdump_stream *in,
                              const struct pdump_new_file *file);
int pdump_h5_pyperfdump_verify(struct pdump_stream *in,
                               const struct pdump_new_file *file);

/* Writes or compares everything but rows, samples and events
 * (write_tables.c). */
int pdump_h5_put_tables(const struct pdump_h5 *h,
                        const struct pdump_stream *in);

/* Writes or compares n structures as columns, in an open group or in a new
 * one. */
int pdump_h5_put_fields(const struct pdump_h5 *h, hid_t group,
                        const struct pdump_schema_table *table,
                        const void *array, int64_t n);
int pdump_h5_put_table(const struct pdump_h5 *h, hid_t place, const char *name,
                       const struct pdump_schema_table *table,
                       const void *array, int64_t n);

/* Writes or compares the tables of details, if there are any
 * (write_details.c). */
int pdump_h5_put_details(const struct pdump_h5 *h,
                         const struct pdump_dump *dump);

/* Writes or compares /profile, /samples and /events (write_pieces.c): all
 * pieces of the stream.  If the stream is hollow, only creates the datasets. */
int pdump_h5_put_series(const struct pdump_h5 *h, struct pdump_stream *in);

/* One of the three, with its columns kept open for all pieces. */
enum pdump_h5_what {
    PDUMP_H5_ALL_ROWS,
    PDUMP_H5_ALL_SAMPLES,
    PDUMP_H5_ALL_EVENTS,
};
struct pdump_h5_series;
int pdump_h5_series_open(const struct pdump_h5 *h,
                         const struct pdump_stream *shape,
                         enum pdump_h5_what what, struct pdump_h5_series **out);
/* Writes or compares the rows of one piece; -1: this rank has none.  Ranks that
 * write together all make the same HDF5 calls here, and continue after a
 * failure. */
int pdump_h5_series_piece(struct pdump_h5_series *s, int piece,
                          const struct pdump_dump *rows);
/* Returns the index of each piece's first row, sample or event in the
 * stream. */
const int64_t *pdump_h5_series_ptr(const struct pdump_stream *in,
                                   enum pdump_h5_what what);
/* Always closes.  NULL is ignored. */
int pdump_h5_series_close(struct pdump_h5_series *s, int err);

#endif
