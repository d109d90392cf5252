/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stacks in a dump: call paths taken by a clock.
 *
 * A frame of a stack is a node below the node of the innermost region that was
 * open, or below another frame.  Its region is the function, of group
 * PDUMP_STACKS_GROUP.  It has no visits and no value of any metric but two:
 * how many stacks have the frame, and the CPU time that they stand for.  Rows
 * of regions have these two as well, with the stacks of all nodes inside; their
 * other figures do not change.  So the value of a row without the rows inside
 * is that of the stacks that end there.
 *
 * The table of details PDUMP_STACKS_TABLE has the source lines of each frame.
 * The outermost frame of a stack that could not be walked to its end is
 * PDUMP_STACKS_UNFINISHED.  Code in no file, which a compiler has made at run
 * time, is PDUMP_STACKS_NO_FILE.
 */
#ifndef PDUMP_DUMP_STACKS_H
#define PDUMP_DUMP_STACKS_H

#include "dump/builder.h"

#include <string.h>

#define PDUMP_STACKS_GROUP "stack"
#define PDUMP_STACKS_COUNT "pdump::stacks"
#define PDUMP_STACKS_TIME "pdump::stack_time"
#define PDUMP_STACKS_TABLE "stacks"
#define PDUMP_STACKS_UNFINISHED "(unfinished)"
#define PDUMP_STACKS_NO_FILE "(code without a file)"

/* Returns true if the node is a frame of a stack. */
static inline bool pdump_stacks_has_node(const struct pdump_dump *dump,
                                         int node)
{
    const char *group = dump->regions[dump->nodes[node].region].group;

    return strcmp(group, PDUMP_STACKS_GROUP) == 0;
}

/* Returns true if the metric is one of the two of stacks. */
static inline bool pdump_stacks_has_metric(const char *name)
{
    return strcmp(name, PDUMP_STACKS_COUNT) == 0 ||
           strcmp(name, PDUMP_STACKS_TIME) == 0;
}

/* Returns true if the dump has stacks, also if there are none in the part of it
 * that is in memory. */
PDUMP_SHARED bool pdump_stacks_are_in(const struct pdump_dump *dump);

/* Adds the stacks of threads to a builder. */
struct pdump_stacks;

/* Adds the metrics; all others must be known.  Given: pdump_stacks_free().
 * The builder is borrowed as long as the result is used. */
PDUMP_SHARED int pdump_stacks_new(struct pdump_builder *b,
                                  struct pdump_stacks **out);
PDUMP_SHARED void pdump_stacks_free(struct pdump_stacks *s);

/* Returns the region of a function in the builder, or a pdump_error.  `file`
 * and `line` are where it is defined; NULL and 0 if unknown.  Copied. */
PDUMP_SHARED int pdump_stacks_function(struct pdump_stacks *s, const char *name,
                                       const char *file, int line);

struct pdump_stacks_frame {
    int function; /* of pdump_stacks_function() */
    /* The source line that was executed, "file:line"; for all frames but the
     * innermost that of the call.  NULL: unknown. */
    const char *line;
};

/* Adds `count` equal stacks to the current thread, which together stand for
 * `ns` of CPU time.  `node` is the builder's node of the region that they hang
 * below, or -1.  frames[0] is the outermost.  All strings are copied. */
PDUMP_SHARED int pdump_stacks_add(struct pdump_stacks *s, int thread, int node,
                                  const struct pdump_stacks_frame *frames,
                                  int n, int64_t count, int64_t ns);

/* Adds the rows of the thread's frames, and sets the values of the builder's
 * rows from `first` on, which are the thread's own.  Call it once per thread,
 * after its rows and stacks. */
PDUMP_SHARED int pdump_stacks_put(struct pdump_stacks *s, int thread,
                                  int64_t first);

/* Makes a dump without stacks: without their nodes, regions, metrics and
 * details, as if none had been taken.  Given: pdump_dump_free(). */
PDUMP_SHARED int pdump_stacks_leave_out(const struct pdump_dump *dump,
                                        struct pdump_dump **out);

/* Replaces a dump by one without stacks, if it has any.  If that fails, *dump
 * is unchanged. */
PDUMP_SHARED int pdump_stacks_drop(struct pdump_dump **dump);

#endif
