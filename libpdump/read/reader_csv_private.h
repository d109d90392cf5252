/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of the CSV reader: the tables of a dump while they are
 * read, and the columns of the files (reader_csv_columns.c). */
#ifndef PDUMP_READER_CSV_PRIVATE_H
#define PDUMP_READER_CSV_PRIVATE_H

#include "base/csv.h"
#include "base/pair_index.h"
#include "base/string_pool.h"
#include "dump/builder.h"

/* A node of the file.  The builder needs parents first, so all nodes are
 * collected before any is built.  Strings are in the load's text. */
struct pdump_csv_node {
    int64_t id;
    int64_t parent; /* id, or PDUMP_MISSING */
    struct pdump_dump_region region;
    int64_t line; /* of the file's first mention, or 0 */
};

/* A table of details while its fields are collected. */
struct pdump_csv_detail {
    struct pdump_dump_detail table; /* owns its fields */
    int number;                     /* index in the builder, or -1 */
};

struct pdump_csv_load {
    struct pdump_builder *b;           /* borrowed */
    struct pdump_string_pool *text;    /* names, freed with the load */
    struct pdump_dump_metric *metrics; /* as in the builder */
    int n_metrics;
    struct pdump_dump_region *regions; /* from the .meta.csv, if it has any */
    int n_regions;
    struct pdump_csv_node *nodes;
    int n_nodes;
    struct pdump_pair_index node_ids;  /* id to index in nodes, then builder */
    struct pdump_pair_index processes; /* number in the file to builder */
    struct pdump_pair_index ranks;     /* rank and pid to builder */
    struct pdump_pair_index threads;   /* process and number to builder */
    bool has_meta;
    const char *format; /* announced by the .meta.csv, like the next six */
    int64_t version;
    int64_t n_rows;
    int64_t n_samples;                /* lines of samples */
    int64_t n_stats;                  /* lines of statistics over ranks */
    int64_t n_details;                /* lines of details */
    int64_t n_events;                 /* lines of events */
    struct pdump_csv_detail *details; /* from the .meta.csv */
    int n_tables;
};

/* Makes room for element n of the array that *pointer points to. */
int pdump_csv_load_room(void *pointer, int64_t n, size_t size);

/* Copies the string into the load's text. */
int pdump_csv_load_keep(struct pdump_csv_load *load, const char *s,
                        const char **out);

/* reader_csv_meta.c: adds the contents of the .meta.csv.  It is no error if the
 * file does not exist. */
int pdump_csv_load_meta(struct pdump_csv_load *load, const char *path);

/* reader_csv_stats.c: adds the statistics over ranks if the .meta.csv announced
 * any.  All nodes must be known. */
int pdump_csv_load_stats(struct pdump_csv_load *load, const char *path);

/* reader_csv_details.c: adds a table or a field from the .meta.csv.  Returns
 * its number or a pdump_error. */
int pdump_csv_load_detail(struct pdump_csv_load *load,
                          const struct pdump_dump_detail *table);
int pdump_csv_load_field(struct pdump_csv_load *load,
                         const struct pdump_csv *csv, int detail,
                         const struct pdump_dump_field *field);
/* Adds the rows of details if the .meta.csv announced any.  All nodes must be
 * known. */
int pdump_csv_load_details(struct pdump_csv_load *load, const char *path);
void pdump_csv_load_free_details(struct pdump_csv_load *load);

/* reader_csv_events.c: adds the events if the .meta.csv announced any.  All
 * nodes must be known. */
int pdump_csv_load_events(struct pdump_csv_load *load, const char *path);

/* reader_csv_tree.c: each adds a metric, a process, a thread or a node, and
 * returns its index or a pdump_error.  If `number` is PDUMP_MISSING, the
 * process is known by rank and pid only. */
int pdump_csv_load_metric(struct pdump_csv_load *load,
                          const struct pdump_dump_metric *metric);
int pdump_csv_load_process(struct pdump_csv_load *load, int64_t number,
                           const struct pdump_dump_process *process);
int pdump_csv_load_thread(struct pdump_csv_load *load,
                          const struct pdump_dump_thread *thread);
int pdump_csv_load_node(struct pdump_csv_load *load,
                        const struct pdump_csv *csv,
                        const struct pdump_csv_node *node);

/* Builds the nodes, in the order of their ids, when all of them are known. */
int pdump_csv_load_build_nodes(struct pdump_csv_load *load,
                               struct pdump_csv *csv);

void pdump_csv_load_free(struct pdump_csv_load *load);

