/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports of several ranks, word by word. */
#include "ranks_kit.h"

#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>

static struct pdump_report_options options;

/* What the report prints, in memory. */
static char *print(int width)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);

    options.width = width;
    ck_assert_int_eq(pdump_report_print(f, view, &options), PDUMP_OK);
    fclose(f);
    return text;
}

/* The page, but for blanks at the ends of its lines. */
static void page_is(int width, const char *expected)
{
    char *text = print(width), *to = text;

    for (const char *from = text; *from; from++) {
        while (*from == '\n' && to > text && to[-1] == ' ')
            to--;
        *to++ = *from;
    }
    *to = '\0';
    ck_assert_str_eq(text, expected);
    free(text);
}

static void page_has(int width, const char *expected)
{
    char *text = print(width);

    ck_assert_msg(strstr(text, expected) != NULL, "no '%s' in\n%s", expected,
                  text);
    free(text);
}

static void page_lacks(int width, const char *unexpected)
{
    char *text = print(width);

    ck_assert_msg(strstr(text, unexpected) == NULL, "'%s' in\n%s", unexpected,
                  text);
    free(text);
}

/* clang-format off */
static const char four_page[] =
    "2 ranks a 1, 2 ranks b\n"
    "2 hosts (n1, n2), 4 ranks, 5 threads\n"
    "\n"
    "region                      %    mean     max  @rank  imb %      on     self\n"
    "----------------------------------------------------------------------------\n"
    "main          ########  100.0  100 ns  100 ns     @0      0     all  65.5 ns\n"
    "|- solve      ##         30.0   30 ns   60 ns     @3  100.0     all    30 ns\n"
    "`- io (open)              4.5    6 ns    8 ns     @0   33.3  3 of 4     6 ns\n"
    "\n"
    "(open): had not ended when the dump was written; the figures are those until\n"
    "  then, but counters that could not be read then are of visits that had ended,\n"
    "  or blank.\n";

static const char explained_page[] =
    "2 ranks a 1, 2 ranks b\n"
    "2 hosts (n1, n2), 4 ranks, 5 threads\n"
    "\n"
    "region                      %    mean     max  imb %     min  ranks  @min\n"
    "-------------------------------------------------------------------------\n"
    "main          ########  100.0  100 ns  100 ns      0  100 ns   ####    @0\n"
    "|- solve      ##         30.0   30 ns   60 ns  100.0   10 ns   :-=#    @0\n"
    "`- io (open)              4.5    6 ns    8 ns   33.3    4 ns   #= *    @1\n"
    "\n"
    "No room for time/visit (see --width and --columns).\n"
    "(open): had not ended when the dump was written; the figures are those until\n"
    "  then, but counters that could not be read then are of visits that had ended,\n"
    "  or blank.\n"
    "Times and counts are means over the ranks that have the region, each with the\n"
    "  sum over its threads; imb %: how much the max is above the mean.\n"
    "ranks: a sign for each of the ranks 0-3, its height relative to the max.\n";

static const char stats_page[] =
    "statistics of 5000 ranks\n"
    "\n"
    "region                  %     mean      max  @rank  imb %         on    self\n"
    "----------------------------------------------------------------------------\n"
    "main      ########  100.0  1.00 us  1.00 us     @0      0        all  500 ns\n"
    "|- solve  ####       50.0   500 ns   750 ns  @4321   50.0        all  500 ns\n"
    "`- io                <0.1   100 ns   160 ns  @4999   60.0  4 of 5000  100 ns\n"
    "\n"
    "Hot path: main (100.0 %) > solve (50.0 %).\n";

static const char by_rank_page[] =
    "2 ranks a 1, 2 ranks b\n"
    "2 hosts (n1, n2), 4 ranks, 5 threads\n"
    "\n"
    "region            %  rank 0  rank 1  rank 2  rank 3     min    mean     max\n"
    "---------------------------------------------------------------------------\n"
    "main          100.0  100 ns  100 ns  100 ns  100 ns  100 ns  100 ns  100 ns\n"
    "|- solve       30.0   10 ns   20 ns   30 ns   60 ns   10 ns   30 ns   60 ns\n"
    "`- io (open)    4.5    8 ns    4 ns    -       6 ns    4 ns    6 ns    8 ns\n"
    "\n"
    "(open): had not ended when the dump was written; the figures are those until\n"
    "  then, but counters that could not be read then are of visits that had ended,\n"
    "  or blank.\n";
/* clang-format on */

/* solve: mean of 10, 20, 30 and 60.  io: 8, 4 and 6, not on rank 2. */
START_TEST(four_ranks_on_a_page)
{
    four_ranks();
    look();
    page_is(80, four_page);
    finish();
}
END_TEST

