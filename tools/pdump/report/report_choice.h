/* SPDX-License-Identifier: BSD-3-Clause */
/* What a report is to show, by names that a dump may have or not. */
#ifndef PDUMP_REPORT_CHOICE_H
#define PDUMP_REPORT_CHOICE_H

#include "command.h"

#include "report/report.h"

/* As on the command line, borrowed; the lists grow by report_choice_add(). */
struct report_names {
    const char **metrics; /* each perhaps several, with commas */
    int n_metrics;
    const char **regions;
    int n_regions;
    const char *sort; /* or NULL */
};

/* Both lists are large enough for `argc` names.  free() them. */
int report_names_new(const struct command *self, int argc,
                     struct report_names *out);

/* What they stand for in a dump, to be used by a view and its report. */
struct report_choice {
    struct pdump_report_metric *metrics;
    bool *regions;
};

/* Fill the options from the names; COMMAND_OK, or a message with what may have
 * been meant and its code.  End with report_choice_free() in any case. */
int report_choose(const struct command *self, const struct report_names *names,
                  const struct pdump_dump *dump, struct report_choice *choice,
                  struct pdump_view_options *view,
                  struct pdump_report_options *look);
void report_choice_free(struct report_choice *choice);

/* "; did you mean pdump::rss or IPC?", or "".  IPC only if what is made of
 * others is meant, too. */
const char *report_near_metrics(const struct pdump_dump *dump, const char *word,
                                bool with_derived, char buf[400]);

#endif
