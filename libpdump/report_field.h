/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a report for programs: values with all their digits. */
#ifndef PDUMP_REPORT_FIELD_H
#define PDUMP_REPORT_FIELD_H

#include "report_table.h"

enum pdump_report_field_kind {
    PDUMP_FIELD_RANK, /* of a thread, as the next two */
    PDUMP_FIELD_PID,
    PDUMP_FIELD_THREAD,
    PDUMP_FIELD_PATH,
    PDUMP_FIELD_REGION,
    PDUMP_FIELD_FILE,
    PDUMP_FIELD_LINE,
    PDUMP_FIELD_DEPTH,
    PDUMP_FIELD_OPEN,
    PDUMP_FIELD_VISITS,
    PDUMP_FIELD_PERCENT,
    PDUMP_FIELD_SUM, /* of a metric, as all that follow but one */
    PDUMP_FIELD_SELF,
    PDUMP_FIELD_HIGHEST,
    PDUMP_FIELD_THREADS, /* how many have it, */
    PDUMP_FIELD_MOST_OF_THREADS,
    PDUMP_FIELD_THREAD_IMBALANCE,
    PDUMP_FIELD_RANKS, /* over ranks, as the next seven */
    PDUMP_FIELD_MEAN,
    PDUMP_FIELD_LEAST,
    PDUMP_FIELD_MOST,
    PDUMP_FIELD_STDDEV,
    PDUMP_FIELD_IMBALANCE,
    PDUMP_FIELD_RANK_OF_LEAST,
    PDUMP_FIELD_RANK_OF_MOST,
    PDUMP_FIELD_ONE, /* rank */
    PDUMP_FIELD_DERIVED,
};

struct pdump_report_field {
    enum pdump_report_field_kind kind;
    int index; /* of the metric or derived metric */
    int one;   /* which rank of the list */
    char *name;
    const char *unit; /* "" if it has none */
};

struct pdump_report_fields {
    struct pdump_report_field *list;
    int n;
    char *path; /* where a path is put together */
};

enum pdump_report_value_kind {
    PDUMP_VALUE_TEXT,
    PDUMP_VALUE_WHOLE, /* perhaps PDUMP_MISSING */
    PDUMP_VALUE_REAL,  /* perhaps NAN */
};

struct pdump_report_value {
    enum pdump_report_value_kind kind;
    const char *text; /* valid until the next one is made */
    int64_t whole;
    double real;
};

/* Those that suit the view.  End with pdump_report_fields_free(), also after a
 * failure. */
int pdump_report_fields_make(const struct pdump_report_page *page,
                             const struct pdump_report_options *options,
                             struct pdump_report_fields *out);
void pdump_report_fields_free(struct pdump_report_fields *fields);

void pdump_report_field_value(const struct pdump_report_page *page,
                              const struct pdump_report_fields *fields,
                              const struct pdump_report_field *field, int item,
                              struct pdump_report_value *out);

/* The lines of the page (report_data.c). */
int pdump_report_csv(const struct pdump_report_page *page,
                     const struct pdump_report_options *options);
int pdump_report_json(const struct pdump_report_page *page,
                      const struct pdump_report_options *options);

#endif
