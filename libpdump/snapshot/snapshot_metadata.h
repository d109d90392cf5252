/* SPDX-License-Identifier: BSD-3-Clause */
/* What a snapshot has to tell of the whole process. */
#ifndef PDUMP_SNAPSHOT_METADATA_H
#define PDUMP_SNAPSHOT_METADATA_H

#include "snapshot/snapshot_private.h"

/* The process itself, metadata and warnings.  The snapshot's scale is there. */
int pdump_snapshot_metadata(struct pdump_snapshot *s);

/* After all threads: CPU time that was cut, see snapshot_adjust.h. */
int pdump_snapshot_metadata_cut(struct pdump_snapshot *s);

/* After all threads: what they could not record as they should, a warning each.
 */
int pdump_snapshot_metadata_lost(struct pdump_snapshot *s);

#endif
