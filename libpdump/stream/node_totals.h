/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of each node over all threads of a piece, a rank or a run: for formats
 * that know neither ranks nor threads. */
#ifndef PDUMP_NODE_TOTALS_H
#define PDUMP_NODE_TOTALS_H

#include "stream/stream.h"

#include <stdio.h>

struct pdump_node_totals {
    int n_nodes;
    int n_metrics;
    int64_t *visits; /* by node: completed visits */
    int64_t *n_open; /* by node: threads that were inside at the end */
    /* [metric * n_nodes + node], may be PDUMP_MISSING.  For a gauge, `sum` is
     * the highest level, and `self` is missing. */
    int64_t *sum;
    int64_t *self;
};

/* On success, the caller ends with pdump_node_totals_free(). */
int pdump_node_totals_new(const struct pdump_dump *tables,
                          struct pdump_node_totals *out);
void pdump_node_totals_free(struct pdump_node_totals *t);
void pdump_node_totals_clear(struct pdump_node_totals *t);

/* Adds the rows of a dump that has these tables. */
void pdump_node_totals_add(struct pdump_node_totals *t,
                           const struct pdump_dump *dump);

/* Returns true if any thread was in this node. */
bool pdump_node_totals_has(const struct pdump_node_totals *t, int node);

/* Adds up all pieces of a stream.  If the stream has statistics over ranks,
 * these are used instead, because it may have the rows of only some ranks.  The
 * caller ends with pdump_node_totals_free(). */
int pdump_node_totals_of(struct pdump_stream *in,
                         struct pdump_node_totals *out);

/* For sinks that print rows: prints `in` to a file, like pdump_sink_print()
 * with `in` as data.  If the stream has statistics over ranks but no rows, it
 * is replaced by a stream with one thread that has the sums over ranks. */
int pdump_node_totals_print_rows(struct pdump_stream *in,
                                 const struct pdump_new_file *file,
                                 int (*put)(FILE *f, void *in));

/* Returns a + b; a missing value is ignored. */
static inline int64_t pdump_node_totals_plus(int64_t a, int64_t b)
{
    if (a == PDUMP_MISSING || b == PDUMP_MISSING)
        return a == PDUMP_MISSING ? b : a;
    return (int64_t)((uint64_t)a +
                     (uint64_t)b); /* wraps: files may have any numbers */
}

/* For formats that have no negative numbers. */
static inline int64_t pdump_node_totals_positive(int64_t value)
{
    return value < 0 ? 0 : value;
}

#endif
