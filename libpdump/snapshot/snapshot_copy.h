/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures of the store that their thread may be changing. */
#ifndef PDUMP_SNAPSHOT_COPY_H
#define PDUMP_SNAPSHOT_COPY_H

#include "record/recorder.h"

/* Words of a node's figures, with the number of counted visits: the most that
 * change at a time. */
enum { PDUMP_UNDO_MAX = 2 + PDUMP_METRICS_MAX * sizeof(struct pdump_stat) / 8 };
_Static_assert((int)PDUMP_UNDO_MAX >= (int)PDUMP_DETAIL_WORDS_MAX,
               "details are less");

/* Copy `words` of them from `ref`, as they were before or after a change.  They
 * belong to `thread`, a record of the store at `base`. */
void pdump_snapshot_copy(char *base, struct pdump_thread_record *thread,
                         uint32_t ref, uint32_t words, int64_t *out);

#endif
