/* SPDX-License-Identifier: BSD-3-Clause */
/* What the page shows of a dump: figures of all ranks together, made from the
 * pieces of a stream one after the other. */
#ifndef PDUMP_HTML_FIGURES_H
#define PDUMP_HTML_FIGURES_H

#include "dump/rank_stat.h"
#include "stream/stream.h"

enum {
    FIGURES_NODES_MAX = 20000, /* smaller ones are left out of the page */
    FIGURES_ROWS_MAX = 60,     /* of the map of ranks and regions */
    FIGURES_BINS_MAX = 512,    /* and its columns: ranks, or groups of them */
    FIGURES_STEPS_MAX = 1000,  /* of a node; more are put together */
};

/* The samples of a node over ranks, by their numbers. */
struct figures_steps {
    int node;
    int64_t per_bin;                     /* so many numbers are one */
    int n;                               /* bins */
    struct pdump_dump_rank_stat **stats; /* [metric][bin] */
};

struct figures {
    const struct pdump_dump *tables; /* borrowed */
    /* Over ranks: [metric][node], and [n_metrics][node] for the visits. */
    struct pdump_dump_rank_stat **stats;
    struct pdump_dump_rank_stat **own_stats; /* the same, if they are ours */
    int64_t **self;   /* [metric][node]; PDUMP_MISSING for gauges */
    int *number;      /* by node: its number in the page, or -1 */
    int n_nodes;      /* of the page */
    int64_t n_hidden; /* nodes that are not in it */
    int *rows;        /* nodes of the map */
    int n_rows;
    int n_bins;      /* 0: there is only one rank */
    double **map;    /* [metric][row * n_bins + bin], NAN: none */
    int *first_rank; /* of each bin */
    struct figures_steps *steps;
    int n_steps;
};

/* On success end with figures_free(). */
int figures_of(struct pdump_stream *in, struct figures *out);
void figures_free(struct figures *f);

/* Parts of it (figures_map.c, figures_steps.c). */
int figures_make_map(struct pdump_stream *in, struct figures *f);
int figures_make_steps(struct pdump_stream *in, struct figures *f);
void figures_free_map(struct figures *f);
void figures_free_steps(struct figures *f);

/* The value of a rank in every node: of a metric, or of the visits if it is
 * n_metrics.  PDUMP_MISSING where it was not. */
void figures_values(const struct pdump_dump *piece, int metric, int64_t *out);

/* The metric that says what is large: the time, else the first. */
int figures_key(const struct pdump_dump *tables);

#endif
