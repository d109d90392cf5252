/* SPDX-License-Identifier: BSD-3-Clause */
/* Combines two runs into one dump that the page shows as a comparison. */
#ifndef PDUMP_COMPARE_DUMP_H
#define PDUMP_COMPARE_DUMP_H

#include "dump/dump.h"

/*
 * Makes one thread with the nodes of both runs.  Its metrics are those that
 * both runs have, with the values of the second run; then the same metrics in
 * the same order as "NAME (before)", with the values of the first run; then
 * "visits (before)"; then the same metrics as "NAME (verdict)", with a
 * compare_verdict.  Gauges are left out.  The metadata "compare_before" and
 * "compare_after" have the names, "compare_metrics" the number of metrics in
 * common.  Given: pdump_dump_free().  PDUMP_ENOENT if the runs have no metric
 * in common.
 */
int compare_dump_make(struct pdump_dump *const *pair, char *const *names,
                      struct pdump_dump **out);

#endif
