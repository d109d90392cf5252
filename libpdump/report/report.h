/* SPDX-License-Identifier: BSD-3-Clause */
/* A view as text: what the run was, its warnings, a table, and notes. */
#ifndef PDUMP_REPORT_H
#define PDUMP_REPORT_H

#include "report/view.h"

#include <stdio.h>

/* A counter column, by number; see pdump_view_find(). */
struct pdump_report_metric {
    bool is_derived;
    int index;
};

enum pdump_report_format {
    PDUMP_REPORT_TERMINAL,
    PDUMP_REPORT_MARKDOWN, /* the same page */
    PDUMP_REPORT_CSV,      /* its lines, with all digits: docs/report.md */
    PDUMP_REPORT_JSON,
};

struct pdump_report_options {
    enum pdump_report_format format;
    int width;      /* of the page; 0: as wide as it takes */
    bool has_color; /* for a terminal */
    /* The metrics to show, in this order, borrowed; NULL: all. */
    const struct pdump_report_metric *metrics;
    int n_metrics;
    /* For a live view, borrowed; NULL: none.  The view has what the last
     * `seconds` added to `totals`, which has the same items.  Only the table is
     * printed: shares of those seconds, rates, and the totals beside them. */
    const struct pdump_view *totals;
    double seconds;
    /* A column for each rank, as many as there is room for: of the first of
     * `metrics` that is counted, or of the metric that percentages are of. */
    bool by_rank;
    bool is_part; /* the reader chose among the ranks: none is missed */
    /* The dump has the processes of n runs, of which run i has rank i + 1;
     * their names, borrowed, or NULL. */
    const char *const *runs;
    int n_runs;
    int n_files; /* that the dump was made of, or 0 */
};

/* Print `view` to `f`, in the characters of the user's locale.  If there are
 * several ranks, figures are means over them, with their extremes beside. Write
 * errors stay with `f` (ferror()).  PDUMP_ENOENT if there is no rank to have a
 * column. */
PDUMP_SHARED int pdump_report_print(FILE *f, const struct pdump_view *view,
                                    const struct pdump_report_options *options);

#endif
