/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks of a dump, and what each of them has. */
#ifndef PDUMP_RANKS_H
#define PDUMP_RANKS_H

#include "dump/rank_stat.h"

/* Those that have a process in the dump; a process that was forked belongs to
 * the rank of the one that forked it. */
struct pdump_ranks {
    int n;
    int *number;  /* of each, ascending */
    int *process; /* of each: the first that was not forked */
    int *thread;  /* every thread of the dump, rank by rank */
    int *begin;   /* of each rank in `thread`; with a last entry */
    int64_t *row; /* by thread of the dump: its first; with a last entry */
};

/* On success end with pdump_ranks_free(). */
PDUMP_SHARED int pdump_ranks_of(const struct pdump_dump *dump,
                                struct pdump_ranks *out);
PDUMP_SHARED void pdump_ranks_free(struct pdump_ranks *ranks);

/* Keep only those that have a row. */
PDUMP_SHARED void pdump_ranks_drop_empty(struct pdump_ranks *ranks);

/* "0-3,8", cut with "..." if `len` is not enough.  The string is `buf`. */
PDUMP_SHARED const char *pdump_ranks_text(const struct pdump_ranks *ranks,
                                          char *buf, size_t len);

/* How many ranks the job had: as the dump says, else those there are. */
PDUMP_SHARED int pdump_ranks_of_job(const struct pdump_dump *dump,
                                    const struct pdump_ranks *ranks);

/* Rows put together: each belongs to group[row]; those with is_skipped[row]
 * (NULL: none) do not count in sums. */
struct pdump_ranks_groups {
    const int *group;
    const bool *is_skipped;
    int n;
};

/* What rank i has in each group, over its threads: out[groups->n], missing
 * where it has nothing.  `metric` -1 is the visits.  A gauge is a level: its
 * highest counts, not its sum. */
PDUMP_SHARED void pdump_ranks_values(const struct pdump_dump *dump,
                                     const struct pdump_ranks *ranks, int i,
                                     int metric,
                                     const struct pdump_ranks_groups *groups,
                                     int64_t *out);

/* The same over all ranks: out[groups->n]. */
PDUMP_SHARED int pdump_ranks_stats(const struct pdump_dump *dump,
                                   const struct pdump_ranks *ranks, int metric,
                                   const struct pdump_ranks_groups *groups,
                                   struct pdump_dump_rank_stat *out);

#endif
