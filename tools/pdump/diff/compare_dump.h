/* SPDX-License-Identifier: BSD-3-Clause */
/* Two runs as one dump that the page shows as a comparison. */
#ifndef PDUMP_COMPARE_DUMP_H
#define PDUMP_COMPARE_DUMP_H

#include "dump/dump.h"

/*
 * One thread with the nodes of both runs.  Its metrics are those that both
 * have, with the values of the second one, then the same in the same order as
 * "NAME (before)" with those of the first, then "visits (before)"; levels are
 * left out.  The metadata "compare_before" and "compare_after" are the names,
 * "compare_metrics" is the number of the former.  Given: pdump_dump_free().
 * PDUMP_ENOENT if they have no metric in common.
 */
int compare_dump_make(struct pdump_dump *const *pair, char *const *names,
                      struct pdump_dump **out);

#endif
