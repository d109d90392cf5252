/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of PDUMP_DUMP_STEPS: which lists are good, and what is in them. */
#include "config/step_ranges.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>

START_TEST(an_empty_list_has_every_step)
{
    ck_assert(pdump_step_ranges_are_good(""));
    ck_assert(pdump_step_ranges_has("", 0));
    ck_assert(pdump_step_ranges_has("", INT64_MAX));
}
END_TEST

START_TEST(numbers_and_ranges_are_as_written)
{
    static const char list[] = "0,10-12,7,100-";
    static const int in[] = { 0, 7, 10, 11, 12, 100, 101, 1000000 };
    static const int out[] = { 1, 6, 8, 9, 13, 99 };

    ck_assert(pdump_step_ranges_are_good(list));
    for (int i = 0; i < 8; i++)
        ck_assert_msg(pdump_step_ranges_has(list, in[i]), "%d is out", in[i]);
    for (int i = 0; i < 6; i++)
        ck_assert_msg(!pdump_step_ranges_has(list, out[i]), "%d is in", out[i]);
}
END_TEST

START_TEST(ranges_may_overlap_and_have_one_step)
{
    ck_assert(pdump_step_ranges_are_good("5-5,3-9,4"));
    ck_assert(pdump_step_ranges_has("5-5", 5));
    ck_assert(!pdump_step_ranges_has("5-5", 4));
    ck_assert(pdump_step_ranges_has("5-5,3-9,4", 8));
}
END_TEST

START_TEST(bad_lists_are_told)
{
    static const char *const bad[] = {
        "a",
        "-",
        "-5",
        ",",
        ",1",
        "1,,2",
        "5-3",
        "1--2",
        "1-2-3",
        "1;2",
        "1.5",
        "0x1",
        "1 -2",
        "+1",
        "1-a",
        "1,x",
        "99999999999999999999",
        "1-99999999999999999999",
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        ck_assert_msg(!pdump_step_ranges_are_good(bad[i]), "'%s' is good",
                      bad[i]);
}
END_TEST

START_TEST(the_last_step_of_all_is_a_step)
{
    ck_assert(pdump_step_ranges_are_good("9223372036854775807"));
    ck_assert(pdump_step_ranges_has("9223372036854775807", INT64_MAX));
    ck_assert(pdump_step_ranges_has("5-", INT64_MAX));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("steps");
    TCase *t = tcase_create("steps");

    tcase_add_test(t, an_empty_list_has_every_step);
    tcase_add_test(t, numbers_and_ranges_are_as_written);
    tcase_add_test(t, ranges_may_overlap_and_have_one_step);
    tcase_add_test(t, bad_lists_are_told);
    tcase_add_test(t, the_last_step_of_all_is_a_step);
    suite_add_tcase(s, t);
    return suite_run(s);
}
