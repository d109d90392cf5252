/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures over ranks: from rows, from statistics, selected and merged. */
#include "ranks_kit.h"

#include "dump/merge.h"
#include "dump/select_ranks.h"
#include "suite.h"

#include <math.h>

enum { VISITS = 4 }; /* after the metrics of the kit */

static void same(const struct pdump_dump_rank_stat *stat, int64_t n,
                 int64_t sum, int64_t min, int64_t max, int at_min, int at_max)
{
    ck_assert_int_eq(stat->n, n);
    ck_assert_int_eq(stat->sum, sum);
    ck_assert_int_eq(stat->min, min);
    ck_assert_int_eq(stat->max, max);
    ck_assert_int_eq(stat->rank_of_min, at_min);
    ck_assert_int_eq(stat->rank_of_max, at_max);
}

START_TEST(threads_are_summed_within_a_rank)
{
    four_ranks();
    look_over(TIME);
    same(stats_of("solve", TIME), 4, 120, 10, 60, 0, 3);
    ck_assert_double_eq(stats_of("solve", TIME)->sumsq, 100 + 400 + 900 + 3600);
    ck_assert_double_eq(pdump_rank_stat_mean(stats_of("solve", TIME)), 30);
    ck_assert_double_eq(pdump_rank_stat_imbalance(stats_of("solve", TIME)), 1);
    ck_assert_double_eq_tol(pdump_rank_stat_stddev(stats_of("solve", TIME)),
                            sqrt(350), 1e-12);
    same(stats_of("solve", VISITS), 4, 24, 6, 6, 0, 0);
    ck_assert_int_eq(over->n, 4);
    finish_over();
}
END_TEST

START_TEST(a_region_that_some_ranks_miss_is_counted)
{
    four_ranks();
    look_over(TIME);
    same(stats_of("io", TIME), 3, 18, 4, 8, 1, 0);
    same(stats_of("io", VISITS), 3, 4, 0, 2, 1, 0);
    ck_assert_double_eq_tol(pdump_rank_stat_imbalance(stats_of("io", TIME)),
                            8.0 / 6 - 1, 1e-12);
    ck_assert_int_eq(over->values[find("io") * 4 + 2], PDUMP_MISSING);
    ck_assert_int_eq(over->values[find("io") * 4 + 3], 6);
    ck_assert_int_eq(stats_of("io", CYCLES)->n, 0);
    finish_over();
}
END_TEST

START_TEST(of_a_gauge_the_highest_counts)
{
    int process, at;

    start();
    at = node(-1, "a");
    process = new_process(0, "h", "c");
    set(row(thread_of(process, 0), at, 4, 10), RSS, 200);
    set(row(thread_of(process, 1), at, 4, 10), RSS, 300);
    set(row(thread_of(new_process(1, "h", "c"), 0), at, 4, 10), RSS, 500);
    look_over(RSS);
    same(stats_of("a", RSS), 2, 800, 300, 500, 0, 1);
    ck_assert_int_eq(over->values[0], 300);
    finish_over();
}
END_TEST

START_TEST(flat_over_ranks_does_not_count_recursion_twice)
{
    int f, g;

    start();
    f = node(-1, "f");
    g = node(f, "g");
    for (int rank = 0; rank < 2; rank++) {
        int t = thread_of(new_process(rank, "h", "c"), 0);

        row(t, f, 1, 100 + rank);
        row(t, g, 1, 90);
        row(t, node(g, "f"), 1, 80);
        row(t, node(-1, "h"), 1, 20);
        row(t, node(node(-1, "h"), "f"), 1, 10);
    }
    how.is_flat = true;
    look_over(TIME);
    same(stats_of("f", TIME), 2, 221, 110, 111, 0, 1);
    same(stats_of("f", VISITS), 2, 6, 3, 3, 0, 0);
    finish_over();
}
END_TEST

START_TEST(a_rank_without_rows_is_still_one)
{
    start();
    row(thread_of(new_process(0, "h", "c"), 0), node(-1, "a"), 1, 10);
    row(thread_of(new_process(1, "h", "c"), 0), node(-1, "a"), 1, 20);
    new_process(2, "h", "c");
    look_over(TIME);
    ck_assert_int_eq(over->n, 3);
    same(stats_of("a", TIME), 2, 30, 10, 20, 0, 1);
    ck_assert(isnan(pdump_view_ranks_level(view, over, 0, 2, 3)));
    finish_over();
}
END_TEST

