/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream becomes an HDF5 file, or is compared with one. */
#ifndef PDUMP_HDF5_WRITE_H
#define PDUMP_HDF5_WRITE_H

#include "columns.h"
#include "h5_call.h"
#include "stream/stream.h"

/* For the sink: the whole file. */
int pdump_h5_write(struct pdump_stream *in, const char *path);
int pdump_h5_verify(struct pdump_stream *in, const char *path);

/* Everything but rows, samples and events (write_tables.c). */
int pdump_h5_put_tables(const struct pdump_h5 *h,
                        const struct pdump_stream *in);

/* n structures as columns, in a group that is open or in a new one. */
int pdump_h5_put_fields(const struct pdump_h5 *h, hid_t group,
                        const struct pdump_h5_table *table, const void *array,
                        int64_t n);
int pdump_h5_put_table(const struct pdump_h5 *h, hid_t place, const char *name,
                       const struct pdump_h5_table *table, const void *array,
                       int64_t n);

/* The tables of details, if there are any (write_details.c). */
int pdump_h5_put_details(const struct pdump_h5 *h,
                         const struct pdump_dump *dump);

/* /profile, /samples and /events (write_pieces.c): all pieces of the stream, or
 * if it is hollow, their datasets only. */
int pdump_h5_put_series(const struct pdump_h5 *h, struct pdump_stream *in);

/* One of them, as columns that are open for the pieces to come. */
enum pdump_h5_what {
    PDUMP_H5_ALL_ROWS,
    PDUMP_H5_ALL_SAMPLES,
    PDUMP_H5_ALL_EVENTS,
};
struct pdump_h5_series;
int pdump_h5_series_open(const struct pdump_h5 *h,
                         const struct pdump_stream *shape,
                         enum pdump_h5_what what, struct pdump_h5_series **out);
/* Write or compare the rows of one piece; -1: none.  Every rank makes the same
 * calls of HDF5 here, if they write together, and goes on after a failure. */
int pdump_h5_series_piece(struct pdump_h5_series *s, int piece,
                          const struct pdump_dump *rows);
/* Where the pieces of the stream begin in it. */
const int64_t *pdump_h5_series_ptr(const struct pdump_stream *in,
                                   enum pdump_h5_what what);
/* Always closes.  NULL is ignored. */
int pdump_h5_series_close(struct pdump_h5_series *s, int err);

#endif