START_TEST(what_the_columns_mean_is_told_on_request)
{
    static const char *const columns[] = {
        "Share", "mean", "max",        "imb",  "min",
        "ranks", "@min", "time/visit", "mean",
    };

    four_ranks();
    look();
    options = (struct pdump_report_options){ .has_all_notes = true,
                                             .columns = columns,
                                             .n_columns = 9 };
    page_is(80, explained_page);
    finish();
}
END_TEST

START_TEST(a_column_that_is_not_there_is_refused)
{
    static const char *const columns[] = { "mean", "slef" };
    FILE *f = fopen("/dev/null", "w");

    four_ranks();
    look();
    options =
        (struct pdump_report_options){ .columns = columns, .n_columns = 2 };
    ck_assert_int_eq(pdump_report_print(f, view, &options), PDUMP_ENOENT);
    ck_assert_str_eq(pdump_last_error(),
                     "there is no column \"slef\", but share, mean, max, "
                     "@rank, imb, on, self, visits, min, @min, stddev, ranks, "
                     "time/visit, TOT_CYC, TOT_INS, rss, IPC, clock rate");
    fclose(f);
    finish();
}
END_TEST

START_TEST(bars_are_blocks_where_they_can_be)
{
    four_ranks();
    look();
    options.is_wide = true;
    setenv("LC_ALL", "C.UTF-8", 1);
    page_has(0, "   \u2582\u2583\u2584\u2588  ");
    page_has(0, "   \u2588\u2584 \u2586  ");
    finish();
}
END_TEST

START_TEST(a_wide_page_has_all)
{
    four_ranks();
    look();
    page_lacks(0, "@min");
    options.is_wide = true;
    page_has(0, "min  @min ");
    page_has(0, "  60 ns     @3  100.0     all    30 ns       6 ");
    page_has(0, "  10 ns    @0  18.7 ns   :-=#        5 ns ");
    page_has(0, "   4 ns    @1  1.63 ns   #= *     3.60 ns ");
    page_lacks(0, "No room");
    options.has_all_notes = true;
    page_has(80, "No room for ");
    finish();
}
END_TEST

START_TEST(a_thousand_ranks_share_the_bar)
{
    int at;

    start();
    at = node(-1, "a");
    for (int rank = 0; rank < 1000; rank++)
        row(thread_of(new_process(rank, "h", "c"), 0), at, 1,
            rank == 777 ? 800 : 100);
    look();
    page_has(80, "h, 1000 ranks, 1000 threads\n");
    page_has(80, "a       ########  100.0  101 ns  800 ns   @777  694.4");
    options.is_wide = options.has_all_notes = true;
    page_has(96, "  ......#.");
    page_has(96, "0-999, a sign for 125 of them");
    page_has(0, "  ............#...  ");
    page_has(0, "0-999, a sign for 62 or more of them");
    page_lacks(0, " on ");
    finish();
}
END_TEST

START_TEST(statistics_alone_on_a_page)
{
    only_stats();
    look();
    page_is(80, stats_page);
    options.is_wide = true;
    page_has(0, "@min");
    page_has(0, " 300 ns   @17   100 ns ");
    page_lacks(0, "ranks  ");
    finish();
}
END_TEST

START_TEST(statistics_with_rows_of_some_ranks)
{
    only_stats();
    row(thread_of(new_process(7, "h", "c"), 0), 0, 1, 400);
    row(thread_of(new_process(9, "h", "c"), 0), 0, 1, 950);
    look();
    options.is_wide = options.has_all_notes = true;
    page_has(0, "h, statistics of 5000 ranks, rows of 2 (7,9)\n");
    page_has(0, "1.00 us  1.00 us     @0      0        all  500 ns       1 ");
    page_has(0, "1.00 us    @0     0        -#");
    page_has(0, "ranks: a sign for each of the ranks 7,9,");
    finish();
}
END_TEST

START_TEST(a_column_for_each_rank)
{
    four_ranks();
    look();
    options.by_rank = true;
    page_is(80, by_rank_page);
    options.has_all_notes = true;
    page_has(80, "time of each rank, the sum over its threads; min, mean and "
                 "max are over all\n  ranks that have it.\n");
    finish();
}
END_TEST

START_TEST(as_many_ranks_as_fit)
{
    four_ranks();
    look();
    options.by_rank = true;
    page_has(50, "region        rank 0     min    mean     max\n");
    page_has(50, "`- io (open)    8 ns    4 ns    6 ns    8 ns\n");
    page_has(50, "No room for ranks 1 to 3 (see --width and --rank).\n");
    page_has(67, "No room for rank 3 (see --width and --rank).\n");
    finish();
}
END_TEST

START_TEST(ranks_of_another_metric)
{
    struct pdump_report_metric wanted = { .index = RSS };

    start();
    for (int rank = 0; rank < 2; rank++)
        set(row(thread_of(new_process(rank, "h", "c"), 0), node(-1, "a"), 1, 1),
            RSS, (rank + 1) * 1000000);
    look();
    options = (struct pdump_report_options){ .by_rank = true,
                                             .has_all_notes = true,
                                             .metrics = &wanted,
                                             .n_metrics = 1 };
    page_has(80, "a       1.00 MB  2.00 MB  1.00 MB  1.50 MB  2.00 MB\n");
    page_has(80, "pdump::rss of each rank, the highest of its threads;");
    finish();
}
END_TEST

