/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the stacks in a store to nodes, and names their frames. */
#ifndef PDUMP_SNAPSHOT_STACKS_H
#define PDUMP_SNAPSHOT_STACKS_H

#include "dump/stacks.h"
#include "record/symbol_frames.h"
#include "snapshot/snapshot_private.h"

/* A frame of the store with its names. */
struct pdump_snapshot_frame {
    uint32_t ref;
    int parent;    /* index of the frame in the same list, or -1 */
    uint32_t node; /* without a parent: of the store, or 0 */
    uint64_t count;
    int64_t ns;
    /* The function, and those that the compiler has put into it, the outermost
     * first.  free(). */
    struct pdump_stacks_frame *parts;
    int n_parts;
    char *place; /* a string of the parts that is not kept elsewhere.  free() */
};

/* Finds functions and lines of a frame; the address is that of a call, not what
 * it returns to. */
int pdump_snapshot_stack_name(struct pdump_snapshot *s,
                              const struct pdump_symbol_address *address,
                              struct pdump_snapshot_frame *out);

/* The frame is one function, whose names the caller has. */
int pdump_snapshot_stack_part(struct pdump_snapshot *s,
                              const struct pdump_symbol_frame *frame,
                              struct pdump_snapshot_frame *out);

/* Names a frame of an interpreter. */
int pdump_snapshot_stack_script(struct pdump_snapshot *s,
                                const struct pdump_script_record *rec,
                                uint64_t at, struct pdump_snapshot_frame *out);

/* Names a frame that is not at an address. */
int pdump_snapshot_stack_function(struct pdump_snapshot *s, const char *name,
                                  struct pdump_snapshot_frame *out);

#endif
