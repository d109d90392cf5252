/* SPDX-License-Identifier: BSD-3-Clause */
/* From the store to a dump: reads what threads are still writing. */
#ifndef PDUMP_SNAPSHOT_H
#define PDUMP_SNAPSHOT_H

#include "dump/builder.h"
#include "record/recorder.h"

/* Add everything in the store at `base` to the builder, as one process.  `now`
 * is the end of what is measured; open regions lasted until then.  `self` (may
 * be NULL) is the calling thread's recorder, whose counters can be read for the
 * regions that it has open; for other threads, `sources` (may be NULL) read
 * what they can.  `events` is the path of the store, or of any file in the
 * folder of its file of events; NULL: no events. */
int pdump_snapshot_add(struct pdump_builder *b, char *base,
                       struct pdump_moment now, struct pdump_recorder *self,
                       const struct pdump_sources *sources, const char *events);

/* The same for the store of another process, `size` bytes of it at `base`, with
 * zeroes behind them as far as a ref can reach; `path` is its file.  The head
 * is good; anything else may be damaged: PDUMP_EFORMAT.  Open regions last
 * until the last sign of life. */
int pdump_snapshot_read(struct pdump_builder *b, char *base, size_t size,
                        const char *path);

#endif
