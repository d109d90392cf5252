/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fields of the table "lines": hits, times, and the metrics of the session.
 *
 * A counter is what was counted in the line.  A gauge is two fields: its
 * highest level at the end of the line (pdump::rss), and by how much it was
 * then above where it was at the beginning (pdump::rss.growth), added up.
 */
#ifndef PDUMP_LINES_TABLE_H
#define PDUMP_LINES_TABLE_H

#include "probe/detail.h"

enum {
    PDUMP_LINES_HITS,
    PDUMP_LINES_TIME,
    PDUMP_LINES_CALLED, /* of that, in functions that are recorded, too */
    PDUMP_LINES_FIRST,
};

/* Give the table the fields of the call's session, once.  Under the GIL. */
void pdump_lines_table_make(struct pdump_detail_table *table,
                            const struct pdump_call *call);

/* What was counted between two looks. */
void pdump_lines_table_add(const struct pdump_detail_table *table, int64_t *row,
                           const int64_t *before, const int64_t *after);

#endif
