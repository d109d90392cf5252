/* SPDX-License-Identifier: BSD-3-Clause */
/* The difference between two looks at running processes. */
#ifndef PDUMP_LIVE_CHANGE_H
#define PDUMP_LIVE_CHANGE_H

#include "top/live.h"

/* Some processes together: their totals, and what the last `seconds` added.
 * Both dumps have the same rows. */
struct live_change {
    struct pdump_dump *totals;
    struct pdump_dump *added;
    double seconds;
};

/* Compares the n processes from `first` on with the previous look.  Given:
 * live_change_free(). */
int live_change_make(const struct live_look *now, int first, int n,
                     const struct live_look *before, struct live_change *out);
void live_change_free(struct live_change *change);

#endif
