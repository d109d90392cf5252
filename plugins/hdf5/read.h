/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads an HDF5 file into a dump.  Every value of the file is checked before
 * use. */
#ifndef PDUMP_HDF5_READ_H
#define PDUMP_HDF5_READ_H

#include "columns.h"
#include "dump/builder_add.h"
#include "h5_call.h"

/* The interface of the reader: recognizes a file, reads a whole file. */
bool pdump_h5_knows(const char *head, size_t len);
int pdump_h5_read(const char *path, struct pdump_builder *b);

/* Numbers of the entries that rows and samples refer to. */
struct pdump_h5_counts {
    int64_t metrics;
    int64_t nodes;
    int64_t threads;
    char (*links)[PDUMP_H5_LINK_MAX]; /* names of the metrics in the file */
};

/* Reads everything but rows, samples and events (read_tables.c). counts->links
 * is given: free(). */
int pdump_h5_get_tables(const struct pdump_h5 *h, struct pdump_builder *b,
                        struct pdump_h5_counts *counts);

/* A table in memory: its structures and the bytes that they point to.  The
 * caller sets form and group and zeroes the rest; pdump_h5_free_list() must
 * follow, also after an error. */
struct pdump_h5_list {
    const struct pdump_schema_table *form;
    const char *group;
    int64_t n;
    char *array;
    char *bytes[PDUMP_SCHEMA_FIELDS_MAX]; /* of the text fields */
};
int pdump_h5_get_list(const struct pdump_h5 *h, struct pdump_h5_list *t);
void pdump_h5_free_list(struct pdump_h5_list *t);

/* Reads the tables of details, if there are any (read_details.c). */
int pdump_h5_get_details(const struct pdump_h5 *h, struct pdump_builder *b);

/* Reads /profile, /samples and /events (read_series.c). */
int pdump_h5_get_series(const struct pdump_h5 *h, struct pdump_builder *b,
                        const struct pdump_h5_counts *counts);

/* Returns 1 if the file has the group, 0 if not (read_column.c). */
int pdump_h5_has(const struct pdump_h5 *h, const char *group);

/* A column to read (read_column.c). */
struct pdump_h5_column {
    const struct pdump_h5 *h;
    char name[2 * PDUMP_H5_LINK_MAX + 32]; /* "/profile/time/sum" */
    hid_t set;
    enum pdump_schema_type type; /* the type in memory */
    int n_dims;
    hsize_t dims[2]; /* (1, n) for a column of one dimension */
};
int pdump_h5_column_open(const struct pdump_h5 *h, const char *name,
                         enum pdump_schema_type type,
                         struct pdump_h5_column *out);
void pdump_h5_column_close(struct pdump_h5_column *c);

/* Refuse what HDF5 must not read (read_check.c): the first checks where the
 * data is and its filters, the second the chunks that have some of `count` rows
 * and values from `start` on.  PDUMP_EFORMAT. */
int pdump_h5_column_check(const struct pdump_h5_column *c);
int pdump_h5_column_check_chunks(const struct pdump_h5_column *c,
                                 const hsize_t start[2],
                                 const hsize_t count[2]);

/* The fast way of pdump_h5_column_read(): unpacks whole chunks (read_chunk.c).
 * Returns false if it cannot; then HDF5 reads the values, or reports why
 * not. */
bool pdump_h5_column_unpack(const struct pdump_h5_column *c, hsize_t j,
                            hsize_t n, void *out);
/* Reads n values of row i (0 if the column has one dimension), from the j-th
 * on. */
int pdump_h5_column_read(const struct pdump_h5_column *c, hsize_t i, hsize_t j,
                         hsize_t n, void *out);

/* Reads a whole column of one dimension. n is the expected length, or -1 for
 * any; it is set to the length.  Given: free(). */
int pdump_h5_get(const struct pdump_h5 *h, const char *name,
                 enum pdump_schema_type type, int64_t *n, void **out);

/* Reads a whole column of n rows by `width` values, or of n values if width is
 * 1.  Given: free(). */
int pdump_h5_get_wide(const struct pdump_h5 *h, const char *name,
                      enum pdump_schema_type type, int64_t n, int width,
                      void **out);

/* Returns PDUMP_EFORMAT with the builder's objection to entry i of a table. */
int pdump_h5_refuse(const struct pdump_h5 *h, const char *table, int64_t i,
                    int err);

#endif
