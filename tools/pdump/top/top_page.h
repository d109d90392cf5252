/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a page of `pdump top`: the running processes, and a table for each
 * run. */
#ifndef PDUMP_TOP_PAGE_H
#define PDUMP_TOP_PAGE_H

#include "top/live.h"

#include "report/report.h"

#include <stdio.h>

struct top_page {
    const char *sort; /* as for pdump_view_sort_by(); borrowed */
    bool by_process;  /* a table for each process, not for each run */
    bool by_rank;     /* a line for each process */
    double delay;     /* between two pages, for the heading */
    bool has_keys;    /* the heading names the keys that are used most */
    bool has_help;    /* all keys, instead of the tables */
    struct pdump_view_options view;
    struct pdump_report_options look;
};

/* Prints the processes of `now`.  PDUMP_ENOENT if none of them can be sorted
 * that way; then they are sorted by time. */
int top_page_print(FILE *f, const struct top_page *page,
                   const struct live_look *now, const struct live_look *before);

#endif
