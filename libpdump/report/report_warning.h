/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be known before a report is believed. */
#ifndef PDUMP_REPORT_WARNING_H
#define PDUMP_REPORT_WARNING_H

#include "report/view.h"

/* Called with each; `count` is how often it happened.  Borrowed. */
typedef void pdump_report_tell(void *data, const char *text, int64_t count);

/* The warnings of the run; then ranks (not if the reader chose a part of them,
 * or if runs are numbered instead) and counters that are missing in the dump,
 * and how much of the time the measurement itself took, if that matters. */
PDUMP_SHARED int pdump_report_warnings(const struct pdump_view *view,
                                       bool is_part, bool are_runs,
                                       pdump_report_tell *tell, void *data);

/* Percents of the time that went into measuring, NAN if that is not known;
 * nanoseconds per visit in *cost. */
double pdump_report_overhead(const struct pdump_view *view, double *cost);

#endif
