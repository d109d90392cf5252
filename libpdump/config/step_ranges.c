/* SPDX-License-Identifier: BSD-3-Clause */
/* PDUMP_DUMP_STEPS: a list of numbers and ranges, "0,10-20,100-". */
#include "config/step_ranges.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

/* Read the entry at *at and advance *at behind it.  Returns false if it is not
 * valid. */
static bool range_next(const char **at, int64_t *from, int64_t *to)
{
    char *end;

    if (!isdigit((unsigned char)**at))
        return false;
    errno = 0;
    *from = *to = strtoll(*at, &end, 10);
    if (*end == '-') {
        end++;
        *to = isdigit((unsigned char)*end) ? strtoll(end, &end, 10) : INT64_MAX;
    }
    if (errno || *to < *from || (*end && *end != ','))
        return false;
    *at = *end ? end + 1 : end;
    return true;
}

bool pdump_step_ranges_are_good(const char *list)
{
    int64_t from, to;

    while (*list)
        if (!range_next(&list, &from, &to))
            return false;
    return true;
}

bool pdump_step_ranges_has(const char *list, int64_t step)
{
    int64_t from, to;

    if (!*list)
        return true;
    while (*list && range_next(&list, &from, &to))
        if (step >= from && step <= to)
            return true;
    return false;
}
