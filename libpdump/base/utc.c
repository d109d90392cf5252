/* SPDX-License-Identifier: BSD-3-Clause */
/* Dates without the C library. */
#include "base/utc.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

enum { DAY = 24 * 60 * 60, DAYS_IN_400_YEARS = 146097 };

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Returns the year of a day since 1970; sets *day to its number in that year.
 */
static int64_t year_of(int64_t *day)
{
    int64_t year = 1970 + *day / DAYS_IN_400_YEARS * 400;

    *day %= DAYS_IN_400_YEARS;
    while (*day >= 365 + is_leap(year))
        *day -= 365 + is_leap(year++);
    return year;
}

/* Returns the month of a day of a year, from 1; sets *day to its number in that
 * month, from 0. */
static int month_of(int64_t year, int64_t *day)
{
    const int days[] = {
        31, 28 + is_leap(year), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31
    };
    int month = 0;

    while (*day >= days[month])
        *day -= days[month++];
    return month + 1;
}

void pdump_utc_text(int64_t seconds, char *out, size_t len)
{
    int64_t day = seconds / DAY, rest = seconds % DAY;
    int64_t year = year_of(&day);
    int month = month_of(year, &day);

    snprintf(out, len,
             "%04" PRId64 "-%02d-%02" PRId64 "T%02" PRId64 ":%02" PRId64
             ":%02" PRId64 "Z",
             year, month, day + 1, rest / 3600, rest / 60 % 60, rest % 60);
}
