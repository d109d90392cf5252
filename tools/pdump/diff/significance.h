/* SPDX-License-Identifier: BSD-3-Clause */
/* Is a difference more than noise? */
#ifndef PDUMP_SIGNIFICANCE_H
#define PDUMP_SIGNIFICANCE_H

/* The middle one; sorts the values.  NAN if there are none. */
double significance_median(double *values, int n);

/* How likely two groups differ in rank at least so much by chance: the
 * two-sided Mann-Whitney test, exact up to 40 values without ties, else by the
 * normal distribution.  1 if a group is empty. */
double significance_ranks(const double *a, int n_a, const double *b, int n_b);

/* The least that this can be for groups of these sizes. */
double significance_least(int n_a, int n_b);

/* The same for two means with their standard errors, normally distributed. */
double significance_means(double a, double error_a, double b, double error_b);

#endif
