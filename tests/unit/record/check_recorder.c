/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the recorder: what begin and end make of the counters. */
#include "fake.h"

static void visit(const char *name, int64_t amount)
{
    begin(name);
    work(amount);
    end(name);
}

START_TEST(figures_are_exact)
{
    const struct pdump_node *node;

    for (int i = 1; i <= 4; i++) {
        turned[OTHER] += 100;
        visit("a", i * 10);
        work(7); /* between visits: nobody's */
    }
    node = node_at("a");
    ck_assert_uint_eq(node->visits, 4);
    ck_assert_int_eq(node->stat[WORK].sum, 100);
    ck_assert_int_eq(node->stat[WORK].min, 10);
    ck_assert_int_eq(node->stat[WORK].max, 40);
    ck_assert_double_eq(node->stat[WORK].sumsq, 100 + 400 + 900 + 1600);
    ck_assert_int_eq(node->stat[OTHER].sum, 0);
    ck_assert_int_eq(node->stat[OTHER].max, 0);
}
END_TEST

START_TEST(time_passes_in_regions)
{
    const struct pdump_node *outer, *inner;
    int64_t from = pdump_clock_now(), to;

    begin("outer");
    visit("inner", 1);
    visit("inner", 1);
    end("outer");
    to = pdump_clock_now();
    outer = node_at("outer");
    inner = node_at("outer/inner");
    ck_assert_int_ge(inner->stat[TIME].min, 0);
    ck_assert_int_ge(outer->stat[TIME].sum, inner->stat[TIME].sum);
    ck_assert_int_le(outer->stat[TIME].sum, to - from);
    ck_assert_int_eq(inner->stat[TIME].sum,
                     inner->stat[TIME].min + inner->stat[TIME].max);
}
END_TEST

START_TEST(parents_include_their_children)
{
    begin("a");
    work(10);
    begin("b");
    work(5);
    visit("c", 3);
    end("b");
    work(1);
    end("a");
    expect("a", 1, 19);
    expect("a/b", 1, 8);
    expect("a/b/c", 1, 3);
    ck_assert(is_balanced());
}
END_TEST

START_TEST(one_name_under_two_parents_is_two_nodes)
{
    begin("a");
    visit("x", 1);
    end("a");
    begin("b");
    visit("x", 20);
    visit("x", 20);
    end("b");
    visit("x", 300);
    expect("a/x", 1, 1);
    expect("b/x", 2, 40);
    expect("x", 1, 300);
}
END_TEST

START_TEST(recursion_makes_a_chain)
{
    for (int i = 0; i < 3; i++) {
        begin("f");
        work(1);
    }
    for (int i = 0; i < 3; i++)
        end("f");
    expect("f", 1, 3);
    expect("f/f", 1, 2);
    expect("f/f/f", 1, 1);
}
END_TEST

START_TEST(names_are_equal_by_content)
{
    char first[] = "same", second[] = "same";

    visit(first, 1);
    visit(second, 2);
    begin(first);
    work(4);
    end(second);
    expect("same", 3, 7);
}
END_TEST

START_TEST(one_buffer_may_hold_many_names)
{
    char name[16];

    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 10; i++) {
            snprintf(name, sizeof(name), "name%d", i);
            visit(name, i);
        }
    strcpy(name, "gone");
    expect("name0", 3, 0);
    expect("name9", 3, 27);
    ck_assert_ptr_null(node_at("gone"));
}
END_TEST

START_TEST(a_name_may_be_the_start_of_another)
{
    const char *text = "solver";

    ck_assert_int_eq(pdump_recorder_begin_n(&rec, text, 5), PDUMP_OK);
    ck_assert_int_eq(pdump_recorder_begin_n(&rec, text, 6), PDUMP_OK);
    ck_assert_int_eq(pdump_recorder_end_n(&rec, text, 5), PDUMP_ESTATE);
    ck_assert_int_eq(pdump_recorder_end_n(&rec, text, 6), PDUMP_OK);
    ck_assert_int_eq(pdump_recorder_end_n(&rec, text, 6), PDUMP_ESTATE);
    end("solve");
    visit("solve", 2);
    expect("solve", 2, 2);
    expect("solve/solver", 1, 0);
}
END_TEST

