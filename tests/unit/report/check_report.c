/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports of small dumps made by hand. */
#include "view_kit.h"

#include "report/report.h"
#include "report/report_number.h"
#include "report/report_text.h"
#include "write/sink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What the report prints, in memory. */
static char *print(int width, bool has_color)
{
    struct pdump_report_options options = { .width = width,
                                            .has_color = has_color };
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);

    ck_assert_int_eq(pdump_report_print(f, view, &options), PDUMP_OK);
    fclose(f);
    return text;
}

START_TEST(missing_values_are_dashes)
{
    char *text;

    setenv("LC_ALL", "C", 1);
    start();
    row(new_thread(), node(node(-1, "ghost"), "child"), 1, INT64_MAX - 1);
    look();
    text = print(80, false);
    ck_assert_ptr_nonnull(strstr(text, "ghost "));
    ck_assert_ptr_nonnull(strstr(text, " - "));
    free(text);
    finish();
}
END_TEST

START_TEST(a_gauge_shows_its_highest)
{
    char *text;

    start();
    set(row(new_thread(), node(-1, "a"), 4, 10), RSS, 2000000);
    set(row(new_thread(), node(-1, "a"), 4, 10), RSS, 3000000);
    look();
    text = print(0, false);
    ck_assert_ptr_nonnull(strstr(text, "3.00 MB"));
    ck_assert_ptr_null(strstr(text, "5.00 MB"));
    free(text);
    finish();
}
END_TEST

/* Deeper than any C stack would allow a recursive function. */
START_TEST(deep_trees_are_shown)
{
    int at = -1, thread;
    char *text;

    start();
    thread = new_thread();
    for (int i = 0; i < 20000; i++) {
        at = node(at, i % 2 ? "even" : "odd");
        row(thread, at, 1, 40000 - i);
    }
    look();
    ck_assert_int_eq(view->n_shown, 20000);
    text = print(80, false);
    ck_assert_ptr_nonnull(strstr(text, "[19999] even"));
    free(text);
    pdump_view_free(view);
    how.is_flat = true;
    look();
    ck_assert_int_eq(time_of("odd")->sum, 40000);
    finish();
}
END_TEST

START_TEST(an_empty_dump_has_a_report)
{
    char *text;

    start();
    look();
    text = print(80, false);
    ck_assert_ptr_nonnull(strstr(text, "No region was recorded."));
    free(text);
    finish();
}
END_TEST

/* Longest line of `text` in bytes; the C locale makes them columns. */
static size_t widest(const char *text)
{
    size_t most = 0;

    for (; *text != '\0'; text += strspn(text, "\n")) {
        size_t len = strcspn(text, "\n");

        most = len > most ? len : most;
        text += len;
    }
    return most;
}

START_TEST(report_fits_the_page)
{
    char name[3000];
    static const int widths[] = { 40, 60, 80, 100, 132, 200 };

    setenv("LC_ALL", "C", 1);
    two_threads();
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    set(row(new_thread(), node(-1, name), 1, 500), CYCLES, 12345678);
    pdump_builder_metadata(builder, "command", name);
    pdump_builder_warning(builder, name, 1);
    look();
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
        char *text = print(widths[i], false);

        ck_assert_uint_le(widest(text), widths[i]);
        ck_assert_ptr_nonnull(strstr(text, "x..x"));
        free(text);
    }
    finish();
}
END_TEST

START_TEST(report_without_limit_shows_everything)
{
    char name[100], *text;

    setenv("LC_ALL", "C", 1);
    two_threads();
    memset(name, 'x', 99);
    name[99] = '\0';
    set(row(new_thread(), node(-1, name), 1, 500), CYCLES, 12345678);
    look();
    text = print(0, false);
    ck_assert_ptr_nonnull(strstr(text, name));
    ck_assert_ptr_nonnull(strstr(text, "max/thread"));
    ck_assert_ptr_nonnull(strstr(text, "12.3 M"));
    ck_assert_ptr_null(strstr(text, "No room"));
    free(text);
    finish();
}
END_TEST

