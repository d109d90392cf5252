/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of PDUMP_COUNTERS_EVERY: what is read, and what a dump makes of it. */
#include "fake.h"

#include "record/parameter.h"
#include "record/rewind.h"

enum { EVERY = 10 };

static void open_sparing(void)
{
    fake_open();
    recording.counters_every = EVERY;
}

static void close_sparing(void)
{
    ck_assert(is_balanced());
    fake_close();
}

static void visit(const char *name, int64_t amount)
{
    begin(name);
    work(amount);
    end(name);
}

/* The row's figures are these. */
static void dumped(const struct pdump_dump *dump, const char *path,
                   int64_t visits, int64_t sum)
{
    int64_t row = row_at(dump, path);

    ck_assert_msg(row >= 0, "no row %s", path);
    ck_assert_int_eq(dump->rows[row].visits, visits);
    ck_assert_int_eq(dump->columns[WORK].sum[row], sum);
}

START_TEST(one_visit_of_many_is_counted_and_stands_for_them)
{
    struct pdump_dump *dump;
    int64_t row;

    open_sparing();
    for (int i = 0; i < 95; i++)
        visit("a", i % EVERY ? 1 : 7);
    expect("a", 95, 70);
    ck_assert_uint_eq(node_at("a")->counted, EVERY);
    dump = snapshot();
    dumped(dump, "a", 95, 665); /* 70 * 95 / 10 */
    row = row_at(dump, "a");
    ck_assert_int_eq(dump->columns[WORK].min[row], 7);
    ck_assert_int_eq(dump->columns[WORK].max[row], 7);
    ck_assert_double_eq_tol(dump->columns[WORK].sumsq[row], 4655, 1e-6);
    ck_assert_int_gt(dump->columns[TIME].sum[row], 0);
    pdump_dump_free(dump);
    close_sparing();
}
END_TEST

START_TEST(counters_are_not_read_in_between)
{
    uint32_t a;

    open_sparing();
    a = add_region("a");
    visit("a", 1);
    is_broken = true;
    for (int i = 1; i < EVERY; i++) {
        ck_assert_int_eq(pdump_recorder_enter(&rec, a), PDUMP_OK);
        ck_assert_int_eq(pdump_recorder_leave(&rec, a), PDUMP_OK);
    }
    ck_assert_uint_eq(rec.record->read_errors, 0);
    visit("a", 1);
    ck_assert_uint_eq(rec.record->read_errors, 1);
    is_broken = false;
    expect("a", EVERY + 1, 1);
    ck_assert_uint_eq(node_at("a")->counted, 1);
    close_sparing();
}
END_TEST

START_TEST(parameters_are_counted_as_their_region_is)
{
    struct pdump_dump *dump;

    open_sparing();
    for (int i = 0; i < 2 * EVERY; i++) {
        begin("a");
        ck_assert_int_eq(pdump_parameter_enter(&rec, "n", "1"), PDUMP_OK);
        work(1);
        is_broken = i % EVERY != 0;
        end("a");
        is_broken = false;
    }
    ck_assert_uint_eq(rec.record->read_errors, 0);
    ck_assert_uint_eq(node_at("a")->counted, 2);
    ck_assert_uint_eq(node_at("a/n=1")->counted, 2);
    dump = snapshot();
    dumped(dump, "a", 2 * EVERY, 2 * EVERY);
    dumped(dump, "a/n=1", 2 * EVERY, 2 * EVERY);
    pdump_dump_free(dump);
    close_sparing();
}
END_TEST

START_TEST(rewind_regions_are_always_counted)
{
    struct pdump_dump *dump;

    open_sparing();
    for (int i = 0; i < 2 * EVERY; i++) {
        ck_assert_int_eq(pdump_rewind_enter(&rec, add_region("try")), PDUMP_OK);
        work(1);
        for (int j = 0; j < EVERY; j++)
            visit("in", 1);
        ck_assert_int_eq(pdump_rewind_leave(&rec, "try", i % 2), PDUMP_OK);
    }
    ck_assert_uint_eq(node_at("try")->counted, EVERY);
    ck_assert_uint_eq(node_at("try/in")->counted, EVERY);
    dump = snapshot();
    dumped(dump, "try", EVERY, EVERY + EVERY * EVERY);
    dumped(dump, "try/in", EVERY * EVERY, EVERY * EVERY);
    pdump_dump_free(dump);
    close_sparing();
}
END_TEST

/* The first visits are the expensive ones, and no part is more than all. */
START_TEST(what_is_inside_is_never_more_than_the_whole)
{
    struct pdump_dump *dump;

    open_sparing();
    begin("all");
    for (int i = 0; i < EVERY; i++) {
        begin("part");
        visit("in", i ? 1 : 90);
        end("part");
    }
    visit("other", 1);
    end("all");
    dump = snapshot();
    dumped(dump, "all", 1, 100);
    /* 900 and 1, made to fit */
    dumped(dump, "all/part", EVERY, 99);
    dumped(dump, "all/part/in", EVERY, 99);
    dumped(dump, "all/other", 1, 0);
    for (int64_t i = 0; i < dump->n_rows; i++)
        ck_assert_int_ge(dump->columns[WORK].exclusive[i], 0);
    pdump_dump_free(dump);
    close_sparing();
}
END_TEST

START_TEST(an_open_visit_is_added_if_it_is_counted)
{
    struct pdump_dump *dump;

    open_sparing();
    for (int i = 0; i < EVERY; i++)
        visit("a", 2);
    begin("a");
    work(5);
    dump = snapshot();
    dumped(dump, "a", EVERY, 25);
    pdump_dump_free(dump);
    end("a");
    begin("a");
    work(5);
    dump = snapshot();
    dumped(dump, "a", EVERY + 1, 39); /* 7 in 2 of 11 */
    pdump_dump_free(dump);
    end("a");
    close_sparing();
}
END_TEST

/* As a killed process leaves it: in the middle of a change. */
START_TEST(half_a_change_is_not_seen)
{
    struct pdump_dump *dump;
    struct pdump_node *node;
    uint32_t ref;

    open_sparing();
    for (int i = 0; i < EVERY; i++)
        visit("a", 2);
    begin("a");
    ref = rec.top->node;
    end("a");
    node = node_at("a");
    pdump_recorder_change(&rec, pdump_node_counted(ref),
                          1 + pdump_node_words(METRICS));
    node->counted = 1000;
    node->stat[WORK].sum = 12345;
    dump = snapshot();
    dumped(dump, "a", EVERY + 1, 11);
    pdump_dump_free(dump);
    node->counted = 2;
    node->stat[WORK].sum = 2;
    pdump_recorder_changed(&rec);
    close_sparing();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("counted");
    TCase *tc = tcase_create("counted");

    tcase_add_test(tc, one_visit_of_many_is_counted_and_stands_for_them);
    tcase_add_test(tc, counters_are_not_read_in_between);
    tcase_add_test(tc, parameters_are_counted_as_their_region_is);
    tcase_add_test(tc, rewind_regions_are_always_counted);
    tcase_add_test(tc, what_is_inside_is_never_more_than_the_whole);
    tcase_add_test(tc, an_open_visit_is_added_if_it_is_counted);
    tcase_add_test(tc, half_a_change_is_not_seen);
    suite_add_tcase(suite, tc);
    return fake_run(suite);
}
