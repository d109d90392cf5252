/* SPDX-License-Identifier: BSD-3-Clause */
/* PDUMP_DUMP_STEPS: a list of numbers and ranges, "0,10-20,100-". */
#ifndef PDUMP_STEP_RANGES_H
#define PDUMP_STEP_RANGES_H

#include <stdbool.h>
#include <stdint.h>

/* Can the list be understood?  Empty is good. */
bool pdump_step_ranges_are_good(const char *list);

/* Is `step` in a good list?  Everything is in an empty one. */
bool pdump_step_ranges_has(const char *list, int64_t step);

#endif
