/* SPDX-License-Identifier: BSD-3-Clause */
/* Which looks share a row, and what /proc tells. */
#include "session/rss_sampler.h"
#include "report/view/memory_series.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>
#include <unistd.h>

START_TEST(rows_are_in_order_and_bounded)
{
    uint64_t last = 0;
    bool is_good = true;

    for (uint64_t look = 0; look < 300000; look++) {
        uint64_t row = pdump_rss_sampler_row(look);

        is_good = is_good && (row == last || row == last + 1);
        last = row;
    }
    ck_assert(is_good);
    ck_assert_uint_gt(last, PDUMP_RSS_SAMPLER_FINE);
    ck_assert_uint_lt(pdump_rss_sampler_row(UINT64_MAX / 4),
                      PDUMP_RSS_SAMPLER_ROWS);
    ck_assert_uint_eq(pdump_rss_sampler_row(UINT64_MAX / 4),
                      PDUMP_RSS_SAMPLER_ROWS - 1);
}
END_TEST

START_TEST(the_first_rows_are_a_look_each)
{
    uint64_t fine = PDUMP_RSS_SAMPLER_FINE, n = PDUMP_RSS_SAMPLER_COARSE;

    ck_assert_uint_eq(pdump_rss_sampler_row(0), 0);
    ck_assert_uint_eq(pdump_rss_sampler_row(fine - 1), fine - 1);
    ck_assert_uint_eq(pdump_rss_sampler_row(fine), fine);
    ck_assert_uint_eq(pdump_rss_sampler_row(fine + 1), fine);
    ck_assert_uint_eq(pdump_rss_sampler_row(fine + 2), fine + 1);
    ck_assert_uint_eq(pdump_rss_sampler_row(fine + 2 * n), fine + n);
    ck_assert_uint_eq(pdump_rss_sampler_row(fine + 2 * n + 3), fine + n);
    ck_assert_uint_eq(pdump_rss_sampler_row(fine + 2 * n + 4), fine + n + 1);
}
END_TEST

START_TEST(processes_that_are_not_there_have_none)
{
    ck_assert_int_gt(pdump_rss_sampler_rss(getpid()), 0);
    ck_assert_int_eq(pdump_rss_sampler_rss(INT64_C(1) << 40), -1);
}
END_TEST

/* As they are, as a German program wrote them once, and no time. */
START_TEST(labels_tell_the_time_in_any_locale)
{
    const char *labels[] = { "0000000123.450 main/solve", "0000000007,250 in",
                             "0000000009", "more" };
    struct pdump_dump_detail_row rows[] = {
        { .label = 0 }, { .label = 1 }, { .label = 2 }, { .label = 3 }
    };
    int64_t values[] = { 1, 2, 3, 4 };
    struct pdump_dump_field field = { .name = "rss", .width = 1 };
    struct pdump_dump_detail detail = {
        .name = "memory",
        .fields = &field,
        .n_fields = 1,
        .n_values = 1,
        .labels = labels,
        .n_labels = 4,
        .rows = rows,
        .values = values,
        .n_rows = 4,
    };
    struct pdump_dump_thread thread = { .process = 0 };
    struct pdump_dump dump = { .details = &detail,
                               .n_details = 1,
                               .threads = &thread,
                               .n_threads = 1,
                               .n_processes = 1 };
    struct pdump_memory_series lines;

    ck_assert_int_eq(pdump_memory_series(&dump, &lines), 0);
    ck_assert_int_eq(lines.n, 1);
    ck_assert_int_eq(lines.lines[0].n, 3);
    ck_assert_double_eq_tol(lines.points[0].ms, 7.25, 1e-9);
    ck_assert_str_eq(lines.points[0].path, "in");
    ck_assert_double_eq_tol(lines.points[1].ms, 9, 1e-9);
    ck_assert_str_eq(lines.points[1].path, "");
    ck_assert_double_eq_tol(lines.points[2].ms, 123.45, 1e-9);
    ck_assert_str_eq(lines.points[2].path, "main/solve");
    pdump_memory_series_free(&lines);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("memory");
    TCase *t = tcase_create("memory");

    tcase_add_test(t, rows_are_in_order_and_bounded);
    tcase_add_test(t, the_first_rows_are_a_look_each);
    tcase_add_test(t, processes_that_are_not_there_have_none);
    tcase_add_test(t, labels_tell_the_time_in_any_locale);
    suite_add_tcase(s, t);
    return suite_run(s);
}
