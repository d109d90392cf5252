/* SPDX-License-Identifier: BSD-3-Clause */
/* PDUMP_DUMP_STEPS: a list of numbers and ranges, "0,10-20,100-". */
#ifndef PDUMP_STEP_RANGES_H
#define PDUMP_STEP_RANGES_H

#include <stdbool.h>
#include <stdint.h>

/* Returns true if the list is valid.  An empty list is. */
bool pdump_step_ranges_are_good(const char *list);

/* Returns true if `step` is in a valid list.  An empty list contains every
 * step. */
bool pdump_step_ranges_has(const char *list, int64_t step);

#endif
