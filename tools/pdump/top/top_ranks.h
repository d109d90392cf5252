/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the processes of a run side by side: a line for each rank. */
#ifndef PDUMP_TOP_RANKS_H
#define PDUMP_TOP_RANKS_H

#include "top/top_page.h"

/* Prints the n processes from `first` on: how busy each was since the previous
 * look, and the region with the most.  Sorted by the page's metric, or by rank
 * if the page is sorted by name.  PDUMP_ENOENT if no process has that
 * metric. */
int top_ranks_print(FILE *f, const struct top_page *page,
                    const struct live_look *now, int first, int n,
                    const struct live_look *before);

#endif