/* Columns that are not figures of a metric. */
enum pdump_column {
    PDUMP_COLUMN_PROCESS,
    PDUMP_COLUMN_RANK,
    PDUMP_COLUMN_PID,
    PDUMP_COLUMN_THREAD,
    PDUMP_COLUMN_THREAD_NAME,
    PDUMP_COLUMN_NODE,
    PDUMP_COLUMN_PARENT,
    PDUMP_COLUMN_REGION,
    PDUMP_COLUMN_GROUP,
    PDUMP_COLUMN_FILE_NAME,
    PDUMP_COLUMN_LINE,
    PDUMP_COLUMN_OPEN,
    PDUMP_COLUMN_VISITS,
    PDUMP_COLUMN_NUMBER,
    PDUMP_COLUMN_START,
    PDUMP_COLUMN_METRIC, /* from here on only in statistics over ranks */
    PDUMP_COLUMN_RANKS,
    PDUMP_COLUMN_SUM,
    PDUMP_COLUMN_MIN,
    PDUMP_COLUMN_MAX,
    PDUMP_COLUMN_SUMSQ,
    PDUMP_COLUMN_RANK_OF_MIN,
    PDUMP_COLUMN_RANK_OF_MAX,
    PDUMP_COLUMN_TABLE, /* from here on only in details */
    PDUMP_COLUMN_LABEL,
    PDUMP_COLUMN_FIELD,
    PDUMP_COLUMN_INDEX,
    PDUMP_COLUMN_VALUE,
    PDUMP_COLUMN_TIME, /* from here on only in events */
    PDUMP_COLUMN_KIND,
    PDUMP_COLUMN_WHAT,
    PDUMP_COLUMN_TAG,
    PDUMP_COLUMNS,
};

/* The figures of a metric in a row, in the order of pdump_builder_value(). */
enum pdump_figure {
    PDUMP_FIGURE_SUM,
    PDUMP_FIGURE_MIN,
    PDUMP_FIGURE_MAX,
    PDUMP_FIGURE_SUMSQ,
    PDUMP_FIGURES,
};

/* Starts as zeroes, ends with pdump_columns_close(). */
struct pdump_columns {
    struct pdump_csv csv;
    int n_cells;           /* in every record */
    int at[PDUMP_COLUMNS]; /* index of the column, or -1 */
    /* Columns of each metric, or -1.  A sample has its value in the place of
     * the sum. */
    int (*figure)[PDUMP_FIGURES];
    struct pdump_pair_index
        headings; /* address of a kept heading to its column */
};

/* Opens `path` (borrowed) and reads its headings. */
int pdump_columns_open(struct pdump_columns *columns,
                       struct pdump_csv_load *load, const char *path);
void pdump_columns_close(struct pdump_columns *columns);

/* Returns PDUMP_EFORMAT if one of these n columns is missing. */
int pdump_columns_need(const struct pdump_columns *columns,
                       const enum pdump_column *needed, int n);

/* Finds the metrics by the headings of their sums and adds them, for files
 * without a .meta.csv. */
int pdump_columns_guess_metrics(const struct pdump_columns *columns,
                                struct pdump_csv_load *load);

/* Finds the columns of every metric, in a profile or a file of samples. */
int pdump_columns_find_figures(struct pdump_columns *columns,
                               struct pdump_csv_load *load, bool is_profile);

/* Reads the next record like pdump_csv_next(); it must have as many cells as
 * there are headings. */
int pdump_columns_next(struct pdump_columns *columns);

/* Returns a cell of the record, "" if there is no such column. */
const char *pdump_columns_text(const struct pdump_columns *columns,
                               enum pdump_column column);

/* Reads a cell as a number from min to max; an empty cell gives `fallback`. */
int pdump_columns_int(const struct pdump_columns *columns,
                      enum pdump_column column, int64_t min, int64_t max,
                      int64_t fallback, int64_t *out);

/* Find the thread or the node of a line, which must be known; -1 if the cell of
 * the process, or of the node, is empty. */
int pdump_columns_thread(const struct pdump_columns *columns,
                         const struct pdump_csv_load *load, int *out);
int pdump_columns_node(const struct pdump_columns *columns,
                       const struct pdump_csv_load *load, int *out);
/* Finds the node of a line that must have one. */
int pdump_columns_some_node(const struct pdump_columns *columns,
                            const struct pdump_csv_load *load, int *out);

/* Reads sum, min or max (or a sample's value) of a metric; PDUMP_MISSING if the
 * cell is empty. */
int pdump_columns_figure(const struct pdump_columns *columns,
                         const struct pdump_csv_load *load, int metric,
                         enum pdump_figure figure, int64_t *out);

#endif
