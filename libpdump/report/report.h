/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints a view as a report: a description of the run, its warnings, a table,
 * and notes.
 *
 * This is the central header of report/, which makes views and tables for
 * people.
 */
#ifndef PDUMP_REPORT_H
#define PDUMP_REPORT_H

#include "report/view/view.h"

#include <stdio.h>

/* A counter column, by its number; see pdump_view_find(). */
struct pdump_report_metric {
    bool is_derived;
    int index;
};

enum pdump_report_format {
    PDUMP_REPORT_TERMINAL,
    PDUMP_REPORT_MARKDOWN, /* the same page */
    PDUMP_REPORT_CSV,      /* its lines with all digits: docs/report.md */
    PDUMP_REPORT_JSON,
};

struct pdump_report_options {
    enum pdump_report_format format;
    int width;      /* of the page; 0: no limit */
    bool has_color; /* for a terminal */
    /* The metrics to show, in this order, borrowed; NULL: all. */
    const struct pdump_report_metric *metrics;
    int n_metrics;
    /* The titles of the columns to show, in this order, borrowed; "share" is
     * the bar and the percentage.  NULL: the usual ones, and those of the
     * metrics that were asked for. */
    const char *const *columns;
    int n_columns;
    bool is_wide;       /* all columns */
    bool has_all_notes; /* also what the columns mean */
    /* For a live view, borrowed; NULL: none.  The view has what was added in
     * the last `seconds`, `totals` has the sums until now for the same items.
     * Only the table is printed: shares of those seconds, rates, and the totals
     * beside them. */
    const struct pdump_view *totals;
    double seconds;
    /* Adds a column for each rank, as many as fit.  The columns show the first
     * counted metric of `metrics`, or the metric that percentages are of. */
    bool by_rank;
    bool is_part; /* the user chose some ranks: do not warn about the others */
    /* The dump has the processes of n runs, and run i has rank i + 1.  These
     * are the names of the runs, borrowed, or NULL. */
    const char *const *runs;
    int n_runs;
    int n_files; /* number of files that the dump was made of, or 0 */
};

/* Prints `view` to `f`, in the characters of the user's locale.  If there are
 * several ranks, figures are means over them, with minimum and maximum beside.
 * Write errors are left in `f` (ferror()).  PDUMP_ENOENT if columns per rank
 * are wanted and there is no rank, or no column of a name in `columns`. */
PDUMP_SHARED int pdump_report_print(FILE *f, const struct pdump_view *view,
                                    const struct pdump_report_options *options);

#endif
