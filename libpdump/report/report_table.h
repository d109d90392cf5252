/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of a report: a name and figures per item, fitted to the page. */
#ifndef PDUMP_REPORT_TABLE_H
#define PDUMP_REPORT_TABLE_H

#include "report/report.h"
#include "report/view_ranks.h"

/* Where a report goes, and how it may look. */
struct pdump_report_page {
    FILE *f;
    int width; /* 0: no limit */
    bool is_utf8;
    bool has_color;
    const struct pdump_view *view;
    const struct pdump_view *totals; /* of a live view, or the view itself */
    double seconds;                  /* of a live view, or 0 */
    /* Not NULL: figures are means over ranks. */
    const struct pdump_view_ranks *ranks;
    bool by_rank; /* a column for each rank */
    bool is_part; /* the reader chose among the ranks */
    /* Not NULL: what counts as a rank is a run, from 1 on, of this name. */
    const char *const *runs;
    int n_runs;
    int n_files;
    bool is_markdown; /* else what a terminal shows */
};

/* Styles, which are nothing without colour. */
enum pdump_report_style {
    PDUMP_REPORT_PLAIN,
    PDUMP_REPORT_BOLD,
    PDUMP_REPORT_DIM,
    PDUMP_REPORT_WARM,
    PDUMP_REPORT_HOT,
};
void pdump_report_style(const struct pdump_report_page *page,
                        enum pdump_report_style style);

enum pdump_report_kind {
    PDUMP_REPORT_SHARE, /* of the view's key metric */
    PDUMP_REPORT_SELF_SHARE,
    PDUMP_REPORT_BAR,
    PDUMP_REPORT_TIME,
    PDUMP_REPORT_SELF,
    PDUMP_REPORT_MOST,      /* time of the thread that has most, */
    PDUMP_REPORT_IMBALANCE, /* and how much it is above the threads' mean */
    PDUMP_REPORT_VISITS,
    PDUMP_REPORT_RATE, /* visits per second */
    PDUMP_REPORT_PER_VISIT,
    PDUMP_REPORT_COUNTER,
    PDUMP_REPORT_DERIVED,
    PDUMP_REPORT_RANK_ONE,  /* from here on over ranks; this: of one of them */
    PDUMP_REPORT_RANK_MEAN, /* of the metric at hand, as all of these */
    PDUMP_REPORT_RANK_LEAST,
    PDUMP_REPORT_RANK_MOST,
    PDUMP_REPORT_RANK_STDDEV,
    PDUMP_REPORT_RANK_IMBALANCE,
    PDUMP_REPORT_RANK_OF_LEAST, /* which rank that is */
    PDUMP_REPORT_RANK_OF_MOST,
    PDUMP_REPORT_RANK_COUNT, /* how many ranks have it */
    PDUMP_REPORT_RANK_BAR,
};

struct pdump_report_column {
    enum pdump_report_kind kind;
    int index; /* of the metric, of the derived metric, or of the rank */
    int rank;  /* the smallest stay when there is no room for all */
    const char *title;
    char text[24]; /* where a title may be kept */
    int digits;    /* widths */
    int unit;
    int width;
    bool is_shown;
};

struct pdump_report_table {
    struct pdump_report_column *columns;
    int n_columns;
    int name;   /* width */
    int levels; /* of the tree that are drawn with guides */
};

/* The columns that the view has and the page has room for.  On success free
 * table->columns. */
int pdump_report_table_make(const struct pdump_report_page *page,
                            const struct pdump_report_options *options,
                            struct pdump_report_table *table);

void pdump_report_table_print(const struct pdump_report_page *page,
                              const struct pdump_report_table *table);

/* What the lines are: "region", "function" or "file".  Static. */
const char *pdump_report_table_word(const struct pdump_view *view);

/* One more column, for which there has to be room. */
struct pdump_report_column *pdump_report_table_add(
    struct pdump_report_table *table, enum pdump_report_kind kind, int index,
    int rank, const char *title);

/* The name of an item with its guides, in at most `max` columns.  Returns the
 * columns taken, or that it would take without a limit (report_name.c). */
int pdump_report_name_put(const struct pdump_report_page *page, int item,
                          int levels, int max);
int pdump_report_name_width(const struct pdump_report_page *page, int item,
                            int levels);

#endif
