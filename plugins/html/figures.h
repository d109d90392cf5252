/* SPDX-License-Identifier: BSD-3-Clause */
/* The module "html" writes a dump as one HTML page.  This header has the
 * figures that the page shows: statistics over all ranks, computed from one
 * piece of the stream after the other. */
#ifndef PDUMP_HTML_FIGURES_H
#define PDUMP_HTML_FIGURES_H

#include "dump/rank_stat.h"
#include "stream/stream.h"

enum {
    FIGURES_NODES_MAX = 20000, /* the page omits smaller ones */
    FIGURES_ROWS_MAX = 60,     /* of the map of ranks and regions */
    FIGURES_BINS_MAX = 512,    /* its columns: ranks or groups of ranks */
    FIGURES_STEPS_MAX = 1000,  /* of a node; more are grouped */
};

/* The samples of a node by number, over all ranks. */
struct figures_steps {
    int node;
    int64_t per_bin;                     /* sample numbers in a bin */
    int n;                               /* bins */
    struct pdump_dump_rank_stat **stats; /* [metric][bin] */
};

struct figures {
    const struct pdump_dump *tables; /* borrowed */
    /* Over ranks: [metric][node], and [n_metrics][node] for the visits. */
    struct pdump_dump_rank_stat **stats;
    struct pdump_dump_rank_stat **own_stats; /* stats if owned, else NULL */
    int64_t **self;   /* [metric][node]; PDUMP_MISSING for gauges */
    int *number;      /* by node: its number in the page, or -1 */
    int n_nodes;      /* in the page */
    int64_t n_hidden; /* nodes that the page omits */
    int *rows;        /* nodes of the map */
    int n_rows;
    int n_bins;      /* 0: there is only one rank */
    double **map;    /* [metric][row * n_bins + bin], NAN: no value */
    int *first_rank; /* of each bin */
    struct figures_steps *steps;
    int n_steps;
};

/* On success, end with figures_free(). */
int figures_of(struct pdump_stream *in, struct figures *out);
void figures_free(struct figures *f);

/* Called by figures_of() (figures_map.c, figures_steps.c). */
int figures_make_map(struct pdump_stream *in, struct figures *f);
int figures_make_steps(struct pdump_stream *in, struct figures *f);
void figures_free_map(struct figures *f);
void figures_free_steps(struct figures *f);

/* Computes the value of a rank for every node: of a metric, or the visits if
 * `metric` is n_metrics.  PDUMP_MISSING if the rank did not visit the node. */
void figures_values(const struct pdump_dump *piece, int metric, int64_t *out);

/* Returns the metric that nodes are ranked by: the time, else the first one. */
int figures_key(const struct pdump_dump *tables);

#endif