START_TEST(report_never_sends_controls_to_a_terminal)
{
    char *text;

    start();
    row(new_thread(), node(-1, "a\nb\033[31m\x7f\t"), 1, 10);
    pdump_builder_warning(builder, "odd \033]0;title\007", 1);
    pdump_builder_metadata(builder, "command", "\033[2J");
    look();
    text = print(120, false);
    ck_assert_ptr_null(strchr(text, '\033'));
    ck_assert_ptr_null(strchr(text, '\007'));
    ck_assert_ptr_null(strchr(text, '\x7f'));
    ck_assert_ptr_nonnull(strstr(text, "a\\nb\\x1b[31m\\x7f\\t"));
    free(text);
    finish();
}
END_TEST

START_TEST(colour_is_only_what_is_asked)
{
    char *text;

    two_threads();
    look();
    text = print(80, true);
    ck_assert_ptr_nonnull(strstr(text, "\033[1;31msolve\033[0m"));
    free(text);
    finish();
}
END_TEST

START_TEST(guides_follow_the_locale)
{
    char *text;

    two_threads();
    look();
    setenv("LC_ALL", "C", 1);
    text = print(80, false);
    ck_assert_ptr_nonnull(strstr(text, "|- solve"));
    ck_assert_ptr_nonnull(strstr(text, "|  `- dot"));
    ck_assert_ptr_nonnull(strstr(text, "`- io"));
    free(text);
    setenv("LC_ALL", "C.UTF-8", 1);
    text = print(80, false);
    ck_assert_ptr_nonnull(strstr(text, "\u251c\u2500 solve"));
    free(text);
    finish();
}
END_TEST

START_TEST(marks_are_explained)
{
    char *text;
    int thread;

    start();
    thread = new_thread();
    row(thread, node(-1, "main"), 0, 500);
    row(thread, node(-1, "<overflow>"), 7, 5);
    pdump_builder_warning(builder, "something odd", 3);
    look();
    text = print(100, false);
    ck_assert_ptr_nonnull(strstr(text, "main (open)"));
    ck_assert_ptr_nonnull(strstr(text, "(open): had not ended"));
    ck_assert_ptr_nonnull(strstr(text, "<overflow>: regions beyond a limit"));
    ck_assert_ptr_nonnull(strstr(text, "warning: something odd (3 times)"));
    free(text);
    finish();
}
END_TEST

START_TEST(counters_of_short_visits_are_not_known)
{
    char *text;
    int thread;
    int64_t r;

    start();
    pdump_builder_metadata(builder, "counters_overhead_per_visit",
                           "PAPI_TOT_CYC 400, PAPI_TOT_INS 90");
    thread = new_thread();
    r = row(thread, node(-1, "short"), 1000, 500);
    set(r, CYCLES, 399999);
    set(r, INSTRUCTIONS, 93000);
    r = row(thread, node(-1, "long"), 1000, 90000);
    set(r, CYCLES, 400000);
    set(r, INSTRUCTIONS, 800000);
    look();
    text = print(120, false);
    ck_assert_ptr_null(strstr(text, "399"));
    ck_assert_ptr_nonnull(strstr(text, "93.0 k"));
    ck_assert_ptr_null(strstr(text, "0.23")); /* IPC of both */
    ck_assert_ptr_nonnull(strstr(text, "400 k"));
    ck_assert_ptr_nonnull(strstr(text, "2.00"));
    ck_assert_ptr_nonnull(strstr(text, "?: not known"));
    free(text);
    finish();
}
END_TEST

START_TEST(a_timeline_is_mentioned)
{
    const struct pdump_event enter = { .time = 5 };
    const struct pdump_event lost = { .time = 6,
                                      .kind = PDUMP_EVENT_LOST,
                                      .value = 40 };
    char *text;

    start();
    row(new_thread(), node(-1, "a"), 1, 5);
    row(new_thread(), node(-1, "a"), 1, 5);
    pdump_builder_event(builder, 0, &enter);
    if (_i > 0)
        pdump_builder_event(builder, 0, &lost);
    if (_i > 0)
        pdump_builder_event(builder, 1, &enter);
    look();
    text = print(100, false);
    ck_assert_ptr_nonnull(
        strstr(text, _i ? "\ntimeline: 3 events on 2 threads, 40 lost\n"
                        : "\ntimeline: 1 event on 1 thread\n"));
    free(text);
    finish();
}
END_TEST

