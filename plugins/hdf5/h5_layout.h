/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The module "hdf5" writes, verifies and reads dumps as HDF5 files.  This
 * header has the names of groups and attributes; docs/hdf5.md explains them to
 * users.
 *
 * Everything is a column: a 1-D dataset in the group of its table.  A column of
 * texts NAME is two datasets: NAME has the bytes of all texts one after the
 * other; NAME_ptr has the offset of each text, and then the total length.
 */
#ifndef PDUMP_HDF5_H5_LAYOUT_H
#define PDUMP_HDF5_H5_LAYOUT_H

#include <stddef.h>

/* Attributes of the root. */
#define PDUMP_H5_FORMAT "pdump_format" /* PDUMP_H5_VERSION */
#define PDUMP_H5_MISSING "missing"     /* PDUMP_MISSING */
#define PDUMP_H5_N_RANKS "n_ranks"     /* of the job; 0 if there is no job */

/* Groups. */
#define PDUMP_H5_METADATA "metadata"     /* key, value: texts */
#define PDUMP_H5_WARNINGS "warnings"     /* text: text; count */
#define PDUMP_H5_METRICS "metrics"       /* name, unit, ..., kind: texts */
#define PDUMP_H5_REGIONS "regions"       /* name, group, file: texts; line */
#define PDUMP_H5_NODES "nodes"           /* parent, region, depth */
#define PDUMP_H5_RANKS "ranks"           /* one entry per process */
#define PDUMP_H5_THREADS "threads"       /* process, number, tid; name: text */
#define PDUMP_H5_PROFILE "profile"       /* rank, rank_ptr; rows; metrics */
#define PDUMP_H5_SAMPLES "samples"       /* like profile; only if any */
#define PDUMP_H5_EVENTS "events"         /* rank, rank_ptr; only if any */
#define PDUMP_H5_STATISTICS "statistics" /* visits, metrics; if computed */
#define PDUMP_H5_DETAILS "details"       /* name, about, key: texts; if any */

/* Each table of details is a group in the root, with thread, node, label, its
 * fields, label_name (texts) and a description of the fields. */
#define PDUMP_H5_FIELDS "fields" /* name, unit: texts; kind, width */

#define PDUMP_H5_SIGNATURE "\211HDF\r\n\032\n"

enum {
    PDUMP_H5_VERSION = 1,
    /* Columns of at most this many bytes are stored in their object header,
     * which has a checksum; others are chunked and compressed. */
    PDUMP_H5_SMALL = 1024,
    /* Elements.  Rows come in order, so each open column has one unfinished
     * chunk, of at most 128 KiB; all columns are open at once. */
    PDUMP_H5_CHUNK = 16384,
    PDUMP_H5_DEFLATE = 1, /* level */
    PDUMP_H5_LINK_MAX = 256,
};

/* The link name of metric number `index` in /profile, /samples and /statistics:
 * the metric's name, with %XX for characters that HDF5 or h5py cannot handle;
 * or "%m3" if the name is empty, very long, or taken by another column
 * there. */
void pdump_h5_link(const char *metric, int index, char link[PDUMP_H5_LINK_MAX]);

/* The same for table number `index` of details in the root, and for its field
 * number `index` in the group of the table. */
void pdump_h5_table_link(const char *table, int index,
                         char link[PDUMP_H5_LINK_MAX]);
void pdump_h5_field_link(const char *field, int index,
                         char link[PDUMP_H5_LINK_MAX]);

#endif
