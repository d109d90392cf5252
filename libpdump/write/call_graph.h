/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call graph: regions, whatever their callers, and the calls between them.
 *
 * A visit inside another visit of the same region (recursion) is not counted
 * twice in the sum of that region.  Likewise, a call inside the same call is
 * not counted twice in the sum of that call.
 *
 * Frames of stacks have the time of their stacks, which is not in the own time
 * of the region that they are in, and as many visits as stacks
 * (stream/stack_weights.h).
 */
#ifndef PDUMP_CALL_GRAPH_H
#define PDUMP_CALL_GRAPH_H

#include "base/pair_index.h"
#include "stream/node_totals.h"

/* A region.  If recursion is kept apart, its inner visits are another place. */
struct pdump_call_graph_place {
    int region;
    bool is_inner;
    bool is_used; /* the region was visited */
    int64_t visits;
};

struct pdump_call_graph_call {
    int from; /* index of a place, like `to` */
    int to;
    int64_t visits;
};

struct pdump_call_graph {
    int n_metrics;
    struct pdump_call_graph_place *places;
    int n_places;
    int64_t *sum; /* [place * n_metrics + metric], may be PDUMP_MISSING */
    int64_t *self;
    struct pdump_call_graph_call *calls; /* in order of first mention */
    int n_calls;
    int64_t *call_sum; /* [call * n_metrics + metric] */
    int64_t *total;    /* by metric: sum over the outermost nodes */
};

/* On success, the caller ends with pdump_call_graph_free(). */
int pdump_call_graph_of(struct pdump_stream *in, bool splits_recursion,
                        struct pdump_call_graph *out);
void pdump_call_graph_free(struct pdump_call_graph *g);

#endif
