/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of a figure over the ranks of a job. */
#include "dump/rank_stat.h"

#include <math.h>
#include <stdlib.h>

int pdump_rank_stat_new(int n_metrics, int n_nodes,
                        struct pdump_dump_rank_stat ***out)
{
    struct pdump_dump_rank_stat **stats =
        calloc((size_t)n_metrics + 1, sizeof(*stats));

    for (int m = 0; stats && m <= n_metrics; m++) {
        stats[m] = calloc((size_t)n_nodes + 1, sizeof(**stats));
        if (stats[m])
            continue;
        while (m-- > 0)
            free(stats[m]);
        free(stats);
        stats = NULL;
    }
    *out = stats;
    return stats ? PDUMP_OK : pdump_no_memory();
}

static int64_t sum_add(int64_t a, int64_t b)
{
    int64_t sum;

    if (__builtin_add_overflow(a, b, &sum))
        return b < 0 ? INT64_MIN + 1 : INT64_MAX;
    return sum;
}

/* Inline: for a single rank, of which there may be millions, the compiler
 * removes most of this. */
static inline void stat_join(struct pdump_dump_rank_stat *stat,
                             const struct pdump_dump_rank_stat *other)
{
    if (other->n <= 0)
        return;
    if (stat->n <= 0) {
        *stat = *other;
        return;
    }
    stat->n = sum_add(stat->n, other->n);
    stat->sum = sum_add(stat->sum, other->sum);
    stat->sumsq += other->sumsq;
    if (other->min < stat->min ||
        (other->min == stat->min && other->rank_of_min < stat->rank_of_min)) {
        stat->min = other->min;
        stat->rank_of_min = other->rank_of_min;
    }
    if (other->max > stat->max ||
        (other->max == stat->max && other->rank_of_max < stat->rank_of_max)) {
        stat->max = other->max;
        stat->rank_of_max = other->rank_of_max;
    }
}

void pdump_rank_stat_add(struct pdump_dump_rank_stat *stat, int rank,
                         int64_t value)
{
    const struct pdump_dump_rank_stat one = {
        .n = 1,
        .sum = value,
        .min = value,
        .max = value,
        .sumsq = (double)value * (double)value,
        .rank_of_min = rank,
        .rank_of_max = rank,
    };

    if (value != PDUMP_MISSING)
        stat_join(stat, &one);
}

void pdump_rank_stat_join(struct pdump_dump_rank_stat *stat,
                          const struct pdump_dump_rank_stat *other)
{
    stat_join(stat, other);
}

double pdump_rank_stat_mean(const struct pdump_dump_rank_stat *stat)
{
    return stat->n > 0 ? (double)stat->sum / (double)stat->n : NAN;
}

double pdump_rank_stat_stddev(const struct pdump_dump_rank_stat *stat)
{
    double mean = pdump_rank_stat_mean(stat), variance;

    if (stat->n <= 0 || isnan(stat->sumsq))
        return NAN;
    if (stat->min == stat->max)
        return 0; /* exactly, without a rounding error */
    variance = stat->sumsq / (double)stat->n - mean * mean;
    return variance > 0 ? sqrt(variance) : 0;
}

double pdump_rank_stat_imbalance(const struct pdump_dump_rank_stat *stat)
{
    double mean = pdump_rank_stat_mean(stat);

    return mean > 0 ? (double)stat->max / mean - 1 : NAN;
}