START_TEST(bad_names_change_nothing)
{
    static char huge[PDUMP_NAME_MAX + 2];

    memset(huge, 'x', PDUMP_NAME_MAX + 1);
    begin("a");
    ck_assert_int_eq(pdump_recorder_begin(&rec, ""), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_recorder_begin(&rec, huge), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_recorder_begin_n(&rec, "a\0b", 3), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_recorder_begin_n(&rec, huge, 0), PDUMP_EINVAL);
    end("a");
    ck_assert(is_balanced());
    huge[PDUMP_NAME_MAX] = '\0';
    visit(huge, 1);
    expect(huge, 1, 1);
}
END_TEST

START_TEST(wrong_ends_change_nothing)
{
    uint32_t b = add_region("b");

    ck_assert_int_eq(pdump_recorder_end(&rec, "a"), PDUMP_ESTATE);
    ck_assert_int_eq(pdump_recorder_end(&rec, NULL), PDUMP_ESTATE);
    ck_assert_int_eq(pdump_recorder_end_n(&rec, "a", 1), PDUMP_ESTATE);
    ck_assert_int_eq(pdump_recorder_leave(&rec, b), PDUMP_ESTATE);
    begin("a");
    work(1);
    ck_assert_int_eq(pdump_recorder_end(&rec, "b"), PDUMP_ESTATE);
    ck_assert_int_eq(pdump_recorder_end(&rec, ""), PDUMP_ESTATE);
    ck_assert_int_eq(pdump_recorder_leave(&rec, b), PDUMP_ESTATE);
    work(1);
    end("a");
    expect("a", 1, 2);
    ck_assert_ptr_null(node_at("b"));
    ck_assert_int_eq(warned_of("'a' was never begun here; none is open"), 2);
    ck_assert_int_eq(warned_of("'(any)', but none is open"), 1);
    /* Added, and so known, but not open: once with and twice without "a". */
    ck_assert_int_eq(warned_of("'b' is not open here"), 3);
    ck_assert_int_eq(warned_of("'' was never begun here; 'a' is open"), 1);
}
END_TEST

START_TEST(each_name_that_was_never_begun_is_a_warning)
{
    char names[2][100];

    begin("a");
    for (int i = 0; i < 2; i++) {
        memset(names[i], 'n', sizeof(names[i]) - 2);
        strcpy(names[i] + sizeof(names[i]) - 2, i ? "1" : "0");
        ck_assert_int_eq(pdump_recorder_end(&rec, names[i]), PDUMP_ESTATE);
    }
    ck_assert_int_eq(pdump_recorder_end(&rec, "never"), PDUMP_ESTATE);
    ck_assert_int_eq(warned_of("'never' was never begun here"), 1);
    ck_assert_int_eq(warned_of("n0' was never begun here"), 1);
    ck_assert_int_eq(warned_of("n1' was never begun here"), 1);
    end("a");
    expect("a", 1, 0);
}
END_TEST

START_TEST(crossed_ends_leave_the_inner_region_open)
{
    begin("a");
    begin("b");
    work(1);
    ck_assert_int_eq(pdump_recorder_end(&rec, "a"), PDUMP_ESTATE);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "'a'"));
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "'b'"));
    work(1);
    end("b");
    end("a");
    expect("a", 1, 2);
    expect("a/b", 1, 2);
}
END_TEST

START_TEST(null_ends_the_innermost)
{
    begin("a");
    begin("b");
    work(2);
    end(NULL);
    work(1);
    ck_assert_int_eq(pdump_recorder_end_n(&rec, NULL, 0), PDUMP_OK);
    ck_assert_int_eq(pdump_recorder_end(&rec, NULL), PDUMP_ESTATE);
    expect("a/b", 1, 2);
    expect("a", 1, 3);
}
END_TEST

