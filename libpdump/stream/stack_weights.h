/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One time for regions and stacks: for formats that draw both in one tree and
 * know one figure per node.
 *
 * A frame of a stack (dump/stacks.h) has the time of the stacks that end in it.
 * A region gives the time of the stacks below it to them, and keeps the rest of
 * its own time, so no time counts twice.  If its stacks have more time than it
 * has itself, nothing is left of its own.
 */
#ifndef PDUMP_STACK_WEIGHTS_H
#define PDUMP_STACK_WEIGHTS_H

#include "stream/node_totals.h"

/* Makes the times of the rows of a piece without those of the rows inside, by
 * row; `time` is the metric.  Without stacks, these are its exclusive sums.
 * Given: free(). */
int pdump_stack_weights_rows(const struct pdump_dump *piece, int time,
                             int64_t **out);

/* Replaces the metric `time` of the totals likewise, with and without the nodes
 * inside.  Frames also get the number of stacks in place of visits. */
int pdump_stack_weights_totals(const struct pdump_dump *tables, int time,
                               struct pdump_node_totals *totals);

#endif
