/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of a dump as columns: each field of dump_schema.h is a dataset in
 * the group of its table.  The few tables that only these files have are here.
 */
#ifndef PDUMP_HDF5_COLUMNS_H
#define PDUMP_HDF5_COLUMNS_H

#include "dump/dump_schema.h"
#include "h5_call.h"

/* The groups of the tables that every file has, in the order in which they are
 * written and read. */
struct pdump_h5_place {
    const char *group;
    enum pdump_table table;
};
enum { PDUMP_H5_PLACES = 7 };
extern const struct pdump_h5_place pdump_h5_places[PDUMP_H5_PLACES];

/* The labels of a table of details: a list of const char *. */
extern const struct pdump_schema_table pdump_h5_labels;

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
extern const struct pdump_schema_table pdump_h5_events;

#endif
