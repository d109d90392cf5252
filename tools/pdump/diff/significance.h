/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistical tests: whether a difference is more than noise. */
#ifndef PDUMP_SIGNIFICANCE_H
#define PDUMP_SIGNIFICANCE_H

/* Returns the median; sorts the values.  NAN if there are none. */
double significance_median(double *values, int n);

/* Returns the probability that two groups differ in rank at least this much by
 * chance: the two-sided Mann-Whitney test, exact up to 40 values without ties,
 * else by the normal approximation. 1 if a group is empty. */
double significance_ranks(const double *a, int n_a, const double *b, int n_b);

/* Returns the smallest possible result for groups of these sizes. */
double significance_least(int n_a, int n_b);

/* The same for two normally distributed means with their standard errors. */
double significance_means(double a, double error_a, double b, double error_b);

#endif
