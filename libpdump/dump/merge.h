/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges several dumps into one: processes side by side, regions and metrics
 * united. */
#ifndef PDUMP_MERGE_H
#define PDUMP_MERGE_H

#include "dump/builder.h"

/* Returns the union of n dumps (borrowed).  If one of them has statistics over
 * ranks, the union has statistics over the ranks of all: for a dump without
 * them, they are computed from its rows.  Given: pdump_dump_free(). */
PDUMP_SHARED int pdump_merge(struct pdump_dump *const *dumps, int n,
                             struct pdump_dump **out);

#endif
