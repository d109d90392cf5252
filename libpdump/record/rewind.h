/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions that may be thrown away with all that happened in them. */
#ifndef PDUMP_REWIND_H
#define PDUMP_REWIND_H

#include "record/recorder.h"

int pdump_rewind_enter(struct pdump_recorder *r, uint32_t region);

/* PDUMP_ESTATE if the innermost region is not the rewind region `name`
 * (NULL: any). */
int pdump_rewind_leave(struct pdump_recorder *r, const char *name,
                       bool discard);

#endif