START_TEST(no_columns_of_ranks_without_rows)
{
    FILE *f = fopen("/dev/null", "w");

    only_stats();
    look();
    options.by_rank = true;
    ck_assert_int_eq(pdump_report_print(f, view, &options), PDUMP_ENOENT);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "5000 ranks only"));
    fclose(f);
    finish();
}
END_TEST

START_TEST(percentages_and_means_are_of_what_is_sorted_by)
{
    start();
    for (int rank = 0; rank < 2; rank++)
        set(row(thread_of(new_process(rank, "h", "c"), 0), node(-1, "a"), 1, 5),
            CYCLES, rank ? 300 : 100);
    how.key = CYCLES;
    look();
    page_has(80, "a       ########  100.0   200  300     @1   50.0  5 ns");
    page_has(80, "%, mean, max, imb %: of PAPI_TOT_CYC.\n");
    finish();
}
END_TEST

START_TEST(hosts_and_programs_are_named)
{
    char command[200];

    start();
    memset(command, 'x', sizeof(command));
    memcpy(command, "/bin/", 5);
    command[199] = '\0';
    for (int rank = 0; rank < 6; rank++) {
        char host[8], program[8];

        snprintf(host, sizeof(host), "n%d", rank);
        snprintf(program, sizeof(program), "p%d", rank);
        row(thread_of(new_process(rank, host, rank ? program : command), 0),
            node(-1, "a"), 1, 1);
    }
    pdump_builder_metadata(builder, "command", "of the first rank");
    pdump_builder_metadata(builder, "ranks", "8");
    look();
    page_has(0,
             "1 rank xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..., 1 rank p1, "
             "1 rank p2, 1 rank p3, and 2 more programs\n");
    page_has(0, "6 hosts (n0, n1, n2, ...), 6 of 8 ranks (0-5), 6 threads\n");
    finish();
}
END_TEST

START_TEST(a_forked_process_is_part_of_its_rank)
{
    struct pdump_dump_process child = { .rank = 1,
                                        .parent = 101,
                                        .command = "child" };
    int at;

    start();
    at = node(-1, "a");
    row(thread_of(pdump_builder_process(builder, &child), 0), at, 1, 7);
    row(thread_of(new_process(0, "h", "c"), 0), at, 1, 10);
    row(thread_of(new_process(1, "h", "c"), 0), at, 1, 3);
    look();
    page_has(80, "c\nh, 2 ranks, 3 processes, 3 threads\n");
    page_has(80, "a       ########  100.0  10 ns  10 ns     @0      0  10 ns");
    finish();
}
END_TEST

START_TEST(threads_of_ranks_stay_threads)
{
    four_ranks();
    how.by_thread = true;
    look();
    page_has(100, "thread 1 of process 103, rank 3");
    page_lacks(100, "imb %");
    finish();
}
END_TEST

START_TEST(every_width_is_kept)
{
    four_ranks();
    look();
    for (int width = 30; width < 200; width++)
        for (int by_rank = 0; by_rank < 2; by_rank++) {
            char *text, *line, *rest;

            options.by_rank = by_rank;
            rest = text = print(width);
            while ((line = strsep(&rest, "\n")) != NULL)
                ck_assert_int_le((int)strlen(line), width);
            free(text);
        }
    finish();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ranks_report");
    TCase *tests = tcase_create("ranks_report");

    setenv("LC_ALL", "C", 1);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, four_ranks_on_a_page);
    tcase_add_test(tests, bars_are_blocks_where_they_can_be);
    tcase_add_test(tests, a_wide_page_has_all);
    tcase_add_test(tests, what_the_columns_mean_is_told_on_request);
    tcase_add_test(tests, a_column_that_is_not_there_is_refused);
    tcase_add_test(tests, a_thousand_ranks_share_the_bar);
    tcase_add_test(tests, statistics_alone_on_a_page);
    tcase_add_test(tests, statistics_with_rows_of_some_ranks);
    tcase_add_test(tests, a_column_for_each_rank);
    tcase_add_test(tests, as_many_ranks_as_fit);
    tcase_add_test(tests, ranks_of_another_metric);
    tcase_add_test(tests, no_columns_of_ranks_without_rows);
    tcase_add_test(tests, percentages_and_means_are_of_what_is_sorted_by);
    tcase_add_test(tests, hosts_and_programs_are_named);
    tcase_add_test(tests, a_forked_process_is_part_of_its_rank);
    tcase_add_test(tests, threads_of_ranks_stay_threads);
    tcase_add_test(tests, every_width_is_kept);
    return suite_run(suite);
}
