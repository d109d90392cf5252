/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Frames that do not end in the reverse order of their begins.
 *
 * Regions nest, and so do functions, but not in each other: a constructor may
 * begin a region that a destructor ends.  Then the frame to be ended is moved
 * to the top first.  The frames above it have begun inside it and go on
 * outside: from then on they count for the node under the new parent.
 */
#ifndef PDUMP_FRAME_REORDER_H
#define PDUMP_FRAME_REORDER_H

#include "record/recorder.h"

/* Make `frame`, which is open, the innermost one. */
void pdump_frame_reorder(struct pdump_recorder *r, struct pdump_frame *frame);

/* Move the innermost frame that is not a function to the top, with its
 * parameters.  Does nothing if there is none. */
void pdump_frame_reorder_region(struct pdump_recorder *r);

#endif
