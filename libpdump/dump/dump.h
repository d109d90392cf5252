/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The waist of the program: what a run recorded, as flat tables.
 *
 * A builder (builder.h) makes a dump; after that it is immutable.  Code before
 * the dump knows threads and counters; code after it knows neither.  Every file
 * format, report and comparison is a function of dumps.  All strings belong to
 * the dump and are never NULL.
 *
 * This is the central header of dump/, which contains the tables, what makes
 * and merges them, and the functions that programs read them with.
 */
#ifndef PDUMP_DUMP_H
#define PDUMP_DUMP_H

#include "base/error.h"
#include "base/missing.h"

#include <stdbool.h>
#include <stdint.h>

struct pdump_dump_metric {
    const char *name;
    const char *unit;
    const char *source;
    const char *about;
    enum pdump_metric_kind kind;
};

struct pdump_dump_region {
    const char *name;
    const char *group; /* "user", "parameter", "step", "overflow" ... */
    const char *file;  /* "" if unknown */
    int line;          /* 0 if unknown */
};

/* Parents come before their children. */
struct pdump_dump_node {
    int parent; /* or -1 */
    int region;
    int depth; /* 0 for outermost nodes */
};

struct pdump_dump_process {
    int rank;
    int64_t pid;
    int64_t parent; /* pid of the process that forked it, or 0 */
    const char *host;
    const char *command;
    const char *cpu;   /* model, "" if unknown */
    const char *cores; /* cores that it may run on: "0-3,8", "" if unknown */
};

struct pdump_dump_thread {
    int process;
    int number; /* within the process, in order of first use */
    int64_t tid;
    const char *name; /* may be "" */
};

/* Grouped by thread, parents before children; one row per thread and node. */
struct pdump_dump_row {
    int thread;
    int node;
    int64_t parent; /* row of the parent node in the same thread, or -1 */
    int64_t visits; /* completed visits */
    bool is_open;
};

/* One metric over all rows.  sum, min and max may be PDUMP_MISSING; then sumsq
 * is NAN.  min and max are also missing if no visit was completed. */
struct pdump_dump_column {
    int64_t *sum;
    int64_t *min;
    int64_t *max;
    double *sumsq;
    int64_t *exclusive; /* filled by pdump_dump_exclusive() */
};

/* A single visit, kept as a row. */
struct pdump_dump_sample {
    int thread;
    int node;
    int64_t number; /* of the step, or of the visit to its node, from 0 */
    int64_t start;  /* ns since the session's start */
};

/* The events of a thread in order of time; event_lanes.h reads them.  Lanes are
 * sorted by thread. */
struct pdump_dump_lane {
    int thread;
    int64_t n_events;
    unsigned char *bytes; /* encoded as in event_encoding.h */
    int64_t n_bytes;
    int64_t room;
    int64_t last; /* time of the last event */
    int64_t node; /* node of the thread after that event, or -1 */
};

/* A metric of a node over the ranks of a job.  Each rank counts once, with the
 * sum over its threads, or with the highest level of a gauge. */
struct pdump_dump_rank_stat {
    int64_t n; /* ranks that have a value; if 0, ignore the rest */
    int64_t sum;
    int64_t min;
    int64_t max;
    double sumsq;
    int rank_of_min;
    int rank_of_max;
};

struct pdump_dump_field {
    const char *name;
    const char *unit;
    enum pdump_field_kind kind;
    int width; /* values in each row: 1, or the bins of a histogram */
};

struct pdump_dump_detail_row {
    int thread; /* or -1: all ranks together */
    int node;   /* or -1: the thread as a whole */
    int label;
};

/* A table in addition to the rows: statistics per node and call site, file,
 * peer ...; one row per thread, node and label. */
