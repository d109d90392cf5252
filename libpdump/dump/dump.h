/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The waist of the program: what a run recorded, as flat tables.
 *
 * Made by a builder (builder.h), immutable afterwards.  Whatever is before it
 * knows threads and counters, whatever is after it knows neither: every file
 * format, report and comparison is a function of dumps.  All strings belong to
 * the dump and are never NULL.
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
    int depth; /* 0 for outermost ones */
};

struct pdump_dump_process {
    int rank;
    int64_t pid;
    int64_t parent; /* pid of the process that forked it, or 0 */
    const char *host;
    const char *command;
    const char *cpu;   /* model, "" if unknown */
    const char *cores; /* that it may run on: "0-3,8", "" if unknown */
};

struct pdump_dump_thread {
    int process;
    int number; /* within the process, in order of first use */
    int64_t tid;
    const char *name; /* perhaps "" */
};

/* Grouped by thread, parents before children; one row per thread and node. */
struct pdump_dump_row {
    int thread;
    int node;
    int64_t parent; /* row of the parent node in the same thread, or -1 */
    int64_t visits; /* completed ones */
    bool is_open;
};

/* One metric over all rows.  sum, min, max may be PDUMP_MISSING (sumsq is NAN
 * then); min and max are so too where nothing was completed. */
struct pdump_dump_column {
    int64_t *sum;
    int64_t *min;
    int64_t *max;
    double *sumsq;
    int64_t *exclusive; /* as pdump_dump_exclusive() fills it */
};

/* One visit kept on its own. */
struct pdump_dump_sample {
    int thread;
    int node;
    int64_t number; /* of the step, or of the visit in its node, from 0 */
    int64_t start;  /* ns since the session's start */
};

/* What happened on a thread, in order; read by event_lanes.h.  Sorted by
 * thread. */
struct pdump_dump_lane {
    int thread;
    int64_t n_events;
    unsigned char *bytes; /* as event_encoding.h has them */
    int64_t n_bytes;
    int64_t room;
    int64_t last; /* time of the last event */
    int64_t node; /* where the thread is after it, or -1 */
};

/* A metric of a node over the ranks of a job; each rank counts once, with the
 * sum over its threads, or with the highest level of a gauge. */
struct pdump_dump_rank_stat {
    int64_t n; /* ranks that have a value; nothing else counts if 0 */
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

/* A table beside the rows: what was counted per node and call site, file,
 * peer ...; one row per thread, node and label. */
struct pdump_dump_detail {
    const char *name; /* "mpi", "io" */
    const char *about;
    const char *key; /* what the labels are: "site", "file" */
    struct pdump_dump_field *fields;
    int n_fields;
    int n_values; /* in a row: the widths of all fields */
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
    int64_t **sample_values;       /* [metric][sample], perhaps PDUMP_MISSING */
    struct pdump_dump_lane *lanes; /* of those threads that have events */
    int n_lanes;
    /* Over ranks: [metric][node], and [n_metrics][node] for the visits.  NULL
     * if none were made; then every rank has its rows. */
    struct pdump_dump_rank_stat **stats;
    struct pdump_dump_detail *details;
    int n_details;
    struct pdump_dump_pair *metadata; /* in order of first mention */
    int n_metadata;
    struct pdump_dump_warning *warnings;
    int n_warnings;
    struct pdump_string_pool *text; /* where the strings live */
};

/* Fill a caller's structure, whose first field is its size, from a full one. */
int pdump_dump_give(void *out, const void *full, size_t full_size);

/* Index of metric `name`, or -1. */
PDUMP_SHARED int pdump_dump_find_metric(const struct pdump_dump *dump,
                                        const char *name);

/* Nanoseconds that a visit of the region costs the program; 0 if the dump does
 * not say.  Calls and functions cost less if no counters are read in them. */
PDUMP_SHARED double pdump_dump_visit_cost(const struct pdump_dump *dump,
                                          int region);

/* Detail table `name`, or NULL. */
PDUMP_SHARED const struct pdump_dump_detail *pdump_dump_find_detail(
    const struct pdump_dump *dump, const char *name);

/* Where the values of field `name` begin in a row of the table, or -1. */
PDUMP_SHARED int pdump_dump_find_field(const struct pdump_dump_detail *detail,
                                       const char *name);

/* What a row counts with beside others: the sum of its visits, or of a gauge,
 * which is a level, the highest.  Perhaps PDUMP_MISSING. */
static inline int64_t pdump_dump_figure(const struct pdump_dump *dump,
                                        int metric, int64_t row)
{
    return dump->metrics[metric].kind == PDUMP_GAUGE
               ? dump->columns[metric].max[row]
               : dump->columns[metric].sum[row];
}

/* Sum of a row without the sums of the rows inside it, for every row at once:
 * out[n_rows], PDUMP_MISSING where the sum is (and for gauges, which have
 * none). */
PDUMP_SHARED void pdump_dump_exclusive(const struct pdump_dump *dump,
                                       int metric, int64_t *out);

/* The path of a node as pdump_dump_path() writes it. */
PDUMP_SHARED int64_t pdump_dump_node_path(const struct pdump_dump *dump,
                                          int node, char *buf, size_t len);

/* Free the lanes of a dump, which has none then. */
void pdump_dump_free_lanes(struct pdump_dump *dump);

#endif
