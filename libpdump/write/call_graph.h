/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call graph: regions wherever they were called, and who called whom.
 *
 * A visit inside another visit of the same region (recursion) is not counted
 * twice in the sum of that region, nor is a call inside the same call in the
 * sum of that call.
 */
#ifndef PDUMP_CALL_GRAPH_H
#define PDUMP_CALL_GRAPH_H

#include "base/pair_index.h"
#include "stream/node_totals.h"

/* A region; if recursion is kept apart, its inner visits are another one. */
struct pdump_call_graph_place {
    int region;
    bool is_inner;
    bool is_used; /* somebody was there */
    int64_t visits;
};

struct pdump_call_graph_call {
    int from; /* places */
    int to;
    int64_t visits;
};

struct pdump_call_graph {
    int n_metrics;
    struct pdump_call_graph_place *places;
    int n_places;
    int64_t *sum; /* [place * n_metrics + metric], perhaps PDUMP_MISSING */
    int64_t *self;
    struct pdump_call_graph_call *calls; /* in order of first mention */
    int n_calls;
    int64_t *call_sum; /* [call * n_metrics + metric] */
    int64_t *total;    /* by metric: over the outermost nodes */
};

/* On success end with pdump_call_graph_free(). */
int pdump_call_graph_of(struct pdump_stream *in, bool splits_recursion,
                        struct pdump_call_graph *out);
void pdump_call_graph_free(struct pdump_call_graph *g);

#endif
