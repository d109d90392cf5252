/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump diff: what is a change, and what is noise. */
#include "tools/pdump/diff/compare.h"
#include "tools/pdump/diff/significance.h"
#include "dump/builder.h"
#include "suite.h"

#include <check.h>
#include <math.h>

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-4;
}

/* From tables of the test. */
START_TEST(ranks_are_tested_exactly)
{
    const double low[] = { 1, 2, 3, 4, 5 }, high[] = { 6, 7, 8, 9, 10 };
    const double mixed[] = { 1, 2, 4, 5, 8 }, others[] = { 3, 6, 7, 9, 10 };

    ck_assert(is_near(significance_ranks(low, 4, high, 4), 2.0 / 70));
    ck_assert(is_near(significance_ranks(high, 5, low, 5), 2.0 / 252));
    ck_assert(is_near(significance_ranks(low, 3, high, 3), 0.1));
    ck_assert(is_near(significance_ranks(mixed, 5, others, 5), 0.1508));
    ck_assert(is_near(significance_ranks(others, 5, mixed, 5), 0.1508));
    ck_assert_double_eq(significance_ranks(low, 0, high, 5), 1);
    ck_assert(is_near(significance_least(4, 4), 2.0 / 70));
    ck_assert(is_near(significance_least(3, 5), 2.0 / 56));
    ck_assert_double_eq(significance_least(1, 1), 1);
}
END_TEST

START_TEST(equal_values_are_no_difference)
{
    const double a[] = { 5, 5, 5, 5, 5 }, b[] = { 5, 5, 5, 5, 5 };
    double many[60], more[60];

    ck_assert_double_eq(significance_ranks(a, 5, b, 5), 1);
    for (int i = 0; i < 60; i++) {
        many[i] = i;
        more[i] = i + 40;
    }
    ck_assert(significance_ranks(many, 60, more, 60) < 1e-6);
    ck_assert(significance_ranks(many, 60, many, 60) > 0.99);
}
END_TEST

START_TEST(means_are_compared_with_their_errors)
{
    ck_assert(is_near(significance_means(10, 1, 10, 1), 1));
    ck_assert(is_near(significance_means(0, 3, 1.96 * 5, 4), 0.05));
    ck_assert_double_eq(significance_means(1, 0, 2, 0), 0);
    ck_assert_double_eq(significance_means(1, NAN, 2, 1), 1);
}
END_TEST

START_TEST(the_median_is_in_the_middle)
{
    double odd[] = { 9, 1, 5 }, even[] = { 4, 1, 3, 2 };

    ck_assert_double_eq(significance_median(odd, 3), 5);
    ck_assert_double_eq(significance_median(even, 4), 2.5);
    ck_assert(isnan(significance_median(odd, 0)));
}
END_TEST

/* main { NAME }, with so many visits of NAME, that long each, and a spread; if
 * `so_far` is not 0, one more has not ended. */
static struct pdump_dump *open_run_of(const char *name, int visits,
                                      int64_t each, double spread,
                                      int64_t so_far)
{
    struct pdump_builder *b;
    struct pdump_dump *dump;
    int main_node, node, thread, process;
    int64_t row;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    pdump_builder_metric(
        b, &(struct pdump_dump_metric){ .name = "time", .unit = "ns" });
    main_node = pdump_builder_node(
        b, -1,
        pdump_builder_region(b, &(struct pdump_dump_region){ .name = "main" }));
    node = pdump_builder_node(
        b, main_node,
        pdump_builder_region(b, &(struct pdump_dump_region){ .name = name }));
    process = pdump_builder_process(b, &(struct pdump_dump_process){ 0 });
    thread = pdump_builder_thread(
        b, &(struct pdump_dump_thread){ .process = process });
    row = pdump_builder_row(b, thread, main_node, 1, false);
    pdump_builder_value(b, row, 0, 1000000, 1000000, 1000000, 1e12);
    row = pdump_builder_row(b, thread, node, visits, so_far != 0);
    pdump_builder_value(b, row, 0, visits * each + so_far, each, each,
                        visits *
                            ((double)each * (double)each + spread * spread));
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_builder_free(b);
    return dump;
}

