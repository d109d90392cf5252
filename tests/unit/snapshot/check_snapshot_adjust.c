/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of figures that are not left as they were measured. */
#include "fake.h"

#include "snapshot/snapshot_private.h"

enum { ROOT, ALL, PART, LEAF, REST, ITEMS };

static struct pdump_snapshot_node_row list[ITEMS] = {
    [ROOT] = { .parent = -1 },  [ALL] = { .parent = ROOT },
    [PART] = { .parent = ALL }, [LEAF] = { .parent = PART },
    [REST] = { .parent = ALL },
};
static struct pdump_stat stats[ITEMS];
static const struct pdump_snapshot_nodes items = {
    .list = list, .n = ITEMS, .stats = stats, .n_stats = 1
};

static const struct pdump_cost cost = { 50, 50, 10 };

static void set(int item, uint64_t n, int64_t each)
{
    list[item].visits = n;
    stats[item] = (struct pdump_stat){ (int64_t)n * each, each, each,
                                       (double)n * (double)(each * each) };
}

START_TEST(visits_inside_are_subtracted)
{
    set(ALL, 1, 10000);
    set(PART, 2, 2000);
    set(LEAF, 10, 100);
    set(REST, 0, 0);
    ck_assert_int_eq(pdump_snapshot_subtract(&items, 0, cost), PDUMP_OK);
    ck_assert_int_eq(stats[LEAF].sum, 10 * 100 - 10 * 10);
    ck_assert_int_eq(stats[LEAF].min, 90);
    ck_assert_double_eq_tol(stats[LEAF].sumsq, 10 * 90 * 90, 1e-6);
    ck_assert_int_eq(stats[PART].sum, 2 * 2000 - 10 * 50 - 2 * 10);
    ck_assert_int_eq(stats[PART].max, 1740);
    ck_assert_int_eq(stats[ALL].sum, 10000 - 12 * 50 - 10);
    ck_assert_int_eq(stats[ALL].min, stats[ALL].sum);
    ck_assert_int_eq(stats[ALL].max, stats[ALL].sum);
}
END_TEST

START_TEST(nothing_falls_below_zero_or_what_is_inside)
{
    set(ALL, 1, 1000);
    set(PART, 1, 400);
    set(LEAF, 100, 3);
    set(REST, 1, 500);
    ck_assert_int_eq(pdump_snapshot_subtract(&items, 0, cost), PDUMP_OK);
    ck_assert_int_eq(stats[LEAF].sum, 0);
    ck_assert_int_eq(stats[LEAF].min, 0);
    ck_assert_int_eq(stats[LEAF].max, 0);
    ck_assert_double_ge(stats[LEAF].sumsq, 0);
    ck_assert_int_eq(stats[PART].sum, 0);
    ck_assert_int_eq(stats[REST].sum, 490);
    ck_assert_int_eq(stats[ALL].sum, 490);
}
END_TEST

START_TEST(a_first_visit_that_is_still_open_has_no_min)
{
    set(ALL, 0, 0);
    stats[ALL] = (struct pdump_stat){ 1000, INT64_MAX, INT64_MIN, 0 };
    set(PART, 4, 50);
    set(LEAF, 0, 0);
    set(REST, 0, 0);
    ck_assert_int_eq(pdump_snapshot_subtract(&items, 0, cost), PDUMP_OK);
    ck_assert_int_eq(stats[ALL].sum, 800);
    ck_assert_int_eq(stats[ALL].min, INT64_MAX);
}
END_TEST

START_TEST(estimates_inside_are_made_to_fit)
{
    set(ALL, 1, 100);
    set(PART, 1, 150);
    set(LEAF, 1, 75);
    set(REST, 1, 50);
    ck_assert_int_eq(pdump_snapshot_fit(&items, 0), PDUMP_OK);
    ck_assert_int_eq(stats[ALL].sum, 100);
    ck_assert_int_eq(stats[PART].sum, 75);
    ck_assert_int_eq(stats[REST].sum, 25);
    ck_assert_int_eq(stats[LEAF].sum, 75);
}
END_TEST

/* Of so much overhead nothing is left. */
START_TEST(a_snapshot_subtracts_if_asked_to)
{
    const int64_t much = INT64_C(1) << 50;
    struct pdump_metric *metric;
    struct pdump_dump *dump;

    fake_open();
    for (int i = 0; i < 3; i++) {
        begin("a");
        begin("b");
        for (int64_t start = pdump_clock_now(); pdump_clock_now() < start + 9;)
            continue;
        end("b");
        end("a");
    }
    metric = pdump_store_at((char *)recording.head, recording.head->metrics);
    metric[TIME].cost = (struct pdump_cost){ much, much, much };
    for (int is_subtracted = 0; is_subtracted < 2; is_subtracted++) {
        recording.head->is_subtracted = (uint32_t)is_subtracted;
        dump = snapshot();
        for (int64_t i = 0; i < dump->n_rows; i++)
            ck_assert_int_eq(dump->columns[TIME].sum[i] == 0, is_subtracted);
        ck_assert_int_eq(pdump_dump_metadata(dump, "overhead") != NULL,
                         is_subtracted);
        ck_assert_int_eq(dump->n_rows, 2);
        pdump_dump_free(dump);
    }
    fake_close();
}
END_TEST

