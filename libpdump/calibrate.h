/* SPDX-License-Identifier: BSD-3-Clause */
/* What a region costs by itself. */
#ifndef PDUMP_CALIBRATE_H
#define PDUMP_CALIBRATE_H

#include "source.h"

/* Ticks of an empty region with these sources, read in every so many visits:
 * seen from outside, and as it sees itself.  0 if it cannot be told. */
struct pdump_cost {
    int64_t pair;
    int64_t inside;
};
struct pdump_cost pdump_calibrate(const struct pdump_sources *sources,
                                  int64_t counters_every);

#endif
