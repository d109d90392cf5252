/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings shown above a report. */
#ifndef PDUMP_REPORT_WARNING_H
#define PDUMP_REPORT_WARNING_H

#include "report/view/view.h"

/* Called with each warning; `count` is how often it happened.  Borrowed. */
typedef void pdump_report_tell(void *data, const char *text, int64_t count);

/* Passes the warnings of the run to tell(); then those about ranks that are
 * missing in the dump (not if the user chose some of them, or if ranks are
 * runs), about missing counters, and about the overhead of the measurement, if
 * that matters. */
PDUMP_SHARED int pdump_report_warnings(const struct pdump_view *view,
                                       bool is_part, bool are_runs,
                                       pdump_report_tell *tell, void *data);

/* Returns the percentage of the time that went into measuring, NAN if unknown.
 * *cost is in nanoseconds per visit. */
double pdump_report_overhead(const struct pdump_view *view, double *cost);

/* Returns true if that is a percentage of the wall time, because there is only
 * one thread; otherwise it is one of the time in regions, of all threads. */
bool pdump_report_overhead_is_of_wall(const struct pdump_dump *dump);

#endif
