/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the limits: depth, names, memory; the balance is always kept. */
#include "fake.h"

#include "record/parameter.h"
#include "record/rewind.h"

START_TEST(too_deep_is_counted_and_balanced)
{
    fake_open_by((struct fake_options){ .depth_max = 3 });
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 10; i++) {
            begin("a");
            work(1);
        }
        for (int i = 0; i < 10; i++)
            end("a");
        ck_assert(is_balanced());
    }
    expect("a", 2, 20);
    expect("a/a/a", 2, 16);
    if (node_at("a/a/a/a"))
        expect("a/a/a/a", 0, 0);
    ck_assert_uint_eq(rec.record->too_deep, 14);
    ck_assert_int_eq(pdump_recorder_end(&rec, "a"), PDUMP_ESTATE);
    fake_close();
}
END_TEST

START_TEST(skipped_regions_have_the_same_limit)
{
    fake_open_by((struct fake_options){ .depth_max = 2 });
    begin("a");
    for (int i = 0; i < 5; i++)
        pdump_hot_skip(&rec);
    for (int i = 0; i < 5; i++)
        if (!pdump_hot_unskip(&rec))
            end("x");
    work(1);
    end("a");
    expect("a", 1, 1);
    ck_assert(is_balanced());
    fake_close();
}
END_TEST

START_TEST(a_parameter_beyond_the_depth_keeps_the_balance)
{
    fake_open_by((struct fake_options){ .depth_max = 2 });
    begin("a");
    begin("b");
    ck_assert_int_le(pdump_parameter_enter(&rec, "n", "1"), PDUMP_OK);
    ck_assert_int_le(pdump_parameter_enter(&rec, "n", "2"), PDUMP_OK);
    work(1);
    end("b");
    work(1);
    end("a");
    ck_assert(is_balanced());
    expect("a", 1, 2);
    expect("a/b", 1, 1);
    fake_close();
}
END_TEST

START_TEST(a_parameter_in_a_region_beyond_the_depth_is_not_its_parents)
{
    fake_open_by((struct fake_options){ .depth_max = 2 });
    begin("a");
    ck_assert_int_eq(pdump_parameter_enter(&rec, "n", "1"), PDUMP_OK);
    begin("b");
    ck_assert_int_le(pdump_parameter_enter(&rec, "n", "2"), PDUMP_OK);
    end("b");
    work(1);
    end("a");
    ck_assert(is_balanced());
    expect("a/n=1", 1, 1);
    ck_assert_ptr_null(node_at("a/n=2"));
    fake_close();
}
END_TEST

START_TEST(a_rewind_beyond_the_depth_keeps_the_balance)
{
    int err;

    fake_open_by((struct fake_options){ .depth_max = 1 });
    begin("a");
    work(1);
    err = pdump_rewind_enter(&rec, add_region("r"));
    begin("b");
    work(1);
    end("b");
    ck_assert_int_eq(pdump_rewind_leave(&rec, "r", true), err);
    end("a");
    ck_assert(is_balanced());
    expect("a", 1, 2);
    fake_close();
}
END_TEST

START_TEST(a_rewind_does_not_end_over_open_regions_beyond_the_depth)
{
    fake_open_by((struct fake_options){ .depth_max = 1 });
    ck_assert_int_eq(pdump_rewind_enter(&rec, add_region("r")), PDUMP_OK);
    begin("b");
    ck_assert_int_eq(pdump_rewind_leave(&rec, "r", true), PDUMP_ESTATE);
    end("b");
    ck_assert_int_eq(pdump_rewind_leave(&rec, "r", true), PDUMP_OK);
    ck_assert(is_balanced());
    fake_close();
}
END_TEST

START_TEST(names_beyond_the_limit_are_overflow)
{
    char name[16];

    fake_open_by((struct fake_options){ .names = 8 });
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 20; i++) {
            snprintf(name, sizeof(name), "name%d", i);
            begin(name);
            work(1);
            end(name);
        }
    expect("name0", 2, 2);
    ck_assert_ptr_null(node_at("name19"));
    ck_assert_uint_le(regions.n, 8);
    ck_assert_uint_eq(node_at("<overflow>")->visits, rec.record->overflow);
    ck_assert_int_eq(
        (int64_t)(node_at("<overflow>")->visits + (regions.n - 1) * 2), 40);
    ck_assert(is_balanced());
    fake_close();
}
END_TEST

START_TEST(overflow_nests_under_its_parent)
{
    fake_open_by((struct fake_options){ .names = 2 });
    begin("a");
    begin("b");
    work(1);
    begin("c");
    work(1);
    end("c");
    begin("a");
    work(1);
    end("a");
    end("b");
    end("a");
    expect("a", 1, 3);
    expect("a/<overflow>", 1, 3);
    expect("a/<overflow>/<overflow>", 1, 1);
    expect("a/<overflow>/a", 1, 1);
    fake_close();
}
END_TEST

START_TEST(a_rewind_of_an_overflown_name_ends)
{
    uint32_t region;

    fake_open_by((struct fake_options){ .names = 2 });
    begin("a");
    region = add_region("r");
    ck_assert_uint_eq(region, regions.overflow);
    ck_assert_int_eq(pdump_rewind_enter(&rec, region), PDUMP_OK);
    ck_assert_int_eq(pdump_rewind_leave(&rec, "r", true), PDUMP_OK);
    end("a");
    ck_assert(is_balanced());
    expect("a", 1, 0);
    fake_close();
}
END_TEST

