/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewind regions: they may be discarded with everything recorded in them. */
#ifndef PDUMP_REWIND_H
#define PDUMP_REWIND_H

#include "record/recorder.h"

int pdump_rewind_enter(struct pdump_recorder *r, uint32_t region);

/* Leave the rewind region `name` (NULL: any).  PDUMP_ESTATE if it is not the
 * innermost region. */
int pdump_rewind_leave(struct pdump_recorder *r, const char *name,
                       bool discard);

#endif
