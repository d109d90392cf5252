/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions of the program in suspended frames of generators and coroutines.
 * While a task awaits, its regions are not open, and other tasks may open
 * theirs.
 *
 * They are stored by the address of the frame.  A suspended frame is always
 * resumed before it is freed, if only to be closed.  Under the GIL.
 */
#ifndef PDUMP_SUSPENDED_REGIONS_H
#define PDUMP_SUSPENDED_REGIONS_H

#include "region_stack.h"

struct pdump_suspended {
    const void *frame;
    struct pdump_suspended *next; /* in its bucket */
    uint32_t n;
    const char *names[]; /* outermost first */
};

/* Number of frames with such regions; if 0, no lookup is needed. */
extern uint32_t pdump_n_suspended;

void pdump_suspended_keep(const void *frame, const struct pdump_entry *entries,
                          uint32_t n);

/* Returns and removes the regions of a frame; NULL if it has none.  Given:
 * free(). */
struct pdump_suspended *pdump_suspended_take(const void *frame);

void pdump_suspended_forget(void);

#endif
