/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions of the program in frames that wait: of generators and coroutines.
 * While a task awaits, its regions are not open, and others' may be.
 *
 * By the address of the frame; a frame that was suspended is resumed before it
 * goes away, if only to be closed.  All of this under the GIL.
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

/* How many frames have any; 0 makes a look-up needless. */
extern uint32_t pdump_n_suspended;

void pdump_suspended_keep(const void *frame, const struct pdump_entry *entries,
                          uint32_t n);

/* Given: free().  NULL if that frame has none. */
struct pdump_suspended *pdump_suspended_take(const void *frame);

void pdump_suspended_forget(void);

#endif