START_TEST(what_is_missing_is_told_first)
{
    struct pdump_dump_process process = { .host = "h", .command = "c" };
    struct pdump_dump_thread thread = { .name = "" };
    static const int ranks[] = { 0, 2, 5 };
    char *text;

    setenv("LC_ALL", "C", 1);
    start();
    for (int i = 0; i < 3; i++) {
        int64_t r;

        process.rank = ranks[i];
        thread.process = pdump_builder_process(builder, &process);
        r = row(pdump_builder_thread(builder, &thread), node(-1, "a"), 10,
                1000);
        if (i == 1)
            set(r, CYCLES, 7);
    }
    pdump_builder_metadata(builder, "ranks", "2000000000");
    pdump_builder_metadata(builder, "overhead_ns_per_visit", "25");
    pdump_builder_warning(builder, "something odd", 1);
    look();
    text = print(100, false);
    ck_assert_ptr_nonnull(strstr(
        text, "3 of 2000000000 ranks (0,2,5), 3 threads, overhead "
              "25.0 %\n"
              "\n"
              "warning: something odd\n"
              "warning: ranks 1,3,4,6-1999999999 of 2000000000 are not here: "
              "figures are those of the others\n"
              "warning: PAPI_TOT_CYC was not counted by ranks 0,5\n"
              "warning: measuring took about 25 ns per visit, 25 % of the "
              "time: short "
              "regions look longer than they\n"
              "  are\n"
              "\n"
              "region"));
    free(text);
    finish();
}
END_TEST

START_TEST(the_hot_path_is_named_as_far_as_it_is_shown)
{
    int at = -1, thread;
    char *text, name[16];

    setenv("LC_ALL", "C", 1);
    start();
    thread = new_thread();
    for (int i = 0; i < 12; i++) {
        snprintf(name, sizeof(name), "r%d", i);
        at = node(at, name);
        row(thread, at, 1, 1000);
    }
    look();
    text = print(0, false);
    ck_assert_ptr_nonnull(strstr(text, "Hot path: r0 (100.0 %) > r1 (100.0 %) "
                                       "> r2 (100.0 %) > r3 (100.0 %) >"));
    ck_assert_ptr_nonnull(strstr(text, "(4 more) > r8"));
    ck_assert_ptr_nonnull(strstr(text, "r11 (100.0 %).\n"));
    free(text);
    for (int width = 40; width < 120; width++) {
        text = print(width, false); /* a number and its % stay together */
        ck_assert_ptr_null(strstr(text, "\n  %"));
        free(text);
    }
    pdump_view_free(view);
    how.depth = 2;
    look();
    text = print(0, false);
    ck_assert_ptr_nonnull(
        strstr(text, "Hot path: r0 (100.0 %) > r1 (100.0 %).\n"));
    free(text);
    finish();
}
END_TEST

START_TEST(long_names_of_the_hot_path_are_cut)
{
    char name[140] = "x", *text, *end;
    int thread, top;

    setenv("LC_ALL", "C.UTF-8", 1);
    start();
    thread = new_thread();
    for (int i = 0; i < 60; i++)
        strcat(name, "\u00e4");
    top = node(-1, name);
    row(thread, top, 1, 1000);
    row(thread, node(top, "inner"), 1, 1000);
    look();
    text = print(0, false);
    end = strstr(text, "... (100.0 %) > inner (100.0 %).\n");
    ck_assert_ptr_nonnull(end);
    ck_assert_int_eq(strncmp(end - 2, "\u00e4", 2), 0); /* a whole one */
    free(text);
    finish();
}
END_TEST

