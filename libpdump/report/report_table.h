/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of a report: one line per item with its name and figures, fitted to
 * the page. */
#ifndef PDUMP_REPORT_TABLE_H
#define PDUMP_REPORT_TABLE_H

#include "report/report.h"
#include "report/view/view_ranks.h"

/* The page that a report is written to, and its style. */
struct pdump_report_page {
    FILE *f;
    int width; /* 0: no limit */
    bool is_utf8;
    bool has_color;
    const struct pdump_view *view;
    const struct pdump_view *totals; /* of a live view, or the view */
    double seconds;                  /* of a live view, or 0 */
    /* If not NULL, figures are means over ranks. */
    const struct pdump_view_ranks *ranks;
    bool by_rank; /* a column for each rank */
    bool is_part; /* the user chose some ranks */
    /* If not NULL, each rank is a run, numbered from 1 on, with this name. */
    const char *const *runs;
    int n_runs;
    int n_files;
    bool is_markdown; /* otherwise for a terminal */
    bool is_wide;
    bool has_all_notes;
};

/* Text styles, without effect if the page has no colour. */
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
    PDUMP_REPORT_MOST,      /* time of the thread that has most */
    PDUMP_REPORT_IMBALANCE, /* how far that is above the mean of the threads */
    PDUMP_REPORT_VISITS,
    PDUMP_REPORT_RATE, /* visits per second */
    PDUMP_REPORT_PER_VISIT,
    PDUMP_REPORT_COUNTER,
    PDUMP_REPORT_DERIVED,
    PDUMP_REPORT_RANK_ONE,  /* from here on over ranks; this: one rank */
    PDUMP_REPORT_RANK_MEAN, /* of the ranks' metric, like all of these */
    PDUMP_REPORT_RANK_LEAST,
    PDUMP_REPORT_RANK_MOST,
    PDUMP_REPORT_RANK_STDDEV,
    PDUMP_REPORT_RANK_IMBALANCE,
    PDUMP_REPORT_RANK_OF_LEAST, /* number of that rank */
    PDUMP_REPORT_RANK_OF_MOST,
    PDUMP_REPORT_RANK_COUNT, /* number of ranks that have it */
    PDUMP_REPORT_RANK_BAR,
};

/* Priorities of columns. */
enum { PDUMP_REPORT_ASKED = 2, PDUMP_REPORT_EXTRA = 1000 };

struct pdump_report_column {
    enum pdump_report_kind kind;
    int index; /* of the metric, the derived metric or the rank */
    int rank;  /* priority: the smallest stay if not all fit; from
                  PDUMP_REPORT_EXTRA on only on a wide page */
    const char *title;
    char text[24]; /* buffer for a title */
    int digits;    /* widths, like the next two */
    int unit;
    int width;
    bool is_shown;
};

struct pdump_report_table {
    struct pdump_report_column *columns;
    int n_columns;
    int name;   /* its width */
    int levels; /* levels of the tree that are drawn with guides */
};

/* Makes the columns that the view has and the page has room for.  On success,
 * the caller frees table->columns. */
int pdump_report_table_make(const struct pdump_report_page *page,
                            const struct pdump_report_options *options,
                            struct pdump_report_table *table);

void pdump_report_table_print(const struct pdump_report_page *page,
                              const struct pdump_report_table *table);

/* Returns what the lines stand for: "region", "function" or "file".  Static. */
const char *pdump_report_table_word(const struct pdump_view *view);

/* Adds a column; the caller has allocated room for it. */
struct pdump_report_column *pdump_report_table_add(
    struct pdump_report_table *table, enum pdump_report_kind kind, int index,
    int rank, const char *title);

/* Prints the name of an item with its guides, in at most `max` columns, and
 * returns the columns taken.  The second function returns the columns that it
 * takes without a limit (report_name.c). */
int pdump_report_name_put(const struct pdump_report_page *page, int item,
                          int levels, int max);
int pdump_report_name_width(const struct pdump_report_page *page, int item,
                            int levels);

#endif
