/* SPDX-License-Identifier: BSD-3-Clause */
/* What follows from the name of a metric, for those that count it and for those
 * that show it. */
#ifndef PDUMP_METRIC_NAME_H
#define PDUMP_METRIC_NAME_H

#include <stdbool.h>
#include <string.h>

#define PDUMP_RSS_GROWTH "pdump::rss_growth"

/* Returns true if the counter `name` may decrease.  Then a visit may have a
 * negative value, and less than the visits inside. */
static inline bool pdump_metric_may_decrease(const char *name)
{
    return strcmp(name, PDUMP_RSS_GROWTH) == 0;
}

#endif
