/* SPDX-License-Identifier: BSD-3-Clause */
/* The stacks of a dump by function, and the way to where most of them are. */
#ifndef PDUMP_STACK_VIEW_H
#define PDUMP_STACK_VIEW_H

#include "dump/dump.h"

#include <string.h>

struct pdump_stack_function {
    int region;    /* of the dump: name, file and line */
    int64_t self;  /* ns of stacks that end in it */
    int64_t total; /* ns of stacks that have it; a recursion counts once */
    int64_t self_stacks;
    int64_t stacks;
    /* `self` of the ranks with least and most. */
    int64_t least;
    int64_t most;
    int rank_of_least;
    int rank_of_most;
};

/* A node of the hot path: a region or a frame. */
struct pdump_stack_step {
    int node;
    const char *line; /* "file:line" that most of its stacks have, or NULL */
    int64_t total;    /* ns */
    int64_t stacks;
};

struct pdump_stack_view {
    const struct pdump_dump *dump;
    struct pdump_stack_function *functions; /* the largest `self` first */
    int n;
    struct pdump_stack_step *path; /* from the outermost one */
    int n_path;
    int n_ranks;   /* that `least` and `most` are of; 0: unknown */
    int64_t total; /* ns of all stacks */
    int64_t stacks;
};

/* Returns the name of a function for tables: of code without a name, which is
 * called "/path/libx.so+0x12", only the last part.  Borrowed. */
static inline const char *pdump_stack_view_name(const char *function)
{
    return function[0] == '/' ? strrchr(function, '/') + 1 : function;
}

/* Makes the view over all ranks and threads; `dump` is borrowed as long as it
 * is used.  PDUMP_ENOENT if no stacks were taken.  On success, the caller ends
 * with pdump_stack_view_free(). */
PDUMP_SHARED int pdump_stack_view(const struct pdump_dump *dump,
                                  struct pdump_stack_view *out);
PDUMP_SHARED void pdump_stack_view_free(struct pdump_stack_view *view);

#endif
