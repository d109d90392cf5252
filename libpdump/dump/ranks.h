/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks of a dump, and the figures of each rank. */
#ifndef PDUMP_RANKS_H
#define PDUMP_RANKS_H

#include "dump/rank_stat.h"

/* The ranks that have a process in the dump.  A forked process belongs to the
 * rank of its parent. */
struct pdump_ranks {
    int n;
    int *number;  /* of each rank, ascending */
    int *process; /* of each rank: its first process that was not forked */
    int *thread;  /* every thread of the dump, rank by rank */
    int *begin;   /* index in `thread` of each rank's first; n + 1 entries */
    int64_t *row; /* first row of each thread of the dump, and the end */
};

/* On success, the caller ends with pdump_ranks_free(). */
PDUMP_SHARED int pdump_ranks_of(const struct pdump_dump *dump,
                                struct pdump_ranks *out);
PDUMP_SHARED void pdump_ranks_free(struct pdump_ranks *ranks);

/* Removes the ranks that have no row. */
PDUMP_SHARED void pdump_ranks_drop_empty(struct pdump_ranks *ranks);

/* Writes the numbers as "0-3,8", cut with "..." if they do not fit in `len`.
 * Returns `buf`. */
PDUMP_SHARED const char *pdump_ranks_text(const struct pdump_ranks *ranks,
                                          char *buf, size_t len);

/* Returns the number of ranks of the job: from the metadata of the dump, but at
 * least the number of ranks in the list. */
PDUMP_SHARED int pdump_ranks_of_job(const struct pdump_dump *dump,
                                    const struct pdump_ranks *ranks);

/* Groups of rows: a row belongs to group[row].  Rows with is_skipped[row] are
 * not added to sums; NULL: none are skipped. */
struct pdump_ranks_groups {
    const int *group;
    const bool *is_skipped;
    int n;
};

/* Computes the figure of rank i in each group, over its threads:
 * out[groups->n], missing if the rank has none.  `metric` -1 means the visits.
 * For a gauge, which is a level, the highest counts and not the sum. */
PDUMP_SHARED void pdump_ranks_values(const struct pdump_dump *dump,
                                     const struct pdump_ranks *ranks, int i,
                                     int metric,
                                     const struct pdump_ranks_groups *groups,
                                     int64_t *out);

/* Computes statistics of these figures over all ranks: out[groups->n]. */
PDUMP_SHARED int pdump_ranks_stats(const struct pdump_dump *dump,
                                   const struct pdump_ranks *ranks, int metric,
                                   const struct pdump_ranks_groups *groups,
                                   struct pdump_dump_rank_stat *out);

#endif