START_TEST(overflown_parameters_do_not_pile_up)
{
    char value[16];

    fake_open_by((struct fake_options){ .names = 2, .depth_max = 50 });
    begin("a");
    for (int i = 0; i < 200; i++) {
        snprintf(value, sizeof(value), "%d", i);
        ck_assert_int_eq(pdump_parameter_enter(&rec, "n", value), PDUMP_OK);
    }
    ck_assert_int_lt(rec.depth, 10);
    work(1);
    end("a");
    ck_assert(is_balanced());
    expect("a", 1, 1);
    fake_close();
}
END_TEST

/* A thousand regions deep and as many wide fill the least of all stores. */
static void fill(void)
{
    char name[24];

    for (int i = 0; i < 8000; i++) {
        snprintf(name, sizeof(name), "name%d", i);
        begin(name);
        work(1);
        begin("in");
        end("in");
        end(name);
    }
}

START_TEST(a_full_store_keeps_what_it_has)
{
    fake_open_by((struct fake_options){ .memory = 1 << 20 });
    begin("a");
    work(1);
    end("a");
    fill();
    ck_assert_uint_eq(pdump_store_alloc(recording.store, 1 << 20), 0);
    begin("a");
    work(1);
    end("a");
    expect("a", 2, 2);
    expect("name0", 1, 1);
    expect("name0/in", 1, 0);
    ck_assert_ptr_null(node_at("name7999"));
    ck_assert_int_gt((int64_t)node_at("<overflow>")->visits, 0);
    ck_assert(is_balanced());
    fake_close();
}
END_TEST

START_TEST(every_visit_is_somewhere_when_the_store_is_full)
{
    struct pdump_dump *dump;
    int64_t visits = 0, sum = 0;

    fake_open_by((struct fake_options){ .memory = 1 << 20 });
    fill();
    dump = snapshot();
    for (int64_t i = 0; i < dump->n_rows; i++) {
        visits += dump->rows[i].visits;
        if (dump->rows[i].parent < 0)
            sum += dump->columns[WORK].sum[i];
    }
    ck_assert_int_eq(visits, 16000);
    ck_assert_int_eq(sum, 8000);
    ck_assert_int_gt(dump->n_warnings, 0);
    pdump_dump_free(dump);
    fake_close();
}
END_TEST

START_TEST(a_full_store_keeps_the_balance_of_deep_regions)
{
    enum { DEEP = 20000 };

    fake_open_by(
        (struct fake_options){ .memory = 1 << 20, .depth_max = 2 * DEEP });
    for (int i = 0; i < DEEP; i++)
        begin("a");
    work(1);
    for (int i = 0; i < DEEP; i++)
        end("a");
    ck_assert(is_balanced());
    expect("a", 1, 1);
    ck_assert_uint_gt(rec.record->too_deep, 0);
    fake_close();
}
END_TEST

START_TEST(a_discarded_rewind_spares_what_overflowed_before)
{
    uint32_t region;
    uint64_t visits;

    fake_open_by((struct fake_options){ .memory = 1 << 20 });
    region = add_region("r");
    fill();
    visits = node_at("<overflow>")->visits;
    ck_assert_uint_gt(visits, 0);
    ck_assert_int_eq(pdump_rewind_enter(&rec, region), PDUMP_OK);
    ck_assert_int_eq(pdump_rewind_leave(&rec, "r", true), PDUMP_OK);
    ck_assert_uint_ge(node_at("<overflow>")->visits, visits);
    ck_assert(is_balanced());
    fake_close();
}
END_TEST

START_TEST(a_thread_without_memory_is_refused)
{
    struct pdump_recorder second;

    fake_open_by((struct fake_options){ .memory = 1 << 20 });
    while (pdump_store_alloc(recording.store, 64))
        continue;
    ck_assert_int_eq(pdump_recorder_open(&second, &recording), PDUMP_ENOMEM);
    ck_assert_int_eq(n_attached, 2);
    begin("a");
    end("a");
    fake_close();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("limits");
    TCase *t = tcase_create("limits");

    tcase_add_test(t, too_deep_is_counted_and_balanced);
    tcase_add_test(t, skipped_regions_have_the_same_limit);
    tcase_add_test(t, a_parameter_beyond_the_depth_keeps_the_balance);
    tcase_add_test(t,
                   a_parameter_in_a_region_beyond_the_depth_is_not_its_parents);
    tcase_add_test(t, a_rewind_beyond_the_depth_keeps_the_balance);
    tcase_add_test(t, a_rewind_does_not_end_over_open_regions_beyond_the_depth);
    tcase_add_test(t, names_beyond_the_limit_are_overflow);
    tcase_add_test(t, overflow_nests_under_its_parent);
    tcase_add_test(t, a_rewind_of_an_overflown_name_ends);
    tcase_add_test(t, overflown_parameters_do_not_pile_up);
    tcase_add_test(t, a_full_store_keeps_what_it_has);
    tcase_add_test(t, every_visit_is_somewhere_when_the_store_is_full);
    tcase_add_test(t, a_full_store_keeps_the_balance_of_deep_regions);
    tcase_add_test(t, a_discarded_rewind_spares_what_overflowed_before);
    tcase_add_test(t, a_thread_without_memory_is_refused);
    suite_add_tcase(s, t);
    return fake_run(s);
}
