/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of parameters: they split a region, and end with it. */
#include "fake.h"

#include "record/parameter.h"

static void parameter(const char *name, const char *value)
{
    ck_assert_int_eq(pdump_parameter_enter(&rec, name, value), PDUMP_OK);
}

START_TEST(a_parameter_splits_its_region)
{
    for (int i = 0; i < 6; i++) {
        begin("solve");
        work(1);
        parameter("n", i % 2 ? "10" : "20");
        work(100);
        end("solve");
    }
    expect("solve", 6, 606);
    expect("solve/n=10", 3, 300);
    expect("solve/n=20", 3, 300);
    ck_assert(is_balanced());
}
END_TEST

START_TEST(another_value_begins_another_node)
{
    begin("a");
    parameter("n", "1");
    work(1);
    parameter("n", "2");
    work(10);
    parameter("n", "1");
    work(1);
    end("a");
    expect("a", 1, 12);
    expect("a/n=1", 2, 2);
    expect("a/n=2", 1, 10);
    ck_assert_ptr_null(node_at("a/n=1/n=2"));
}
END_TEST

START_TEST(the_same_value_changes_nothing)
{
    begin("a");
    parameter("n", "1");
    work(1);
    parameter("n", "1");
    work(1);
    end("a");
    expect("a/n=1", 1, 2);
    ck_assert_ptr_null(node_at("a/n=1/n=1"));
}
END_TEST

START_TEST(names_nest_in_the_order_of_their_calls)
{
    begin("a");
    parameter("m", "1");
    parameter("n", "2");
    parameter("o", "3");
    work(1);
    end("a");
    expect("a/m=1/n=2/o=3", 1, 1);
}
END_TEST

START_TEST(a_new_value_keeps_the_other_parameters)
{
    begin("a");
    parameter("m", "1");
    parameter("n", "2");
    parameter("o", "3");
    work(1);
    parameter("m", "7");
    work(10);
    parameter("n", "8");
    work(100);
    end("a");
    expect("a/m=1", 1, 1);
    expect("a/m=1/n=2/o=3", 1, 1);
    expect("a/m=7", 1, 110);
    expect("a/m=7/n=2/o=3", 1, 10);
    expect("a/m=7/n=8/o=3", 1, 100);
    ck_assert(is_balanced());
}
END_TEST

START_TEST(regions_inside_have_parameters_of_their_own)
{
    begin("a");
    parameter("n", "1");
    begin("b");
    parameter("n", "2");
    work(1);
    end("b");
    work(10);
    end("a");
    expect("a/n=1", 1, 11);
    expect("a/n=1/b/n=2", 1, 1);
    ck_assert_ptr_null(node_at("a/n=2"));
}
END_TEST

START_TEST(a_name_may_be_the_start_of_another)
{
    begin("a");
    parameter("n", "1");
    parameter("nn", "2");
    parameter("n", "3");
    work(1);
    end("a");
    expect("a/n=3/nn=2", 1, 1);
    expect("a/n=1/nn=2", 1, 0);
}
END_TEST

START_TEST(a_region_of_that_name_is_no_parameter)
{
    begin("a");
    begin("n=1");
    work(1);
    end("n=1");
    parameter("n", "1");
    work(10);
    ck_assert_int_eq(pdump_recorder_end(&rec, "n=1"), PDUMP_ESTATE);
    begin("n=1");
    end("n=1");
    end("a");
    ck_assert(is_balanced());
    ck_assert_uint_eq(regions.n, 4); /* <overflow>, a, the region, the other */
}
END_TEST

START_TEST(every_kind_of_end_ends_parameters)
{
    uint32_t a = add_region("a");

    for (int i = 0; i < 4; i++) {
        begin("a");
        parameter("n", "1");
        work(1);
        if (i == 0)
            end(NULL);
        else if (i == 1)
            ck_assert_int_eq(pdump_recorder_leave(&rec, a), PDUMP_OK);
        else if (i == 2)
            ck_assert_int_eq(pdump_recorder_end_n(&rec, "abc", 1), PDUMP_OK);
        else
            end("a");
        ck_assert(is_balanced());
    }
    expect("a/n=1", 4, 4);
}
END_TEST

START_TEST(a_wrong_end_leaves_parameters_in_force)
{
    begin("a");
    parameter("n", "1");
    work(1);
    ck_assert_int_eq(pdump_recorder_end(&rec, "b"), PDUMP_ESTATE);
    work(1);
    end("a");
    expect("a/n=1", 1, 2);
}
END_TEST

START_TEST(values_may_be_strange)
{
    static char huge[PDUMP_NAME_MAX + 1];

    begin("a");
    parameter("n", "");
    work(1);
    parameter("n", "a=b");
    work(1);
    memset(huge, 'x', PDUMP_NAME_MAX);
    ck_assert_int_eq(pdump_parameter_enter(&rec, "n", huge), PDUMP_EINVAL);
    work(1);
    end("a");
    expect("a/n=", 1, 1);
    expect("a/n=a=b", 1, 2);
    ck_assert(is_balanced());
}
END_TEST

START_TEST(a_hundred_parameters_are_kept)
{
    char name[16];

    begin("a");
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof(name), "p%d", i);
        parameter(name, "1");
    }
    parameter("p99", "2");
    parameter("p60", "2");
    work(1);
    end("a");
    expect("a", 1, 1);
    ck_assert(is_balanced());
}
END_TEST

int main(void)
{
    Suite *s = suite_create("parameter");
    TCase *t = tcase_create("parameter");

    tcase_add_checked_fixture(t, fake_open, fake_close);
    tcase_add_test(t, a_parameter_splits_its_region);
    tcase_add_test(t, another_value_begins_another_node);
    tcase_add_test(t, the_same_value_changes_nothing);
    tcase_add_test(t, names_nest_in_the_order_of_their_calls);
    tcase_add_test(t, a_new_value_keeps_the_other_parameters);
    tcase_add_test(t, regions_inside_have_parameters_of_their_own);
    tcase_add_test(t, a_name_may_be_the_start_of_another);
    tcase_add_test(t, a_region_of_that_name_is_no_parameter);
    tcase_add_test(t, every_kind_of_end_ends_parameters);
    tcase_add_test(t, a_wrong_end_leaves_parameters_in_force);
    tcase_add_test(t, values_may_be_strange);
    tcase_add_test(t, a_hundred_parameters_are_kept);
    suite_add_tcase(s, t);
    return fake_run(s);
}
