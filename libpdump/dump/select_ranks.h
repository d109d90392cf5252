/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies part of a dump. */
#ifndef PDUMP_SELECT_RANKS_H
#define PDUMP_SELECT_RANKS_H

#include "dump/builder.h"

/* Ranks `from` to `to`. */
struct pdump_select_range {
    int from;
    int to;
};

/* Copies the processes, rows, samples, events and details of the ranks in any
 * of n ranges, without the statistics over all ranks.  Regions, metrics,
 * metadata and warnings stay as they are.  Given: pdump_dump_free(). */
PDUMP_SHARED int pdump_select_ranks(const struct pdump_dump *dump,
                                    const struct pdump_select_range *ranges,
                                    int n, struct pdump_dump **out);

#endif
