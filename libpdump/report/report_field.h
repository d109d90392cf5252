/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a report for programs, whose values have all their digits. */
#ifndef PDUMP_REPORT_FIELD_H
#define PDUMP_REPORT_FIELD_H

#include "report/report_table.h"

enum pdump_report_field_kind {
    PDUMP_COLUMN_OF_RANK, /* of a thread, like the next two */
    PDUMP_COLUMN_OF_PID,
    PDUMP_COLUMN_OF_THREAD,
    PDUMP_COLUMN_OF_PATH,
    PDUMP_COLUMN_OF_REGION,
    PDUMP_COLUMN_OF_FILE,
    PDUMP_COLUMN_OF_LINE,
    PDUMP_COLUMN_OF_DEPTH,
    PDUMP_COLUMN_OF_OPEN,
    PDUMP_COLUMN_OF_VISITS,
    PDUMP_COLUMN_OF_PERCENT,
    PDUMP_COLUMN_OF_SUM, /* of a metric, like all that follow but the last */
    PDUMP_COLUMN_OF_SELF,
    PDUMP_COLUMN_OF_HIGHEST,
    PDUMP_COLUMN_OF_THREADS, /* threads that have it */
    PDUMP_COLUMN_OF_MOST_OF_THREADS,
    PDUMP_COLUMN_OF_THREAD_IMBALANCE,
    PDUMP_COLUMN_OF_RANKS, /* over ranks, like the next seven */
    PDUMP_COLUMN_OF_MEAN,
    PDUMP_COLUMN_OF_LEAST,
    PDUMP_COLUMN_OF_MOST,
    PDUMP_COLUMN_OF_STDDEV,
    PDUMP_COLUMN_OF_IMBALANCE,
    PDUMP_COLUMN_OF_RANK_OF_LEAST,
    PDUMP_COLUMN_OF_RANK_OF_MOST,
    PDUMP_COLUMN_OF_ONE, /* value of one rank */
    PDUMP_COLUMN_OF_DERIVED,
};

struct pdump_report_field {
    enum pdump_report_field_kind kind;
    int index; /* of the metric or derived metric */
    int one;   /* index in the list of ranks */
    char *name;
    const char *unit; /* "" if it has none */
};

struct pdump_report_fields {
    struct pdump_report_field *list;
    int n;
    char *path; /* buffer for paths */
};

enum pdump_report_value_kind {
    PDUMP_VALUE_TEXT,
    PDUMP_VALUE_WHOLE, /* may be PDUMP_MISSING */
    PDUMP_VALUE_REAL,  /* may be NAN */
};

struct pdump_report_value {
    enum pdump_report_value_kind kind;
    const char *text; /* valid until the next value is made */
    int64_t whole;
    double real;
};

/* Makes the columns that suit the view.  The caller ends with
 * pdump_report_fields_free(), also after an error. */
int pdump_report_fields_make(const struct pdump_report_page *page,
                             const struct pdump_report_options *options,
                             struct pdump_report_fields *out);
void pdump_report_fields_free(struct pdump_report_fields *fields);

void pdump_report_field_value(const struct pdump_report_page *page,
                              const struct pdump_report_fields *fields,
                              const struct pdump_report_field *field, int item,
                              struct pdump_report_value *out);

/* Print the lines of the page (report_data.c). */
int pdump_report_csv(const struct pdump_report_page *page,
                     const struct pdump_report_options *options);
int pdump_report_json(const struct pdump_report_page *page,
                      const struct pdump_report_options *options);

#endif
