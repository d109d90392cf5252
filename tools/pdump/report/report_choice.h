/* SPDX-License-Identifier: BSD-3-Clause */
/* Resolves the names in the options of a report against a dump. */
#ifndef PDUMP_REPORT_CHOICE_H
#define PDUMP_REPORT_CHOICE_H

#include "command.h"

#include "report/report.h"

/* The names from the command line, borrowed. */
struct report_names {
    const char **metrics; /* each may be a list with commas */
    int n_metrics;
    const char **regions;
    int n_regions;
    const char *sort;     /* or NULL */
    const char **columns; /* in `words` */
    int n_columns;
    char *words;
};

/* Allocates both lists with room for `argc` names.  End with
 * report_names_free(). */
int report_names_new(const struct command *self, int argc,
                     struct report_names *out);
void report_names_free(struct report_names *names);

/* Takes the columns of a list with commas, instead of those until now. */
int report_names_columns(const struct command *self, struct report_names *names,
                         const char *value);

/* The meaning of the names in a dump, used by a view and its report. */
struct report_choice {
    struct pdump_report_metric *metrics;
    bool *regions;
};

/* Fills the options from the names.  Returns COMMAND_OK, or an exit code after
 * a message with similar names.  End with report_choice_free() in any case. */
int report_choose(const struct command *self, const struct report_names *names,
                  const struct pdump_dump *dump, struct report_choice *choice,
                  struct pdump_view_options *view,
                  struct pdump_report_options *look);
void report_choice_free(struct report_choice *choice);

/* Returns "; did you mean pdump::rss or IPC?", or "".  Derived metrics such as
 * IPC only if `with_derived`. */
const char *report_near_metrics(const struct pdump_dump *dump, const char *word,
                                bool with_derived, char buf[400]);

#endif
