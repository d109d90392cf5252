/* SPDX-License-Identifier: BSD-3-Clause */
/* A CSV dump on its way into a builder: shared by the files of that reader. */
#ifndef PDUMP_READER_CSV_H
#define PDUMP_READER_CSV_H

#include "dump/builder.h"
#include "base/csv.h"
#include "base/pair_index.h"
#include "base/string_pool.h"

/* A node of the file.  The builder wants parents first, so all of them are
 * collected before any is built.  Strings are in the load's text. */
struct pdump_csv_node {
    int64_t id;
    int64_t parent; /* id, or PDUMP_MISSING */
    struct pdump_dump_region region;
    int64_t line; /* where the file first mentions it, or 0 */
};

/* A table of details, while its fields are collected. */
struct pdump_csv_detail {
    struct pdump_dump_detail table; /* with fields of its own */
    int number;                     /* in the builder, or -1 */
};

struct pdump_csv_load {
    struct pdump_builder *b;           /* borrowed */
    struct pdump_string_pool *text;    /* names, as long as the load lasts */
    struct pdump_dump_metric *metrics; /* as in the builder */
    int n_metrics;
    struct pdump_dump_region *regions; /* of the .meta.csv, if it has any */
    int n_regions;
    struct pdump_csv_node *nodes;
    int n_nodes;
    struct pdump_pair_index node_ids;  /* id: in nodes, then in the builder */
    struct pdump_pair_index processes; /* number in the file: in the builder */
    struct pdump_pair_index ranks;     /* rank and pid: in the builder */
    struct pdump_pair_index threads;   /* process, number: in the builder */
    bool has_meta;
    int64_t n_rows;    /* announced by the .meta.csv */
    int64_t n_samples; /* the same */
    int64_t n_stats;   /* the same; statistics over ranks, line by line */
    int64_t n_details; /* the same; details */
    int64_t n_events;  /* the same; events */
    struct pdump_csv_detail *details; /* of the .meta.csv */
    int n_tables;
};

/* Make room for element n of the array that *pointer points to. */
int pdump_csv_load_room(void *pointer, int64_t n, size_t size);

/* Keep the string in the load's text. */
int pdump_csv_load_keep(struct pdump_csv_load *load, const char *s,
                        const char **out);

/* reader_csv_meta.c: add what the .meta.csv holds.  No such file is fine. */
int pdump_csv_load_meta(struct pdump_csv_load *load, const char *path);

/* reader_csv_stats.c: add the statistics over ranks if the .meta.csv announced
 * any.  All nodes are known. */
int pdump_csv_load_stats(struct pdump_csv_load *load, const char *path);

/* reader_csv_details.c: what the .meta.csv says of tables and their fields;
 * number or pdump_error. */
int pdump_csv_load_detail(struct pdump_csv_load *load,
                          const struct pdump_dump_detail *table);
int pdump_csv_load_field(struct pdump_csv_load *load,
                         const struct pdump_csv *csv, int detail,
                         const struct pdump_dump_field *field);
/* And the rows, if it announced any.  All nodes are known. */
int pdump_csv_load_details(struct pdump_csv_load *load, const char *path);
void pdump_csv_load_free_details(struct pdump_csv_load *load);

/* reader_csv_events.c: add the events if the .meta.csv announced any.  All
 * nodes are known. */
int pdump_csv_load_events(struct pdump_csv_load *load, const char *path);

/* reader_csv_tree.c.  A metric, a process (`number` PDUMP_MISSING: known by
 * rank and pid only), a thread, or a node; index or pdump_error. */
int pdump_csv_load_metric(struct pdump_csv_load *load,
                          const struct pdump_dump_metric *metric);
int pdump_csv_load_process(struct pdump_csv_load *load, int64_t number,
                           const struct pdump_dump_process *process);
int pdump_csv_load_thread(struct pdump_csv_load *load,
                          const struct pdump_dump_thread *thread);
int pdump_csv_load_node(struct pdump_csv_load *load,
                        const struct pdump_csv *csv,
                        const struct pdump_csv_node *node);

/* All nodes are known: build them, in the order of their ids. */
int pdump_csv_load_build_nodes(struct pdump_csv_load *load,
                               struct pdump_csv *csv);

void pdump_csv_load_free(struct pdump_csv_load *load);

#endif
