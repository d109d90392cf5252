/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of a dump as columns: which field of which structure is which
 * dataset.  Writing, checking and reading all go by these lists.
 */
#ifndef PDUMP_HDF5_COLUMNS_H
#define PDUMP_HDF5_COLUMNS_H

#include "h5_call.h"

struct pdump_h5_field {
    const char *name;
    enum pdump_h5_type type; /* of the field, too */
    bool is_text;            /* the field is a const char *; no type */
    size_t at;               /* offset in the structure */
};

struct pdump_h5_table {
    const char *group; /* NULL: it depends */
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
extern const struct pdump_h5_table pdump_h5_details; /* but for their rows */
extern const struct pdump_h5_table pdump_h5_fields;  /* of one of them */
extern const struct pdump_h5_table pdump_h5_labels; /* the same: const char * */
extern const struct pdump_h5_table pdump_h5_detail_rows; /* but for values */
/* An event as its columns have it. */
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
/* A table that comes in blocks has so many fields at most. */
enum { PDUMP_H5_FIELDS_MAX = 7 };
/* What rows and samples have beside their metrics. */
extern const struct pdump_h5_table pdump_h5_rows;
extern const struct pdump_h5_table pdump_h5_samples;

#endif