START_TEST(many_ranks_share_a_cell)
{
    int at;

    start();
    at = node(-1, "a");
    for (int rank = 0; rank < 1000; rank++)
        row(thread_of(new_process(rank, "h", "c"), 0), at, 1,
            rank == 777 ? 800 : 100);
    look_over(TIME);
    for (int cell = 0; cell < 16; cell++)
        ck_assert_double_eq(pdump_view_ranks_level(view, over, 0, cell, 16),
                            cell == 777 * 16 / 1000 ? 1 : 0.125);
    same(stats_of("a", TIME), 1000, 100700, 100, 800, 0, 777);
    ck_assert_double_eq_tol(pdump_rank_stat_imbalance(stats_of("a", TIME)),
                            800 / 100.7 - 1, 1e-12);
    finish_over();
}
END_TEST

START_TEST(one_rank_has_nothing_to_say)
{
    two_threads();
    look();
    ck_assert(!pdump_view_has_ranks(view));
    finish();
}
END_TEST

START_TEST(equal_ones_name_the_smallest_rank)
{
    struct pdump_dump_rank_stat forth = { 0 }, back = { 0 };

    for (int i = 0; i < 5; i++) {
        pdump_rank_stat_add(&forth, i, i == 4 ? 9 : 7);
        pdump_rank_stat_add(&back, 4 - i, i == 0 ? 9 : 7);
    }
    same(&forth, 5, 37, 7, 9, 0, 4);
    same(&back, 5, 37, 7, 9, 0, 4);
    pdump_rank_stat_add(&back, 5, PDUMP_MISSING);
    ck_assert_int_eq(back.n, 5);
}
END_TEST

START_TEST(odd_numbers_do_no_harm)
{
    struct pdump_dump_rank_stat stat = { 0 };

    ck_assert(isnan(pdump_rank_stat_mean(&stat)));
    ck_assert(isnan(pdump_rank_stat_stddev(&stat)));
    ck_assert(isnan(pdump_rank_stat_imbalance(&stat)));
    pdump_rank_stat_add(&stat, 0, 0);
    ck_assert(isnan(pdump_rank_stat_imbalance(&stat)));
    ck_assert_double_eq(pdump_rank_stat_stddev(&stat), 0);
    pdump_rank_stat_add(&stat, 1, INT64_MAX);
    pdump_rank_stat_add(&stat, 2, INT64_MAX);
    ck_assert_int_eq(stat.sum, INT64_MAX);
}
END_TEST

START_TEST(statistics_alone_make_a_view)
{
    only_stats();
    look_over(TIME);
    ck_assert_int_eq(dump->n_rows, 0);
    ck_assert_int_eq(view->n_shown, 3);
    ck_assert_int_eq(over->n, 5000);
    ck_assert_int_eq(time_of("solve")->sum, 2500000);
    ck_assert_int_eq(time_of("main")->self, 5000000 - 2500000 - 400);
    ck_assert_int_eq(view->totals[TIME], 5000000);
    ck_assert_int_eq(view->items[find("solve")].visits, 50000);
    ck_assert_double_eq(pdump_view_percent(view, find("solve")), 50);
    same(stats_of("solve", TIME), 5000, 2500000, 300, 750, 17, 4321);
    ck_assert_int_eq(stats_of("io", VISITS)->n, 4);
    finish_over();
}
END_TEST

/* The rows of two ranks are a sample, not the whole. */
START_TEST(statistics_count_where_rows_are_of_some_ranks)
{
    only_stats();
    row(thread_of(new_process(7, "h", "c"), 0), 0, 1, 900);
    row(thread_of(new_process(9, "h", "c"), 0), 0, 1, 950);
    new_process(11, "h", "c");
    look_over(TIME);
    ck_assert_int_eq(time_of("main")->sum, 5000000);
    ck_assert_int_eq(view->totals[TIME], 5000000);
    ck_assert_int_eq(over->n, 5000);
    ck_assert_int_eq(over->list.n, 2);
    ck_assert_int_eq(over->list.number[1], 9);
    ck_assert_int_eq(over->values[find("main") * 2 + 1], 950);
    /* Of the 1000 that some other rank has. */
    ck_assert_double_eq(pdump_view_ranks_level(view, over, 0, 1, 2), 0.95);
    finish_over();
}
END_TEST

