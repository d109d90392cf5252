/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of rewind regions: kept as if ordinary, or as if never there. */
#include "fake.h"

#include "record/user_metric.h"
#include "record/parameter.h"
#include "record/rewind.h"

static void rewind_begin(const char *name)
{
    ck_assert_int_eq(pdump_rewind_enter(&rec, add_region(name)), PDUMP_OK);
}

static void rewind_end(const char *name, bool discard)
{
    ck_assert_int_eq(pdump_rewind_leave(&rec, name, discard), PDUMP_OK);
}

/* The rewind region "r" with two regions in it. */
static void attempt(int64_t amount, bool discard)
{
    rewind_begin("r");
    begin("x");
    work(amount);
    begin("y");
    work(amount);
    end("y");
    end("x");
    begin("z");
    work(amount);
    end("z");
    rewind_end("r", discard);
}

static bool has_node(const char *path)
{
    const struct pdump_node *node = node_at(path);

    return node && node->visits;
}

START_TEST(what_is_discarded_was_never_there)
{
    begin("a");
    attempt(10, true);
    end("a");
    expect("a", 1, 30);
    ck_assert(!has_node("a/r"));
    ck_assert(!has_node("a/r/x"));
    ck_assert(is_balanced());
}
END_TEST

START_TEST(what_is_kept_is_ordinary)
{
    begin("a");
    attempt(10, false);
    end("a");
    expect("a", 1, 30);
    expect("a/r", 1, 30);
    expect("a/r/x", 1, 20);
    expect("a/r/x/y", 1, 10);
    expect("a/r/z", 1, 10);
}
END_TEST

START_TEST(each_attempt_is_decided_on_its_own)
{
    const struct pdump_stat *stat;

    attempt(1, false);
    attempt(100, true);
    attempt(3, false);
    attempt(1000, true);
    expect("r", 2, 12);
    expect("r/x", 2, 8);
    stat = &node_at("r/x/y")->stat[WORK];
    ck_assert_int_eq(stat->sum, 4);
    ck_assert_int_eq(stat->min, 1);
    ck_assert_int_eq(stat->max, 3);
    ck_assert_double_eq(stat->sumsq, 1 + 9);
}
END_TEST

START_TEST(the_ordinary_region_of_that_name_is_another)
{
    begin("r");
    work(5);
    end("r");
    attempt(1, true);
    expect("r", 1, 5);
    attempt(1, false);
    expect("r", 2, 8);
    begin("r");
    begin("x");
    end("x");
    end("r");
    expect("r/x", 2, 2);
}
END_TEST

START_TEST(rewinds_nest)
{
    rewind_begin("outer");
    attempt(1, false);
    attempt(10, true);
    rewind_end("outer", false);
    expect("outer", 1, 33);
    expect("outer/r", 1, 3);
    expect("outer/r/x/y", 1, 1);

    rewind_begin("outer");
    attempt(1, false);
    rewind_end("outer", true);
    expect("outer", 1, 33);
    expect("outer/r", 1, 3);
}
END_TEST

START_TEST(only_the_innermost_rewind_can_end)
{
    ck_assert_int_eq(pdump_rewind_leave(&rec, "r", true), PDUMP_ESTATE);
    ck_assert_int_eq(pdump_rewind_leave(&rec, NULL, true), PDUMP_ESTATE);
    begin("a");
    ck_assert_int_eq(pdump_rewind_leave(&rec, "a", true), PDUMP_ESTATE);
    rewind_begin("r");
    ck_assert_int_eq(pdump_rewind_leave(&rec, "s", true), PDUMP_ESTATE);
    ck_assert_int_eq(pdump_recorder_end(&rec, "r"), PDUMP_ESTATE);
    ck_assert_int_eq(pdump_recorder_end(&rec, NULL), PDUMP_ESTATE);
    begin("b");
    ck_assert_int_eq(pdump_rewind_leave(&rec, "r", true), PDUMP_ESTATE);
    work(1);
    end("b");
    rewind_end(NULL, false);
    end("a");
    expect("a/r/b", 1, 1);
    ck_assert(is_balanced());
}
END_TEST

