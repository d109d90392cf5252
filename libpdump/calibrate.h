/* SPDX-License-Identifier: BSD-3-Clause */
/* What a region costs by itself. */
#ifndef PDUMP_CALIBRATE_H
#define PDUMP_CALIBRATE_H

#include "source.h"

/* Fill cost[n_metrics] with what an empty region costs if these sources are
 * read in every so many visits; the time is in ticks.  0 is what cannot be
 * told. */
void pdump_calibrate(const struct pdump_sources *sources,
                     int64_t counters_every, struct pdump_cost *cost);

#endif
