/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Converts a store to a dump: of the running program, which may still write to
 * it, or of a process that has ended.
 *
 * This is the central header of snapshot/, which joins the recording half of
 * the library to the half that works on dumps.
 */
#ifndef PDUMP_SNAPSHOT_H
#define PDUMP_SNAPSHOT_H

#include "dump/builder.h"
#include "record/recorder.h"

/* Adds everything in the store at `base` to the builder, as one process.  `now`
 * is the end of the measurement; open regions last until then.  `self` (may be
 * NULL) is the recorder of the calling thread, whose counters can be read for
 * its open regions; for other threads, `sources` (may be NULL) reads the
 * counters that it can.  `events` is the path of the store, or of any file in
 * the folder of its file of events; NULL: no events. */
int pdump_snapshot_add(struct pdump_builder *b, char *base,
                       struct pdump_moment now, struct pdump_recorder *self,
                       const struct pdump_sources *sources, const char *events);

/* Adds the store of another process: `size` bytes at `base`, followed by zeroes
 * as far as a ref can reach; `path` is its file.  The head has been checked;
 * anything else may be damaged: PDUMP_EFORMAT.  Open regions last until the
 * last begin or end that was recorded. */
int pdump_snapshot_read(struct pdump_builder *b, char *base, size_t size,
                        const char *path);

#endif