struct pdump_dump_detail {
    const char *name; /* "mpi", "io" */
    const char *about;
    const char *key; /* what a label names: "site", "file" */
    struct pdump_dump_field *fields;
    int n_fields;
    int n_values; /* per row: the sum of the widths of all fields */
    const char **labels;
    int n_labels;
    struct pdump_dump_detail_row *rows;
    int64_t n_rows;
    int64_t *values; /* [row][n_values] */
};

struct pdump_dump_pair {
    const char *key;
    const char *value;
};

struct pdump_dump_warning {
    const char *text;
    int64_t count;
};

struct pdump_dump {
    struct pdump_dump_metric *metrics;
    int n_metrics;
    struct pdump_dump_region *regions;
    int n_regions;
    struct pdump_dump_node *nodes;
    int n_nodes;
    struct pdump_dump_process *processes;
    int n_processes;
    struct pdump_dump_thread *threads;
    int n_threads;
    struct pdump_dump_row *rows;
    int64_t n_rows;
    struct pdump_dump_column *columns; /* one per metric */
    struct pdump_dump_sample *samples;
    int64_t n_samples;
    int64_t **sample_values;       /* [metric][sample], may be PDUMP_MISSING */
    struct pdump_dump_lane *lanes; /* of the threads that have events */
    int n_lanes;
    /* Statistics over ranks: [metric][node], and [n_metrics][node] for the
     * visits.  NULL if there are none; then the rows of every rank are
     * there. */
    struct pdump_dump_rank_stat **stats;
    struct pdump_dump_detail *details;
    int n_details;
    struct pdump_dump_pair *metadata; /* in order of first mention */
    int n_metadata;
    struct pdump_dump_warning *warnings;
    int n_warnings;
    struct pdump_string_pool *text; /* holds the strings */
};

/* Copies `full` into the structure of a caller, whose first field is its
 * size. */
int pdump_dump_give(void *out, const void *full, size_t full_size);

/* Returns the index of metric `name`, or -1. */
PDUMP_SHARED int pdump_dump_find_metric(const struct pdump_dump *dump,
                                        const char *name);

/* Returns the nanoseconds that a visit to the region costs the program; 0 if
 * the dump does not say.  Calls and functions cost less if no counters are read
 * in them. */
PDUMP_SHARED double pdump_dump_visit_cost(const struct pdump_dump *dump,
                                          int region);

/* Returns the detail table `name`, or NULL. */
PDUMP_SHARED const struct pdump_dump_detail *pdump_dump_find_detail(
    const struct pdump_dump *dump, const char *name);

/* Returns the index of the first value of field `name` in a row of the table,
 * or -1. */
PDUMP_SHARED int pdump_dump_find_field(const struct pdump_dump_detail *detail,
                                       const char *name);

/* Returns the value of a key of the metadata, "" if there is none. */
static inline const char *pdump_dump_metadata_or_none(
    const struct pdump_dump *dump, const char *key)
{
    const char *value = pdump_dump_metadata(dump, key);

    return value ? value : "";
}

/* Returns the figure of a row that is compared and added up with other rows:
 * the sum over its visits, or the highest level of a gauge.  May be
 * PDUMP_MISSING. */
static inline int64_t pdump_dump_figure(const struct pdump_dump *dump,
                                        int metric, int64_t row)
{
    return dump->metrics[metric].kind == PDUMP_GAUGE
               ? dump->columns[metric].max[row]
               : dump->columns[metric].sum[row];
}

/* Computes, for every row, its sum without the sums of the rows inside it:
 * out[n_rows].  PDUMP_MISSING if the sum is missing, and for gauges, which have
 * no exclusive sum. */
PDUMP_SHARED void pdump_dump_exclusive(const struct pdump_dump *dump,
                                       int metric, int64_t *out);

/* Writes the path of a node in the format of pdump_dump_path(). */
PDUMP_SHARED int64_t pdump_dump_node_path(const struct pdump_dump *dump,
                                          int node, char *buf, size_t len);

/* Frees the lanes of a dump and leaves it without lanes. */
void pdump_dump_free_lanes(struct pdump_dump *dump);

#endif
