/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what an empty region costs. */
#ifndef PDUMP_CALIBRATE_H
#define PDUMP_CALIBRATE_H

#include "source/source.h"

/* Fill cost[n_metrics] with the cost of an empty region if these sources are
 * read in every `counters_every`th visit; time is in ticks.  A cost that cannot
 * be determined is 0. */
void pdump_calibrate(const struct pdump_sources *sources,
                     int64_t counters_every, struct pdump_cost *cost);

#endif
