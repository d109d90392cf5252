/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rounding without libm.
 *
 * libpdump is loaded into every process of a run, and loading libm as well
 * takes a fifth of the time that a small program lives.
 */
#ifndef PDUMP_ROUND_H
#define PDUMP_ROUND_H

#include <math.h>
#include <stdint.h>

/* Returns the nearest integer, rounding halves away from 0; INT64_MIN if it is
 * out of range. */
static inline int64_t pdump_round(double value)
{
    int64_t whole;
    double rest;

    if (!(fabs(value) < 9.2e18))
        return INT64_MIN;
    whole = (int64_t)value;
    rest = value - (double)whole;
    return whole + (rest >= 0.5) - (rest <= -0.5);
}

#endif