static struct pdump_dump *run_of(const char *name, int visits, int64_t each,
                                 double spread)
{
    return open_run_of(name, visits, each, spread, 0);
}

/* The line of a region that is not "main". */
static const struct compare_line *line_of(const struct compare *c,
                                          const char *name)
{
    for (int i = 0; i < c->n_lines; i++) {
        int region = c->tree->nodes[c->lines[i].node].region;

        if (strcmp(c->tree->regions[region].name, name) == 0)
            return &c->lines[i];
    }
    ck_abort_msg("no line for %s", name);
    return NULL;
}

static enum compare_verdict verdict(struct pdump_dump **dumps, int a, int b,
                                    double *change)
{
    struct compare c;
    enum compare_verdict verdict;
    const int n[2] = { a, b };

    ck_assert_int_eq(compare_make(dumps, n, "time", &c), PDUMP_OK);
    verdict = line_of(&c, "solve")->verdict;
    *change = line_of(&c, "solve")->change;
    compare_free(&c);
    for (int i = 0; i < a + b; i++)
        pdump_dump_free(dumps[i]);
    return verdict;
}

START_TEST(one_run_is_judged_by_its_visits)
{
    struct pdump_dump *clear[] = { run_of("solve", 100, 1000, 50),
                                   run_of("solve", 50, 1100, 50) };
    struct pdump_dump *noisy[] = { run_of("solve", 100, 1000, 900),
                                   run_of("solve", 100, 1100, 900) };
    struct pdump_dump *few[] = { run_of("solve", 5, 1000, 5),
                                 run_of("solve", 5, 1100, 5) };
    double change;

    ck_assert_int_eq(verdict(clear, 1, 1, &change), COMPARE_MORE);
    ck_assert(is_near(change, 0.1));
    ck_assert_int_eq(verdict(noisy, 1, 1, &change), COMPARE_SAME);
    ck_assert_int_eq(verdict(few, 1, 1, &change), COMPARE_UNKNOWN);
}
END_TEST

START_TEST(several_runs_are_judged_by_their_ranks)
{
    static const int64_t before[] = { 1000, 1010, 990, 1005 };
    static const int64_t less[] = { 900, 905, 910, 915 };
    static const int64_t mixed[] = { 995, 1020, 1003, 980 };
    struct pdump_dump *a[8], *b[8], *c[4];
    double change;

    for (int i = 0; i < 4; i++) {
        a[i] = run_of("solve", 10, before[i], 1);
        a[4 + i] = run_of("solve", 10, less[i], 1);
        b[i] = run_of("solve", 10, before[i], 1);
        b[4 + i] = run_of("solve", 10, mixed[i], 1);
        c[i] = run_of("solve", 10, i < 2 ? before[i] : less[i], 1);
    }
    ck_assert_int_eq(verdict(a, 4, 4, &change), COMPARE_LESS);
    ck_assert(is_near(change, 907.5 / 1002.5 - 1));
    ck_assert_int_eq(verdict(b, 4, 4, &change), COMPARE_SAME);
    ck_assert_int_eq(verdict(c, 2, 2, &change), COMPARE_UNKNOWN);
}
END_TEST

/* It would be 50 % more if only the visits that had ended were counted. */
START_TEST(a_visit_that_had_not_ended_is_one)
{
    struct pdump_dump *one[] = { run_of("solve", 100, 1000, 50),
                                 open_run_of("solve", 100, 1000, 2000, 50000) };
    struct pdump_dump *several[8];
    double change;

    ck_assert_int_eq(verdict(one, 1, 1, &change), COMPARE_UNKNOWN);
    ck_assert(is_near(change, 150.0 / 101 - 1));
    for (int i = 0; i < 8; i++)
        several[i] = open_run_of("solve", 0, 0, 0, (i < 4 ? 1000 : 3000) + i);
    ck_assert_int_eq(verdict(several, 4, 4, &change), COMPARE_MORE);
    ck_assert(is_near(change, 3005.5 / 1001.5 - 1));
}
END_TEST

