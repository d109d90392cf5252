/* SPDX-License-Identifier: BSD-3-Clause */
/* Several dumps as one: processes side by side, regions and metrics united. */
#ifndef PDUMP_MERGE_H
#define PDUMP_MERGE_H

#include "dump/builder.h"

/* The union of n dumps (borrowed).  If one has statistics over ranks, the
 * union has those of all: a dump without them is counted by its rows.  Given:
 * pdump_dump_free(). */
PDUMP_SHARED int pdump_merge(struct pdump_dump *const *dumps, int n,
                             struct pdump_dump **out);

#endif
