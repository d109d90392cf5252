/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `pdump report`. */
#ifndef PDUMP_REPORT_REQUEST_H
#define PDUMP_REPORT_REQUEST_H

#include "command.h"
#include "common/rank_list.h"
#include "report/report_choice.h"

enum { REPORT_SECTIONS_MAX = 8 };

/* The options, before a dump is loaded. */
struct report_request {
    const struct command *self;
    char **files;
    int n_files;
    struct report_names names;
    struct rank_list ranks;
    bool by_run;
    const char *sections[REPORT_SECTIONS_MAX]; /* instead of the tree */
    int n_sections;
    const char *format; /* the option that set it, or NULL */
    bool is_all;        /* all lines */
    bool has_width;
    bool is_summary;
    bool has_choice; /* an option selects lines */
    struct pdump_view_options view;
    struct pdump_report_options look;
};

extern const struct command_option report_request_options[];

/* Fills the request, whose `self`, `files` and names are there.  Returns an
 * exit code, or -1 to go on. */
int report_request_parse(struct report_request *q, int argc, char **argv);

#endif
