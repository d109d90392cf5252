/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads from the metadata what reading a counter adds to it. */
#include "dump/reading_cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The metadata are "NAME VALUE UNIT, NAME VALUE UNIT". */
double pdump_reading_cost(const struct pdump_dump *dump, int metric)
{
    const char *name = dump->metrics[metric].name;
    const char *list = pdump_dump_metadata(dump, "counters_overhead_per_visit");
    size_t len = strlen(name);

    double cost = 0;

    for (const char *at = list; at && *at; at += strspn(at, ", ")) {
        if (strncmp(at, name, len) == 0 && at[len] == ' ')
            cost = strtod(at + len, NULL);
        at += strcspn(at, ",");
    }
    return isfinite(cost) && cost > 0 ? cost : 0;
}