START_TEST(regions_come_and_go)
{
    struct pdump_dump *dumps[] = { run_of("old", 10, 1000, 1),
                                   run_of("new", 20, 3000, 1) };
    const int n[2] = { 1, 1 };
    struct compare c;

    ck_assert_int_eq(compare_make(dumps, n, "time", &c), PDUMP_OK);
    ck_assert_int_eq(c.n_lines, 3);
    ck_assert_int_eq(line_of(&c, "old")->verdict, COMPARE_GONE);
    ck_assert_int_eq(line_of(&c, "new")->verdict, COMPARE_NEW);
    ck_assert_double_eq(line_of(&c, "new")->impact, 60000);
    ck_assert_double_eq(line_of(&c, "old")->impact, -10000);
    ck_assert_ptr_eq(&c.lines[0], line_of(&c, "new")); /* the largest first */
    ck_assert_double_eq(c.total[0], 1e6);
    compare_free(&c);
    ck_assert_int_eq(compare_make(dumps, n, "PAPI_L1", &c), PDUMP_ENOENT);
    pdump_dump_free(dumps[0]);
    pdump_dump_free(dumps[1]);
}
END_TEST

/* main { solve } on two threads, the levels of whose visits are low and high.
 */
static struct pdump_dump *levels_of(int64_t low, int64_t high)
{
    struct pdump_builder *b;
    struct pdump_dump *dump;
    int region, node, process, thread;
    int64_t row;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    pdump_builder_metric(b, &(struct pdump_dump_metric){ .name = "rss",
                                                         .unit = "B",
                                                         .kind = PDUMP_GAUGE });
    region =
        pdump_builder_region(b, &(struct pdump_dump_region){ .name = "solve" });
    node = pdump_builder_node(b, -1, region);
    process = pdump_builder_process(b, &(struct pdump_dump_process){ 0 });
    for (int i = 0; i < 2; i++) {
        thread = pdump_builder_thread(
            b, &(struct pdump_dump_thread){ .process = process, .number = i });
        row = pdump_builder_row(b, thread, node, 100, false);
        pdump_builder_value(b, row, 0, 50 * (low + high), low, high - i,
                            50.0 * (double)(low * low + high * high));
    }
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_builder_free(b);
    return dump;
}

START_TEST(of_levels_the_highest_are_compared)
{
    struct pdump_dump *dumps[8];
    struct compare c;

    for (int i = 0; i < 8; i++)
        dumps[i] = levels_of(10, i < 4 ? 1000 : 3000);
    ck_assert_int_eq(compare_make(dumps + 3, (int[]){ 1, 1 }, "rss", &c),
                     PDUMP_OK);
    ck_assert_double_eq(c.total[0], 1000);
    ck_assert_double_eq(c.total[1], 3000);
    ck_assert_double_eq(c.lines[0].side[0].each, 1000);
    ck_assert_double_eq(c.lines[0].impact, 2000);
    ck_assert_double_eq(c.lines[0].change, 2);
    ck_assert_int_eq(c.lines[0].verdict, COMPARE_UNKNOWN);
    compare_free(&c);
    ck_assert_int_eq(compare_make(dumps, (int[]){ 4, 4 }, "rss", &c), PDUMP_OK);
    ck_assert_int_eq(c.lines[0].verdict, COMPARE_MORE);
    compare_free(&c);
    for (int i = 0; i < 8; i++)
        pdump_dump_free(dumps[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("compare");
    TCase *tcase = tcase_create("compare");

    tcase_add_test(tcase, ranks_are_tested_exactly);
    tcase_add_test(tcase, equal_values_are_no_difference);
    tcase_add_test(tcase, means_are_compared_with_their_errors);
    tcase_add_test(tcase, the_median_is_in_the_middle);
    tcase_add_test(tcase, one_run_is_judged_by_its_visits);
    tcase_add_test(tcase, several_runs_are_judged_by_their_ranks);
    tcase_add_test(tcase, a_visit_that_had_not_ended_is_one);
    tcase_add_test(tcase, regions_come_and_go);
    tcase_add_test(tcase, of_levels_the_highest_are_compared);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
