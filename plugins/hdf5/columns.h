/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of a dump as columns: lists that map each field of a structure to
 * a dataset.  Writing, checking and reading all use these lists.
 */
#ifndef PDUMP_HDF5_COLUMNS_H
#define PDUMP_HDF5_COLUMNS_H

#include "h5_call.h"

struct pdump_h5_field {
    const char *name;
    enum pdump_h5_type type; /* in the file and in the structure */
    bool is_text;            /* the field is a const char *; type is unused */
    size_t at;               /* offset in the structure */
};

struct pdump_h5_table {
    const char *group; /* NULL: chosen by the caller */
    size_t size;       /* of the structure */
    const struct pdump_h5_field *fields;
    int n_fields;
};

extern const struct pdump_h5_table pdump_h5_metadata;
extern const struct pdump_h5_table pdump_h5_warnings;
extern const struct pdump_h5_table pdump_h5_metrics;
extern const struct pdump_h5_table pdump_h5_regions;
extern const struct pdump_h5_table pdump_h5_nodes;
extern const struct pdump_h5_table pdump_h5_ranks;
extern const struct pdump_h5_table pdump_h5_threads;
extern const struct pdump_h5_table pdump_h5_stats;   /* of one metric */
extern const struct pdump_h5_table pdump_h5_details; /* without their rows */
extern const struct pdump_h5_table pdump_h5_fields;  /* of one table */
extern const struct pdump_h5_table pdump_h5_labels;  /* of one; const char * */
extern const struct pdump_h5_table pdump_h5_detail_rows; /* without values */
/* An event as it is stored in the columns. */
struct pdump_h5_event {
    int64_t time;
    int64_t what;
    int64_t value;
    int64_t tag;
    int thread;
    int node;
    unsigned char kind;
};
extern const struct pdump_h5_table pdump_h5_events;
/* The most fields of a table that is read in blocks. */
enum { PDUMP_H5_FIELDS_MAX = 7 };
/* The fields of rows and samples other than their metrics. */
extern const struct pdump_h5_table pdump_h5_rows;
extern const struct pdump_h5_table pdump_h5_samples;

#endif
