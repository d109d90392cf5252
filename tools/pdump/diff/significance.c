/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistical tests: whether a difference is more than noise. */
#include "diff/significance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_MAX = 40 };

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

double significance_median(double *values, int n)
{
    if (n == 0)
        return NAN;
    qsort(values, (size_t)n, sizeof(*values), by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* Returns the probability that a normal variable is that many standard
 * deviations from its mean, or more. */
static double tail(double deviations)
{
    return erfc(fabs(deviations) / sqrt(2));
}

double significance_means(double a, double error_a, double b, double error_b)
{
    double error = hypot(error_a, error_b);

    if (!(error > 0))
        return a == b || isnan(error) ? 1 : 0;
    return tail((b - a) / error);
}

/*
 * ways[u]: the number of ways to choose n_a of n_a + n_b positions such that
 * the numbers of skipped positions before each chosen one sum up to u.
 */
static void count_ways(int n_a, int n_b, double *ways, int n_u)
{
    /* w[i][u]: i positions chosen among the first k. */
    static double w[EXACT_MAX + 1][EXACT_MAX * EXACT_MAX / 4 + 1];

    memset(w, 0, sizeof(w));
    w[0][0] = 1;
    for (int k = 0; k < n_a + n_b; k++)
        for (int i = k + 1 < n_a ? k + 1 : n_a; i > 0; i--) {
            int passed = k - (i - 1); /* skipped positions before this one */

            for (int u = n_u - 1; passed <= n_b && u >= passed; u--)
                w[i][u] += w[i - 1][u - passed];
        }
    memcpy(ways, w[n_a], (size_t)n_u * sizeof(*ways));
}

static double exact(int n_a, int n_b, double u)
{
    double ways[EXACT_MAX * EXACT_MAX / 4 + 1], all = 0, few = 0;
    int n_u = n_a * n_b + 1;

    count_ways(n_a, n_b, ways, n_u);
    for (int i = 0; i < n_u; i++) {
        all += ways[i];
        if (i <= u)
            few += ways[i];
    }
    return fmin(1, 2 * few / all);
}

double significance_least(int n_a, int n_b)
{
    double ways = 1;

    for (int i = 1; i <= n_a; i++)
        ways = ways * (n_b + i) / i;
    return fmin(1, 2 / ways);
}

double significance_ranks(const double *a, int n_a, const double *b, int n_b)
{
    double above = 0, ties = 0, u, n = n_a + n_b, deviation;

    if (n_a == 0 || n_b == 0)
        return 1;
    for (int i = 0; i < n_a; i++)
        for (int k = 0; k < n_b; k++) {
            above += a[i] > b[k];
            ties += a[i] == b[k];
        }
    u = fmin(above, (double)n_a * n_b - above - ties);
    if (ties == 0 && n <= EXACT_MAX)
        return exact(n_a, n_b, u);
    u = above + ties / 2;
    deviation = sqrt((double)n_a * n_b * (n + 1) / 12);
    /* Continuity correction of half a rank, because ranks are integers. */
    return tail(fmax(0, fabs(u - (double)n_a * n_b / 2) - 0.5) / deviation);
}
