/* SPDX-License-Identifier: BSD-3-Clause */
/* The regions that a thread has open while it is read. */
#ifndef PDUMP_SNAPSHOT_OPEN_FRAMES_H
#define PDUMP_SNAPSHOT_OPEN_FRAMES_H

#include "snapshot/snapshot_private.h"

struct pdump_snapshot_open_frames {
    uint32_t node;
    const struct pdump_frame *frame;
    int64_t start; /* tick */
};

struct pdump_snapshot_opens {
    struct pdump_snapshot_open_frames *list; /* sorted by node */
    int n;
};

/* Find them; to be freed in any case. */
int pdump_snapshot_open_frames_find(struct pdump_snapshot *s,
                                    struct pdump_thread_record *thread,
                                    struct pdump_snapshot_opens *out);
void pdump_snapshot_open_frames_free(struct pdump_snapshot_opens *opens);

/* Copy the metrics at the begin of the open visit to values[n_metrics].  False
 * if counters were not read then, or if the thread has gone on to another visit
 * since. */
bool pdump_snapshot_open_frames_begin(
    const struct pdump_snapshot *s,
    const struct pdump_snapshot_open_frames *open, int64_t *values);

/*
 * Read the current metrics of the thread into values[n_metrics], for its open
 * regions, after these were found.  A metric that only the thread itself could
 * read, or that can no longer be read, is PDUMP_UNREAD; the time is not read
 * here.
 */
void pdump_snapshot_open_frames_read(const struct pdump_snapshot *s,
                                     const struct pdump_thread_record *thread,
                                     int64_t *values);

/* The one whose node is at that ref, or NULL.  Borrowed. */
const struct pdump_snapshot_open_frames *pdump_snapshot_open_frames_at(
    const struct pdump_snapshot_opens *opens, uint32_t node);

#endif
