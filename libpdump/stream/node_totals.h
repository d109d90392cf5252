/* SPDX-License-Identifier: BSD-3-Clause */
/* What each node has over all threads of a piece, a rank or a run: for formats
 * that know neither ranks nor threads. */
#ifndef PDUMP_NODE_TOTALS_H
#define PDUMP_NODE_TOTALS_H

#include "stream/stream.h"

#include <stdio.h>

struct pdump_node_totals {
    int n_nodes;
    int n_metrics;
    int64_t *visits; /* by node: completed ones */
    int64_t *n_open; /* by node: threads that were inside */
    /* [metric * n_nodes + node], perhaps PDUMP_MISSING.  Of a gauge, `sum` is
     * the highest level, and `self` is missing. */
    int64_t *sum;
    int64_t *self;
};

/* On success end with pdump_node_totals_free(). */
int pdump_node_totals_new(const struct pdump_dump *tables,
                          struct pdump_node_totals *out);
void pdump_node_totals_free(struct pdump_node_totals *t);
void pdump_node_totals_clear(struct pdump_node_totals *t);

/* Add the rows of a dump that has these tables. */
void pdump_node_totals_add(struct pdump_node_totals *t,
                           const struct pdump_dump *dump);

/* Has any thread been in this node? */
bool pdump_node_totals_has(const struct pdump_node_totals *t, int node);

/* Of all pieces of a stream, or of its statistics over ranks if it has any:
 * then it may have the rows of some ranks only.  As pdump_node_totals_new(). */
int pdump_node_totals_of(struct pdump_stream *in,
                         struct pdump_node_totals *out);

/* For sinks that print rows: print `in` to `path`, as pdump_sink_print() does
 * with data `in`.  A stream without rows but with statistics over ranks is
 * replaced by one that has a thread with the sums over ranks. */
int pdump_node_totals_print_rows(struct pdump_stream *in, const char *path,
                                 int (*put)(FILE *f, void *in));

/* a + b, where what is missing does not count. */
static inline int64_t pdump_node_totals_plus(int64_t a, int64_t b)
{
    if (a == PDUMP_MISSING || b == PDUMP_MISSING)
        return a == PDUMP_MISSING ? b : a;
    return (int64_t)((uint64_t)a +
                     (uint64_t)b); /* files may have any numbers */
}

/* As formats want it that have only numbers from 0 on. */
static inline int64_t pdump_node_totals_positive(int64_t value)
{
    return value < 0 ? 0 : value;
}

#endif
