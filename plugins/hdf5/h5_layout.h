/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names in an HDF5 dump; docs/hdf5.md explains them to users.
 *
 * Everything is a column: a 1-D dataset under the group of its table.  A column
 * of texts NAME is two datasets: NAME has the bytes of all texts one after the
 * other, NAME_ptr where each begins, and at last where the last one ends.
 */
#ifndef PDUMP_HDF5_LAYOUT_H
#define PDUMP_HDF5_LAYOUT_H

#include <stddef.h>

/* Attributes of the root. */
#define PDUMP_H5_FORMAT "pdump_format" /* PDUMP_H5_VERSION */
#define PDUMP_H5_MISSING "missing"     /* PDUMP_MISSING */
#define PDUMP_H5_N_RANKS "n_ranks"     /* of the job; 0 without one */

/* Groups. */
#define PDUMP_H5_METADATA "metadata"     /* key, value: texts */
#define PDUMP_H5_WARNINGS "warnings"     /* text: text; count */
#define PDUMP_H5_METRICS "metrics"       /* name, unit, ..., kind: texts */
#define PDUMP_H5_REGIONS "regions"       /* name, group, file: texts; line */
#define PDUMP_H5_NODES "nodes"           /* parent, region, depth */
#define PDUMP_H5_RANKS "ranks"           /* one entry per process */
#define PDUMP_H5_THREADS "threads"       /* process, number, tid; name: text */
#define PDUMP_H5_PROFILE "profile"       /* rank, rank_ptr; rows; metrics */
#define PDUMP_H5_SAMPLES "samples"       /* the same; only if there are any */
#define PDUMP_H5_EVENTS "events"         /* rank, rank_ptr; if there are any */
#define PDUMP_H5_STATISTICS "statistics" /* visits, metrics; if made */
#define PDUMP_H5_DETAILS "details"       /* name, about, key: texts; if any */

/* Each of the details is a group in the root: thread, node, label, its fields,
 * label_name (texts), and what the fields are. */
#define PDUMP_H5_FIELDS "fields" /* name, unit: texts; kind, width */

#define PDUMP_H5_SIGNATURE "\211HDF\r\n\032\n"

enum {
    PDUMP_H5_VERSION = 1,
    /* Columns of so many bytes or fewer are kept in their object header, which
     * has a checksum; others are compressed. */
    PDUMP_H5_SMALL = 1024,
    /* Elements.  Rows come in order, so a column has one unfinished chunk at a
     * time, of 128 KiB at most, and that many columns are open at once. */
    PDUMP_H5_CHUNK = 16384,
    PDUMP_H5_DEFLATE = 1, /* level */
    PDUMP_H5_LINK_MAX = 256,
};

/* The name of metric number `index` in /profile, /samples and /statistics: its
 * own, with %XX for what HDF5 or h5py could stumble over; "%m3" if it is empty,
 * very long, or the name of another column there. */
void pdump_h5_link(const char *metric, int index, char link[PDUMP_H5_LINK_MAX]);

/* The same for table number `index` of details in the root, and for its field
 * number `index` in the group of the table. */
void pdump_h5_table_link(const char *table, int index,
                         char link[PDUMP_H5_LINK_MAX]);
void pdump_h5_field_link(const char *field, int index,
                         char link[PDUMP_H5_LINK_MAX]);

#endif
