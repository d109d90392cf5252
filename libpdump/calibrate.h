/* SPDX-License-Identifier: BSD-3-Clause */
/* What a region costs by itself. */
#ifndef PDUMP_CALIBRATE_H
#define PDUMP_CALIBRATE_H

#include "source.h"

/* Fill cost[n_metrics] with what an empty region costs if these sources are
 * read in every so many visits; the time is in ticks.  0 is what cannot be
 * told.  `is_brief` takes a sixteenth of the time: for the many processes of
 * one run. */
void pdump_calibrate(const struct pdump_sources *sources,
                     int64_t counters_every, bool is_brief,
                     struct pdump_cost *cost);

#endif
