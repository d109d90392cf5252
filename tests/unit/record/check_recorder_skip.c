/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of regions that are not recorded, among those that are. */
#include "fake.h"

static void visit(const char *name, int64_t amount)
{
    begin(name);
    work(amount);
    end(name);
}

START_TEST(what_begins_while_off_leaves_no_trace)
{
    begin("a");
    work(1);
    pdump_hot_skip(&rec); /* off: b */
    work(10);
    visit("c", 100); /* on again, in b */
    end("b");
    work(1000);
    end("a");
    expect("a", 1, 1111);
    expect("a/c", 1, 100);
    ck_assert_ptr_null(node_at("a/b"));
    ck_assert(is_balanced());
}
END_TEST

START_TEST(a_region_begun_while_off_ends_before_its_namesake)
{
    uint32_t a = add_region("a");

    for (int i = 0; i < 4; i++) {
        begin("a");
        pdump_hot_skip(&rec); /* off: a in a */
        work(1);
        if (i == 0)
            end("a");
        else if (i == 1)
            end(NULL);
        else if (i == 2)
            ck_assert_int_eq(pdump_recorder_end_n(&rec, "a", 1), PDUMP_OK);
        else
            ck_assert_int_eq(pdump_recorder_leave(&rec, a), PDUMP_OK);
        work(10);
        end("a");
        ck_assert(is_balanced());
    }
    expect("a", 4, 44);
}
END_TEST

START_TEST(what_begins_while_off_needs_no_region_around)
{
    pdump_hot_skip(&rec);
    begin("a");
    work(1);
    end("a");
    end("b");
    ck_assert(is_balanced());
    ck_assert_int_eq(pdump_recorder_end(&rec, "b"), PDUMP_ESTATE);
    expect("a", 1, 1);
}
END_TEST

START_TEST(what_ends_while_off_is_recorded)
{
    begin("a");
    pdump_hot_skip(&rec);
    pdump_hot_skip(&rec);
    work(1);
    ck_assert(pdump_hot_unskip(&rec));
    ck_assert(pdump_hot_unskip(&rec));
    ck_assert(!pdump_hot_unskip(&rec));
    end("a");
    expect("a", 1, 1);
    ck_assert(!pdump_hot_unskip(&rec));
    ck_assert(is_balanced());
}
END_TEST

START_TEST(nothing_is_noted_outside_of_regions)
{
    ck_assert(!pdump_recorder_is_in_region(&rec));
    begin("a");
    ck_assert(pdump_recorder_is_in_region(&rec));
    ck_assert(pdump_recorder_is_recorded(&rec));
    pdump_hot_skip(&rec);
    ck_assert(pdump_recorder_is_in_region(&rec));
    ck_assert(!pdump_recorder_is_recorded(&rec));
    end(NULL);
    ck_assert(pdump_recorder_is_recorded(&rec));
    end("a");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("skip");
    TCase *t = tcase_create("skip");

    tcase_add_checked_fixture(t, fake_open, fake_close);
    tcase_add_test(t, what_begins_while_off_leaves_no_trace);
    tcase_add_test(t, a_region_begun_while_off_ends_before_its_namesake);
    tcase_add_test(t, what_begins_while_off_needs_no_region_around);
    tcase_add_test(t, what_ends_while_off_is_recorded);
    tcase_add_test(t, nothing_is_noted_outside_of_regions);
    suite_add_tcase(s, t);
    return fake_run(s);
}
