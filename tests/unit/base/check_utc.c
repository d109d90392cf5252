/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of dates. */
#include "suite.h"

#include "base/utc.h"

#include <time.h>

static void check(int64_t seconds)
{
    time_t time = (time_t)seconds;
    char ours[40], theirs[40];
    struct tm tm;

    gmtime_r(&time, &tm);
    strftime(theirs, sizeof(theirs), "%Y-%m-%dT%H:%M:%SZ", &tm);
    pdump_utc_text(seconds, ours, sizeof(ours));
    ck_assert_str_eq(ours, theirs);
}

START_TEST(every_day_of_five_centuries_is_as_the_c_library_says)
{
    for (int64_t day = 0; day < 500 * 365; day++)
        check(day * 86400 + day % 86400);
}
END_TEST

START_TEST(the_last_second_of_a_year_is_in_it)
{
    check(1798761599); /* 2026-12-31T23:59:59Z */
    check(1798761600);
    check(951782399); /* 2000-02-28T23:59:59Z */
    check(951782400);
}
END_TEST

/* A damaged store may have any number there. */
START_TEST(any_number_is_a_date)
{
    char text[40];

    pdump_utc_text(INT64_MAX, text, sizeof(text));
    ck_assert_int_eq(text[sizeof(text) - 1], '\0');
    pdump_utc_text(INT64_MAX / 1000000000, text, sizeof(text));
    ck_assert_str_eq(text, "2262-04-11T23:47:16Z");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("utc");
    TCase *tc = tcase_create("core");

    suite_add_tcase(s, tc);
    tcase_add_test(tc, every_day_of_five_centuries_is_as_the_c_library_says);
    tcase_add_test(tc, the_last_second_of_a_year_is_in_it);
    tcase_add_test(tc, any_number_is_a_date);
    return suite_run(s);
}
