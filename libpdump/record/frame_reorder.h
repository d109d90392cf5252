/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Frames that are not ended in the order in which they were begun.
 *
 * Regions nest, and so do functions, but not in each other: a constructor may
 * begin a region that a destructor ends.  Then the frame that is to be ended
 * is raised to the top first.  What was above it has begun inside of it and
 * goes on outside: from then on it counts for the node under the new parent.
 */
#ifndef PDUMP_FRAME_REORDER_H
#define PDUMP_FRAME_REORDER_H

#include "record/recorder.h"

/* Make `frame`, which is open, the innermost one. */
void pdump_frame_reorder(struct pdump_recorder *r, struct pdump_frame *frame);

/* Make the innermost frame that is no function the innermost of all, if there
 * is one; parameters stay what they are. */
void pdump_frame_reorder_region(struct pdump_recorder *r);

#endif