START_TEST(numbers_and_names_are_the_same_region)
{
    uint32_t a = add_region("a"), b = add_region("b");

    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(pdump_recorder_enter(&rec, a), PDUMP_OK);
        ck_assert_int_eq(pdump_recorder_enter(&rec, b), PDUMP_OK);
        work(1);
        ck_assert_int_eq(pdump_recorder_leave(&rec, a), PDUMP_ESTATE);
        end("b");
        ck_assert_int_eq(pdump_recorder_leave(&rec, a), PDUMP_OK);
        begin("a");
        work(1);
        ck_assert_int_eq(pdump_recorder_leave(&rec, a), PDUMP_OK);
    }
    expect("a", 6, 6);
    expect("a/b", 3, 3);
}
END_TEST

START_TEST(a_gauge_has_the_level_at_the_end)
{
    const struct pdump_stat *level;

    for (int i = 1; i <= 3; i++) {
        turned[LEVEL] = 500;
        begin("a");
        turned[LEVEL] = i * 10;
        end("a");
    }
    level = &node_at("a")->stat[LEVEL];
    ck_assert_int_eq(level->sum, 60);
    ck_assert_int_eq(level->min, 10);
    ck_assert_int_eq(level->max, 30);
}
END_TEST

START_TEST(a_visit_that_cannot_be_read_has_its_time)
{
    visit("a", 5);
    is_broken = true; /* at the begin */
    begin("a");
    is_broken = false;
    work(1000);
    end("a");
    begin("a");
    work(1000);
    is_broken = true; /* at the end */
    end("a");
    is_broken = false;
    visit("a", 6);
    expect("a", 4, 11);
    ck_assert_int_eq(node_at("a")->stat[WORK].max, 6);
    ck_assert_uint_eq(rec.record->read_errors, 2);
    ck_assert(is_balanced());
}
END_TEST

START_TEST(a_source_that_refuses_costs_its_metrics_only)
{
    const struct pdump_node *node;

    fake_close();
    is_refused = true;
    fake_open();
    begin("a");
    work(5);
    turned[OTHER] += 7;
    begin("b");
    end("b");
    end("a");
    node = node_at("a");
    ck_assert_int_eq(node->stat[OTHER].sum, 7);
    ck_assert_int_eq(node->stat[WORK].sum, 0);
    ck_assert_uint_eq(rec.record->missing, 1 << WORK | 1 << LEVEL);
    ck_assert_uint_eq(rec.record->read_errors, 0);
    ck_assert_int_eq(warned_of("cannot count fake events: not today"), 1);
}
END_TEST

START_TEST(a_closed_recorder_leaves_its_figures)
{
    struct pdump_thread_record *record = rec.record;
    struct pdump_recorder second;

    visit("a", 1);
    ck_assert_int_eq(pdump_recorder_open(&second, &recording), PDUMP_OK);
    ck_assert_int_eq(n_attached, 4);
    ck_assert_uint_eq(second.record->number, 1);
    ck_assert_uint_eq(record->has_ended, 0);
    pdump_recorder_close(&second);
    ck_assert_int_eq(n_attached, 2);
    expect("a", 1, 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("recorder");
    TCase *t = tcase_create("recorder");

    tcase_add_checked_fixture(t, fake_open, fake_close);
    tcase_add_test(t, figures_are_exact);
    tcase_add_test(t, time_passes_in_regions);
    tcase_add_test(t, parents_include_their_children);
    tcase_add_test(t, one_name_under_two_parents_is_two_nodes);
    tcase_add_test(t, recursion_makes_a_chain);
    tcase_add_test(t, names_are_equal_by_content);
    tcase_add_test(t, one_buffer_may_hold_many_names);
    tcase_add_test(t, a_name_may_be_the_start_of_another);
    tcase_add_test(t, bad_names_change_nothing);
    tcase_add_test(t, wrong_ends_change_nothing);
    tcase_add_test(t, each_name_that_was_never_begun_is_a_warning);
    tcase_add_test(t, crossed_ends_leave_the_inner_region_open);
    tcase_add_test(t, null_ends_the_innermost);
    tcase_add_test(t, numbers_and_names_are_the_same_region);
    tcase_add_test(t, a_gauge_has_the_level_at_the_end);
    tcase_add_test(t, a_visit_that_cannot_be_read_has_its_time);
    tcase_add_test(t, a_source_that_refuses_costs_its_metrics_only);
    tcase_add_test(t, a_closed_recorder_leaves_its_figures);
    suite_add_tcase(s, t);
    return fake_run(s);
}