/* x inside of a, inside of b, and inside of itself there. */
static void several_places(void)
{
    const struct pdump_dump_rank_stat stat = { 2, 30, 10, 20, 500, 0, 1 };
    int a, b;

    start();
    a = node(-1, "a");
    b = node(-1, "b");
    node(a, "x");
    node(node(b, "x"), "x");
    pdump_builder_metadata(builder, "ranks", "2");
    for (int i = 0; i < 5; i++)
        stat_of(TIME, i, stat);
    how.is_flat = true;
}

START_TEST(flat_statistics_do_not_invent_extremes)
{
    several_places();
    look_over(TIME);
    ck_assert_int_eq(time_of("x")->sum, 60);
    ck_assert_int_eq(stats_of("x", TIME)->n, 0);
    same(stats_of("a", TIME), 2, 30, 10, 20, 0, 1);
    finish_over();
}
END_TEST

START_TEST(derived_metrics_come_from_statistics)
{
    int at, other;

    start();
    at = node(-1, "a");
    other = node(-1, "b");
    stat_of(CYCLES, at, (struct pdump_dump_rank_stat){ .n = 8, .sum = 100 });
    stat_of(INSTRUCTIONS, at,
            (struct pdump_dump_rank_stat){ .n = 8, .sum = 250 });
    stat_of(CYCLES, other, (struct pdump_dump_rank_stat){ .n = 8, .sum = 100 });
    stat_of(INSTRUCTIONS, other,
            (struct pdump_dump_rank_stat){ .n = 7, .sum = 250 });
    look();
    ck_assert_str_eq(view->derived[0].recipe->name, "IPC");
    ck_assert_double_eq(view->figures[find("a") * view->n_derived], 2.5);
    ck_assert(isnan(view->figures[find("b") * view->n_derived]));
    finish();
}
END_TEST

START_TEST(ranks_are_listed_in_short)
{
    int numbers[] = { 0, 1, 2, 5, 8, 9, 100 };
    struct pdump_ranks ranks = { .n = 7, .number = numbers };
    char buf[32];

    ck_assert_str_eq(pdump_ranks_text(&ranks, buf, sizeof(buf)),
                     "0-2,5,8,9,100");
    ck_assert_str_eq(pdump_ranks_text(&ranks, buf, 12), "0-2,5,...");
    ranks.n = 0;
    ck_assert_str_eq(pdump_ranks_text(&ranks, buf, sizeof(buf)), "");
}
END_TEST

START_TEST(a_selection_has_only_its_ranks)
{
    const struct pdump_select_range ranges[] = { { 3, 9 }, { 1, 1 } };
    struct pdump_dump *all;

    four_ranks();
    pdump_builder_sample(builder, &(struct pdump_dump_sample){ 0, 1, 5, 6 },
                         (int64_t[]){ 1, 2, 3, 4 });
    pdump_builder_sample(builder, &(struct pdump_dump_sample){ 2, 1, 7, 8 },
                         (int64_t[]){ 5, 6, 7, 8 });
    pdump_builder_metadata(builder, "ranks", "4");
    pdump_builder_warning(builder, "odd", 2);
    ck_assert_int_eq(pdump_builder_finish(builder, &all), PDUMP_OK);
    pdump_builder_free(builder);
    ck_assert_int_eq(pdump_select_ranks(all, ranges, 2, &dump), PDUMP_OK);
    pdump_dump_free(all);
    look_over(TIME);
    ck_assert_int_eq(dump->n_processes, 2);
    ck_assert_int_eq(dump->n_threads, 3);
    ck_assert_int_eq(dump->n_rows, 8);
    ck_assert_int_eq(dump->n_nodes, 3);
    ck_assert_int_eq(dump->n_warnings, 1);
    ck_assert_int_eq(dump->n_samples, 1);
    ck_assert_int_eq(dump->samples[0].number, 5);
    ck_assert_int_eq(dump->sample_values[3][0], 4);
    same(stats_of("solve", TIME), 2, 80, 20, 60, 1, 3);
    ck_assert_int_eq(pdump_ranks_of_job(dump, &over->list), 4);
    finish_over();
}
END_TEST

static struct pdump_dump *finished(void)
{
    struct pdump_dump *made;

    ck_assert_int_eq(pdump_builder_finish(builder, &made), PDUMP_OK);
    pdump_builder_free(builder);
    return made;
}

/* b { x } a, with other numbers than below. */
static struct pdump_dump *first_job(void)
{
    int b;