START_TEST(text_sink_writes_a_report)
{
    char path[] = "check_view.XXXXXX", line[200] = "";
    int fd = mkstemp(path);
    FILE *f;

    ck_assert_int_ge(fd, 0);
    two_threads();
    pdump_builder_metadata(builder, "command", "./prog 1 2");
    look();
    ck_assert_str_eq(pdump_sink_text.parts[0].suffix, ".txt");
    ck_assert_int_eq(pdump_sink_write(&pdump_sink_text.parts[0], dump, path),
                     PDUMP_OK);
    ck_assert_int_eq(
        pdump_sink_write(&pdump_sink_text.parts[0], dump, "/nonexistent/x.txt"),
        PDUMP_EIO);
    ck_assert_int_eq(
        pdump_sink_write(&pdump_sink_text.parts[0], dump, "/dev/full"),
        PDUMP_EIO);
    f = fdopen(fd, "r");
    ck_assert_ptr_nonnull(fgets(line, sizeof(line), f));
    ck_assert_str_eq(line, "./prog 1 2\n");
    fclose(f);
    unlink(path);
    finish();
}
END_TEST

static const struct figure {
    double value;
    const char *unit;
    const char *text;
} figures[] = {
    { 0, "ns", "0" },
    { 7, "ns", "7 ns" },
    { 12345678, "ns", "12.3 ms" },
    { 999.7, "ns", "1.00 us" },
    { 999600000, "ns", "1.00 s" },
    { 3.7e12, "ns", "3700 s" },
    { 12, "1", "12" },
    { 4560000, "1", "4.56 M" },
    { -12345, "1", "-12.3 k" },
    { 2048, "B", "2.05 kB" },
    { 97.34, "%", "97.3 %" },
    { 0.001, "%", "<0.1 %" },
    { 2, "ratio", "2.00" },
    { 1.5e9, "FLOP/s", "1.50 GFLOP/s" },
    { 9.999, "1", "10.0" },
    { NAN, "1", "-" },
};

START_TEST(figures_have_three_digits)
{
    char buf[48];

    ck_assert_str_eq(pdump_report_number_text(figures[_i].value,
                                              figures[_i].unit, false, buf),
                     figures[_i].text);
}
END_TEST

START_TEST(bad_utf8_is_shown_as_bytes)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);

    ck_assert_int_eq(
        pdump_report_text_put(f, "\xc0\xaf\xed\xa0\x80z", 6, 80, true), 21);
    fclose(f);
    ck_assert_str_eq(text, "\\xc0\\xaf\\xed\\xa0\\x80z");
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report");
    TCase *tests = tcase_create("report");

    suite_add_tcase(suite, tests);
    tcase_add_test(tests, missing_values_are_dashes);
    tcase_add_test(tests, a_gauge_shows_its_highest);
    tcase_add_test(tests, deep_trees_are_shown);
    tcase_add_loop_test(tests, a_timeline_is_mentioned, 0, 2);
    tcase_add_test(tests, an_empty_dump_has_a_report);
    tcase_add_test(tests, report_fits_the_page);
    tcase_add_test(tests, report_without_limit_shows_everything);
    tcase_add_test(tests, report_never_sends_controls_to_a_terminal);
    tcase_add_test(tests, colour_is_only_what_is_asked);
    tcase_add_test(tests, guides_follow_the_locale);
    tcase_add_test(tests, marks_are_explained);
    tcase_add_test(tests, counters_of_short_visits_are_not_known);
    tcase_add_test(tests, what_is_missing_is_told_first);
    tcase_add_test(tests, the_hot_path_is_named_as_far_as_it_is_shown);
    tcase_add_test(tests, long_names_of_the_hot_path_are_cut);
    tcase_add_test(tests, text_sink_writes_a_report);
    tcase_add_loop_test(tests, figures_have_three_digits, 0,
                        (int)(sizeof(figures) / sizeof(figures[0])));
    tcase_add_test(tests, bad_utf8_is_shown_as_bytes);
    return suite_run(suite);
}
