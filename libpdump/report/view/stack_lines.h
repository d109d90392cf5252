/* SPDX-License-Identifier: BSD-3-Clause */
/* The source lines of the frames of stacks, from their table of details. */
#ifndef PDUMP_STACK_LINES_H
#define PDUMP_STACK_LINES_H

#include "dump/dump.h"

/* Stacks that end in a line. */
struct pdump_stack_line {
    int thread;
    int node;
    int number; /* as of pdump_stack_lines_number() */
    int64_t stacks;
    int64_t time; /* ns */
};

struct pdump_stack_lines {
    struct pdump_stack_line *lines; /* sorted by thread and node */
    int64_t n;
    /* By node: the label that most of its stacks have, over all threads: for
     * an outer frame, the most frequent call.  NULL if unknown. */
    const char **usual;
};

/* On success, the caller ends with pdump_stack_lines_free().  Borrows the
 * strings of the tables. */
int pdump_stack_lines(const struct pdump_dump *tables,
                      struct pdump_stack_lines *out);
void pdump_stack_lines_free(struct pdump_stack_lines *l);

/* Returns the lines of a node in a thread, and sets how many. */
const struct pdump_stack_line *pdump_stack_lines_find(
    const struct pdump_stack_lines *l, int thread, int node, int64_t *n);

/* Returns the number of the line in "file:line"; 0 if there is none, or if it
 * is in another file than the node's function. */
int pdump_stack_lines_number(const struct pdump_dump *tables, int node,
                             const char *label);

#endif