    start();
    b = node(-1, "b");
    pdump_builder_metadata(builder, "ranks", "2");
    stat_of(TIME, node(b, "x"),
            (struct pdump_dump_rank_stat){ 2, 30, 10, 20, 500, 0, 1 });
    stat_of(-1, b, (struct pdump_dump_rank_stat){ 2, 2, 1, 1, 2, 0, 0 });
    return finished();
}

static struct pdump_dump *second_job(bool has_stats)
{
    int a, b;

    start();
    a = node(-1, "a");
    b = node(-1, "b");
    b = node(b, "x");
    pdump_builder_metadata(builder, "ranks", "3");
    if (has_stats) {
        stat_of(TIME, b,
                (struct pdump_dump_rank_stat){ 3, 66, 5, 50, 2646, 2, 1 });
        stat_of(TIME, a, (struct pdump_dump_rank_stat){ 1, 7, 7, 7, 49, 2, 2 });
    }
    return finished();
}

static const struct pdump_dump_rank_stat *at_path(int metric, const char *path)
{
    char text[64];

    for (int i = 0; i < dump->n_nodes; i++) {
        pdump_dump_node_path(dump, i, text, sizeof(text));
        if (strcmp(text, path) == 0)
            return &dump->stats[metric][i];
    }
    ck_abort_msg("no node %s", path);
    return NULL;
}

static void merge(struct pdump_dump *first, struct pdump_dump *second)
{
    struct pdump_dump *both[] = { first, second };

    ck_assert_int_eq(pdump_merge(both, 2, &dump), PDUMP_OK);
    pdump_dump_free(first);
    pdump_dump_free(second);
}

START_TEST(merging_adds_statistics)
{
    merge(second_job(true), first_job());
    same(at_path(TIME, "b/x"), 5, 96, 5, 50, 2, 1);
    ck_assert_double_eq(at_path(TIME, "b/x")->sumsq, 3146);
    same(at_path(TIME, "a"), 1, 7, 7, 7, 2, 2);
    same(at_path(VISITS, "b"), 2, 2, 1, 1, 0, 0);
    ck_assert_int_eq(at_path(CYCLES, "a")->n, 0);
    ck_assert_str_eq(pdump_dump_metadata(dump, "ranks"), "5");
    pdump_dump_free(dump);
}
END_TEST

START_TEST(merging_keeps_the_statistics_of_one)
{
    merge(second_job(false), first_job());
    same(at_path(TIME, "b/x"), 2, 30, 10, 20, 0, 1);
    ck_assert_int_eq(at_path(TIME, "a")->n, 0);
    ck_assert_str_eq(pdump_dump_metadata(dump, "ranks"), "2");
    pdump_dump_free(dump);
}
END_TEST

START_TEST(merging_makes_no_statistics)
{
    merge(second_job(false), second_job(false));
    ck_assert_ptr_null(dump->stats);
    ck_assert_str_eq(pdump_dump_metadata(dump, "ranks"), "3");
    pdump_dump_free(dump);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ranks");
    TCase *tests = tcase_create("ranks");

    suite_add_tcase(suite, tests);
    tcase_add_test(tests, threads_are_summed_within_a_rank);
    tcase_add_test(tests, a_region_that_some_ranks_miss_is_counted);
    tcase_add_test(tests, of_a_gauge_the_highest_counts);
    tcase_add_test(tests, flat_over_ranks_does_not_count_recursion_twice);
    tcase_add_test(tests, a_rank_without_rows_is_still_one);
    tcase_add_test(tests, many_ranks_share_a_cell);
    tcase_add_test(tests, one_rank_has_nothing_to_say);
    tcase_add_test(tests, equal_ones_name_the_smallest_rank);
    tcase_add_test(tests, odd_numbers_do_no_harm);
    tcase_add_test(tests, statistics_alone_make_a_view);
    tcase_add_test(tests, statistics_count_where_rows_are_of_some_ranks);
    tcase_add_test(tests, flat_statistics_do_not_invent_extremes);
    tcase_add_test(tests, derived_metrics_come_from_statistics);
    tcase_add_test(tests, ranks_are_listed_in_short);
    tcase_add_test(tests, a_selection_has_only_its_ranks);
    tcase_add_test(tests, merging_adds_statistics);
    tcase_add_test(tests, merging_keeps_the_statistics_of_one);
    tcase_add_test(tests, merging_makes_no_statistics);
    return suite_run(suite);
}
