/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of metrics that follow from their names, for sources and for
 * reports. */
#ifndef PDUMP_METRIC_NAME_H
#define PDUMP_METRIC_NAME_H

#include <stdbool.h>
#include <string.h>

#define PDUMP_RSS_GROWTH "pdump::rss_growth"

/* Returns true if the counter `name` may decrease.  Then the value of a visit
 * may be negative, and less than that of the visits inside it. */
static inline bool pdump_metric_may_decrease(const char *name)
{
    return strcmp(name, PDUMP_RSS_GROWTH) == 0;
}

#endif
