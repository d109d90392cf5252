/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a CSV dump, found by their headings. */
#ifndef PDUMP_READER_CSV_COLUMNS_H
#define PDUMP_READER_CSV_COLUMNS_H

#include "read/reader_csv.h"

/* Those that are not figures of a metric. */
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
    PDUMP_COLUMN_METRIC, /* from here on only of statistics over ranks */
    PDUMP_COLUMN_RANKS,
    PDUMP_COLUMN_SUM,
    PDUMP_COLUMN_MIN,
    PDUMP_COLUMN_MAX,
    PDUMP_COLUMN_SUMSQ,
    PDUMP_COLUMN_RANK_OF_MIN,
    PDUMP_COLUMN_RANK_OF_MAX,
    PDUMP_COLUMN_TABLE, /* from here on only of details */
    PDUMP_COLUMN_LABEL,
    PDUMP_COLUMN_FIELD,
    PDUMP_COLUMN_INDEX,
    PDUMP_COLUMN_VALUE,
    PDUMP_COLUMN_TIME, /* from here on only of events */
    PDUMP_COLUMN_KIND,
    PDUMP_COLUMN_WHAT,
    PDUMP_COLUMN_TAG,
    PDUMP_COLUMNS,
};

/* What a row says of a metric, in the order of pdump_builder_value(). */
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
    int n_cells;           /* of every record */
    int at[PDUMP_COLUMNS]; /* or -1 */
    /* Of each metric, or -1.  A sample has its value in place of the sum. */
    int (*figure)[PDUMP_FIGURES];
    struct pdump_pair_index
        headings; /* address of a kept heading: its column */
};

/* Open `path` (borrowed) and read its headings. */
int pdump_columns_open(struct pdump_columns *columns,
                       struct pdump_csv_load *load, const char *path);
void pdump_columns_close(struct pdump_columns *columns);

/* PDUMP_EFORMAT if one of these n columns is missing. */
int pdump_columns_need(const struct pdump_columns *columns,
                       const enum pdump_column *needed, int n);

/* Find the metrics by the headings of their sums, where nothing better is
 * known, and add them. */
int pdump_columns_guess_metrics(const struct pdump_columns *columns,
                                struct pdump_csv_load *load);

/* Find the columns of every metric, in a profile or a file of samples. */
int pdump_columns_find_figures(struct pdump_columns *columns,
                               struct pdump_csv_load *load, bool is_profile);

/* The next record, as pdump_csv_next(), with as many cells as headings. */
int pdump_columns_next(struct pdump_columns *columns);

/* A cell of the record, "" if there is no such column. */
const char *pdump_columns_text(const struct pdump_columns *columns,
                               enum pdump_column column);

/* The same as a number from min to max; an empty one gives `fallback`. */
int pdump_columns_int(const struct pdump_columns *columns,
                      enum pdump_column column, int64_t min, int64_t max,
                      int64_t fallback, int64_t *out);

/* The thread, or the node, of a line, which has to be known; -1 where the cell
 * of the process, or of the node, is empty. */
int pdump_columns_thread(const struct pdump_columns *columns,
                         const struct pdump_csv_load *load, int *out);
int pdump_columns_node(const struct pdump_columns *columns,
                       const struct pdump_csv_load *load, int *out);

/* Sum, min, max (or a sample's value) of a metric; PDUMP_MISSING if empty. */
int pdump_columns_figure(const struct pdump_columns *columns,
                         const struct pdump_csv_load *load, int metric,
                         enum pdump_figure figure, int64_t *out);

#endif
