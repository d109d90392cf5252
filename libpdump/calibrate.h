/* SPDX-License-Identifier: BSD-3-Clause */
/* What a region costs by itself. */
#ifndef PDUMP_CALIBRATE_H
#define PDUMP_CALIBRATE_H

#include "source.h"

/* Ticks of an empty region with these sources, read in every so many visits,
 * seen from outside; 0 if it cannot be told. */
int64_t pdump_calibrate(const struct pdump_sources *sources,
                        int64_t counters_every);

#endif
