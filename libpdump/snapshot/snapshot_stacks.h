/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the stacks in a store to nodes, and names their frames. */
#ifndef PDUMP_SNAPSHOT_STACKS_H
#define PDUMP_SNAPSHOT_STACKS_H

#include "dump/stacks.h"
#include "snapshot/snapshot_private.h"

/* A frame of the store with its names. */
struct pdump_snapshot_frame {
    uint32_t ref;
    int parent;    /* index of the frame in the same list, or -1 */
    uint32_t node; /* without a parent: of the store, or 0 */
    uint64_t count;
    int64_t ns;
    int function; /* in the builder */
    char *line;   /* given: free(); or NULL */
};

/* Finds function and line of a frame.  `path` is that of the module, or NULL;
 * such code is in no file. */
int pdump_snapshot_stack_name(struct pdump_snapshot *s, const char *path,
                              uint64_t address,
                              struct pdump_snapshot_frame *out);

#endif
