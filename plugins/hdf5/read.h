/* SPDX-License-Identifier: BSD-3-Clause */
/* An HDF5 file becomes a dump; nothing in it is believed without a look. */
#ifndef PDUMP_HDF5_READ_H
#define PDUMP_HDF5_READ_H

#include "columns.h"
#include "dump/builder.h"
#include "h5_call.h"

/* For the reader: the whole file. */
bool pdump_h5_knows(const char *head, size_t len);
int pdump_h5_read(const char *path, struct pdump_builder *b);

/* How many there are of what rows and samples refer to. */
struct pdump_h5_counts {
    int64_t metrics;
    int64_t nodes;
    int64_t threads;
    char (*links)[PDUMP_H5_LINK_MAX]; /* of the metrics */
};

/* Everything but rows and samples (read_tables.c).  counts->links is given:
 * free(). */
int pdump_h5_get_tables(const struct pdump_h5 *h, struct pdump_builder *b,
                        struct pdump_h5_counts *counts);

/* A table in memory: its structures, and the bytes that they point to.  Starts
 * with form and group, and zeroes; always ends with pdump_h5_free_list(). */
struct pdump_h5_list {
    const struct pdump_h5_table *form;
    const char *group;
    int64_t n;
    char *array;
    char *bytes[8]; /* of the text fields */
};
int pdump_h5_get_list(const struct pdump_h5 *h, struct pdump_h5_list *t);
void pdump_h5_free_list(struct pdump_h5_list *t);

/* The tables of details, if there are any (read_details.c). */
int pdump_h5_get_details(const struct pdump_h5 *h, struct pdump_builder *b);

/* /profile, /samples and /events (read_series.c). */
int pdump_h5_get_series(const struct pdump_h5 *h, struct pdump_builder *b,
                        const struct pdump_h5_counts *counts);

/* 1 if there is such a group, 0 if not (read_column.c). */
int pdump_h5_has(const struct pdump_h5 *h, const char *group);

/* A column to read (read_column.c). */
struct pdump_h5_column {
    const struct pdump_h5 *h;
    char name[2 * PDUMP_H5_LINK_MAX + 32]; /* "/profile/time/sum" */
    hid_t set;
    enum pdump_h5_type type; /* as it is wanted in memory */
    int n_dims;
    hsize_t dims[2]; /* (1, n) if it has one dimension */
};
int pdump_h5_column_open(const struct pdump_h5 *h, const char *name,
                         enum pdump_h5_type type, struct pdump_h5_column *out);
void pdump_h5_column_close(struct pdump_h5_column *c);

/* pdump_h5_column_read() the quick way, of whole chunks (read_chunk.c).  False
 * if that cannot be: HDF5 can, or it says why not. */
bool pdump_h5_column_unpack(const struct pdump_h5_column *c, hsize_t j,
                            hsize_t n, void *out);
/* n values of row i (0 if it has one dimension), from the j-th on. */
int pdump_h5_column_read(const struct pdump_h5_column *c, hsize_t i, hsize_t j,
                         hsize_t n, void *out);

/* A whole column of one dimension; n is its length, or -1 to find out.  Given:
 * free(). */
int pdump_h5_get(const struct pdump_h5 *h, const char *name,
                 enum pdump_h5_type type, int64_t *n, void **out);

/* A whole column of n rows by `width` values, or of n values if that is 1.
 * Given: free(). */
int pdump_h5_get_wide(const struct pdump_h5 *h, const char *name,
                      enum pdump_h5_type type, int64_t n, int width,
                      void **out);

/* PDUMP_EFORMAT, with what the builder had against entry i of a table. */
int pdump_h5_refuse(const struct pdump_h5 *h, const char *table, int64_t i,
                    int err);

#endif