/* Counters of ALL and LEAF; of PART and REST there are only times. */
START_TEST(visits_without_counters_have_a_cost_of_their_own)
{
    struct pdump_stat both[2 * ITEMS];
    struct pdump_snapshot_nodes two = { list, ITEMS, 0, both, 2, false };
    struct pdump_cost with = { .counted = 50, .timed = 5, .inside = 10 };

    set(ALL, 1, 10000);
    set(PART, 2, 2000);
    set(LEAF, 10, 100);
    set(REST, 3, 100);
    for (int i = 0; i < ITEMS; i++) {
        both[2 * i] = both[2 * i + 1] = stats[i];
        if (i == PART || i == REST)
            both[2 * i + 1] = (struct pdump_stat){ 0, INT64_MAX, INT64_MIN, 0 };
    }
    for (uint32_t m = 0; m < 2; m++)
        ck_assert_int_eq(pdump_snapshot_subtract(&two, m, with), PDUMP_OK);
    ck_assert_int_eq(both[2 * PART].sum, 2 * 2000 - 10 * 50 - 2 * 10);
    ck_assert_int_eq(both[2 * REST].sum, 3 * 100 - 3 * 10);
    ck_assert_int_eq(both[2 * ALL].sum, 10000 - 10 * 50 - 5 * 5 - 10);
    ck_assert_int_eq(both[2 * LEAF + 1].sum, 10 * 100 - 10 * 10);
    ck_assert_int_eq(both[2 * PART + 1].sum, 0);
    ck_assert_int_eq(both[2 * ALL + 1].sum, 10000 - 10 * 50 - 5 * 5 - 10);
}
END_TEST

START_TEST(visits_of_another_kind_have_its_cost)
{
    set(ALL, 1, 10000);
    set(PART, 2, 2000);
    set(LEAF, 10, 100);
    set(REST, 3, 100);
    list[LEAF].own = (struct pdump_cost){ 80, 80, 20 };
    ck_assert_int_eq(pdump_snapshot_subtract(&items, 0, cost), PDUMP_OK);
    list[LEAF].own = (struct pdump_cost){ 0 };
    ck_assert_int_eq(stats[LEAF].sum, 10 * 100 - 10 * 20);
    ck_assert_int_eq(stats[PART].sum, 2 * 2000 - 10 * 80 - 2 * 10);
    ck_assert_int_eq(stats[REST].sum, 3 * 100 - 3 * 10);
    ck_assert_int_eq(stats[ALL].sum, 10000 - 10 * 80 - 5 * 50 - 10);
}
END_TEST

START_TEST(cpu_time_is_never_more_than_time)
{
    struct pdump_stat both[2 * ITEMS];
    struct pdump_snapshot_nodes two = { list, ITEMS, 0, both, 2, false };
    struct pdump_snapshot_cut cut;

    for (int i = ROOT; i < ITEMS; i++)
        set(i, 1, 100);
    for (int i = 0; i < ITEMS; i++) {
        both[2 * i] = stats[i];
        set(i, 1, i == LEAF ? 300 : 40);
        both[2 * i + 1] = stats[i];
    }
    cut = pdump_snapshot_bound(&two, 1, 0.5);
    ck_assert_uint_eq(cut.rows, 1);
    ck_assert_double_eq_tol(cut.sum, 250, 1e-6);
    ck_assert_int_eq(both[2 * LEAF + 1].sum, 50);
    ck_assert_int_eq(both[2 * LEAF + 1].max, 50);
    ck_assert_int_eq(both[2 * REST + 1].sum, 40);
}
END_TEST

/* Reading counters adds to them, not to the time. */
START_TEST(counters_are_without_what_reading_them_adds)
{
    struct pdump_metric *metric;
    struct pdump_dump *dump;

    fake_open();
    metric = pdump_store_at((char *)recording.head, recording.head->metrics);
    metric[WORK].cost = (struct pdump_cost){ 8, 0, 3 };
    begin("a");
    for (int i = 0; i < 4; i++) {
        begin("b");
        work(5);
        end("b");
    }
    work(2);
    end("a");
    dump = snapshot();
    ck_assert_int_eq(dump->columns[WORK].sum[row_at(dump, "a/b")], 4 * (5 - 3));
    ck_assert_int_eq(dump->columns[WORK].min[row_at(dump, "a/b")], 2);
    ck_assert_int_eq(dump->columns[WORK].sum[row_at(dump, "a")], 22 - 3);
    ck_assert_int_eq(dump->columns[OTHER].sum[row_at(dump, "a")], 0);
    ck_assert_str_eq(pdump_dump_metadata(dump, "counters_overhead_per_visit"),
                     "work 3");
    pdump_dump_free(dump);
    recording.head->is_subtracted = 1;
    dump = snapshot();
    ck_assert_int_eq(dump->columns[WORK].sum[row_at(dump, "a")], 8);
    pdump_dump_free(dump);
    fake_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("adjust");
    TCase *tc = tcase_create("adjust");

    tcase_add_test(tc, visits_inside_are_subtracted);
    tcase_add_test(tc, nothing_falls_below_zero_or_what_is_inside);
    tcase_add_test(tc, a_first_visit_that_is_still_open_has_no_min);
    tcase_add_test(tc, estimates_inside_are_made_to_fit);
    tcase_add_test(tc, a_snapshot_subtracts_if_asked_to);
    tcase_add_test(tc, visits_without_counters_have_a_cost_of_their_own);
    tcase_add_test(tc, visits_of_another_kind_have_its_cost);
    tcase_add_test(tc, cpu_time_is_never_more_than_time);
    tcase_add_test(tc, counters_are_without_what_reading_them_adds);
    suite_add_tcase(suite, tc);
    return fake_run(suite);
}
