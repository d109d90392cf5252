/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fields of the table "lines": hits, times, and the metrics of the session.
 *
 * For a counter, the field is the count in the line.  A gauge has two fields:
 * its highest level at the end of the line (pdump::rss), and the sum of its
 * increases from the beginning to the end of the line (pdump::rss.growth).
 */
#ifndef PDUMP_LINE_FIELDS_H
#define PDUMP_LINE_FIELDS_H

#include "probe/call_detail.h"

enum {
    PDUMP_LINES_HITS,
    PDUMP_LINES_TIME,
    PDUMP_LINES_CALLED, /* part of it in functions that are recorded, too */
    PDUMP_LINES_FIRST,
};

/* Adds the fields of the call's session to the table, once.  Under the GIL. */
void pdump_line_fields_make(struct pdump_detail_table *table,
                            const struct pdump_call *call);

/* Adds the difference of two readings to a row. */
void pdump_line_fields_add(const struct pdump_detail_table *table, int64_t *row,
                           const int64_t *before, const int64_t *after);

#endif