START_TEST(parameters_in_a_rewind_end_with_it)
{
    rewind_begin("r");
    ck_assert_int_eq(pdump_parameter_enter(&rec, "n", "1"), PDUMP_OK);
    work(1);
    rewind_end("r", false);
    rewind_begin("r");
    ck_assert_int_eq(pdump_parameter_enter(&rec, "n", "2"), PDUMP_OK);
    work(10);
    rewind_end("r", true);
    expect("r", 1, 1);
    expect("r/n=1", 1, 1);
    ck_assert(!has_node("r/n=2"));
    ck_assert(is_balanced());
}
END_TEST

static int64_t counted(const char *path)
{
    const struct pdump_node *node = node_at(path);
    const struct pdump_user_metric *extra;

    ck_assert_msg(node && node->extra, "no counter in %s", path);
    extra = pdump_store_at(rec.base, node->extra);
    return extra->stat.sum;
}

START_TEST(user_counters_share_the_fate)
{
    for (int i = 0; i < 4; i++) {
        rewind_begin("r");
        begin("x");
        ck_assert_int_eq(
            pdump_user_metric_add(&rec, rec.top->node, "items", 1 << i),
            PDUMP_OK);
        end("x");
        rewind_end("r", i % 2);
    }
    ck_assert_int_eq(counted("r/x"), 1 + 4);
}
END_TEST

START_TEST(a_rewind_begun_while_off_ends_quietly)
{
    begin("a");
    ck_assert(pdump_recorder_push_skipped(&rec, PDUMP_FRAME_REWIND));
    work(1);
    ck_assert(!pdump_hot_unskip(&rec));
    ck_assert_int_eq(pdump_recorder_end(&rec, NULL), PDUMP_ESTATE);
    rewind_end("r", true);
    end("a");
    expect("a", 1, 1);
    ck_assert(is_balanced());
}
END_TEST

START_TEST(an_undecided_rewind_is_in_no_snapshot)
{
    struct pdump_dump *dump;

    begin("a");
    rewind_begin("r");
    begin("x");
    end("x");
    dump = snapshot();
    ck_assert_int_eq(dump->n_rows, 1);
    ck_assert_int_eq(row_at(dump, "a"), 0);
    pdump_dump_free(dump);
    rewind_end("r", true);
    dump = snapshot();
    ck_assert_int_eq(dump->n_rows, 1);
    pdump_dump_free(dump);
    attempt(1, false);
    dump = snapshot();
    ck_assert_int_ge(row_at(dump, "a/r/x/y"), 0);
    pdump_dump_free(dump);
    end("a");
}
END_TEST

START_TEST(a_wide_and_deep_subtree_moves_whole)
{
    char name[16];

    rewind_begin("r");
    for (int i = 0; i < 500; i++) {
        begin("deep");
        snprintf(name, sizeof(name), "wide%d", i);
        begin(name);
        work(1);
        end(name);
    }
    for (int i = 0; i < 500; i++)
        end("deep");
    rewind_end("r", false);
    expect("r", 1, 500);
    expect("r/deep/deep/wide1", 1, 1);
    expect("r/deep/deep/deep", 1, 498);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rewind");
    TCase *t = tcase_create("rewind");

    tcase_add_checked_fixture(t, fake_open, fake_close);
    tcase_add_test(t, what_is_discarded_was_never_there);
    tcase_add_test(t, what_is_kept_is_ordinary);
    tcase_add_test(t, each_attempt_is_decided_on_its_own);
    tcase_add_test(t, the_ordinary_region_of_that_name_is_another);
    tcase_add_test(t, rewinds_nest);
    tcase_add_test(t, only_the_innermost_rewind_can_end);
    tcase_add_test(t, parameters_in_a_rewind_end_with_it);
    tcase_add_test(t, user_counters_share_the_fate);
    tcase_add_test(t, a_rewind_begun_while_off_ends_quietly);
    tcase_add_test(t, an_undecided_rewind_is_in_no_snapshot);
    tcase_add_test(t, a_wide_and_deep_subtree_moves_whole);
    suite_add_tcase(s, t);
    return fake_run(s);
}
