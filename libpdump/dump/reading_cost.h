/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What reading a counter adds to it.
 *
 * That is measured once per process and subtracted from every visit.  If more
 * was subtracted from a region than is left, the error of that estimate may be
 * larger than the figure.
 */
#ifndef PDUMP_READING_COST_H
#define PDUMP_READING_COST_H

#include "dump/dump.h"

/* Returns what was subtracted from the metric per visit, in the metric's unit;
 * 0 if nothing was, or if the dump says nonsense. */
PDUMP_SHARED double pdump_reading_cost(const struct pdump_dump *dump,
                                       int metric);

#endif
