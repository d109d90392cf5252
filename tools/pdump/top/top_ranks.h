/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of a run side by side: a line for each rank. */
#ifndef PDUMP_TOP_RANKS_H
#define PDUMP_TOP_RANKS_H

#include "top/top_page.h"

/* The n processes from `first` on: how busy each was since the look before, and
 * where most.  By the page's metric, or by rank if it is sorted by name.
 * PDUMP_ENOENT if none has that metric. */
int top_ranks_print(FILE *f, const struct top_page *page,
                    const struct live_look *now, int first, int n,
                    const struct live_look *before);

#endif
