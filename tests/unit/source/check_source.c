/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the sources: from what was asked for to what is counted. */
#include "source_kit.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>

START_TEST(blanks_and_empty_entries_do_not_count)
{
    ck_assert_int_eq(open_events("  pdump::rss ,\t,, pdump::cpu_time\n, "),
                     PDUMP_OK);
    ck_assert_int_eq(src.n_metrics, 3);
    ck_assert_str_eq(src.metric[1].name, "pdump::rss");
    ck_assert_str_eq(src.metric[2].name, "pdump::cpu_time");
    ck_assert_int_eq(n_warnings(), 0);
    pdump_sources_close(&src);
}
END_TEST

START_TEST(any_text_separates_events)
{
    ck_assert_int_eq(open_by("pdump::rss and pdump::cpu_time", "", "and"),
                     PDUMP_OK);
    ck_assert_int_eq(src.n_metrics, 3);
    pdump_sources_close(&src);
    ck_assert_int_eq(open_by("pdump::rss;pdump::cpu_time;", "", ";"), PDUMP_OK);
    ck_assert_int_eq(src.n_metrics, 3);
    pdump_sources_close(&src);
}
END_TEST

START_TEST(no_delimiter_means_one_event)
{
    ck_assert_int_eq(open_by("pdump::rss", "", ""), PDUMP_OK);
    ck_assert_int_eq(src.n_metrics, 2);
    pdump_sources_close(&src);
    ck_assert_int_eq(open_by("pdump::rss,pdump::cpu_time", "", ""),
                     PDUMP_ESOURCE);
}
END_TEST

START_TEST(repeated_events_are_counted_once)
{
    ck_assert_int_eq(open_events("pdump::rss,pdump::rss, pdump::rss"),
                     PDUMP_OK);
    ck_assert_int_eq(src.n_metrics, 2);
    pdump_sources_close(&src);
}
END_TEST

START_TEST(the_text_of_the_user_stays_whole)
{
    char events[] = "pdump::rss,no_such_event,pdump::cpu_time";
    char codes[] = "1,zwei,0x3";

    ck_assert_int_eq(open_by(events, codes, ","), PDUMP_OK);
    ck_assert_str_eq(events, "pdump::rss,no_such_event,pdump::cpu_time");
    ck_assert_str_eq(codes, "1,zwei,0x3");
    pdump_sources_close(&src);
}
END_TEST

START_TEST(time_comes_first_and_may_be_asked_for)
{
    ck_assert_int_eq(open_events("time"), PDUMP_OK);
    ck_assert_int_eq(src.n_metrics, 1);
    ck_assert_str_eq(src.metric[0].name, "time");
    ck_assert_str_eq(src.metric[0].unit, "ns");
    ck_assert_str_eq(src.metric[0].source, "clock");
    pdump_sources_close(&src);
}
END_TEST

START_TEST(none_is_time_only)
{
    ck_assert_int_eq(open_events(" none "), PDUMP_OK);
    ck_assert_int_eq(src.n_metrics, 1);
    ck_assert_int_eq(src.n, 0);
    ck_assert_ptr_nonnull(strstr(src.choice, "none"));
    ck_assert_int_eq(n_warnings(), 0);
    pdump_sources_close(&src);
}
END_TEST

START_TEST(an_unknown_event_is_named_and_the_rest_counted)
{
    ck_assert_int_eq(open_events("PAPI_NO_SUCH,pdump::rss"), PDUMP_OK);
    ck_assert_int_eq(src.n_metrics, 2);
    ck_assert_int_eq(n_warnings(), 1);
    ck_assert(was_warned_of("PAPI_NO_SUCH"));
    pdump_sources_close(&src);
}
END_TEST

START_TEST(bad_codes_are_named)
{
    ck_assert_int_eq(
        open_by("pdump::rss", "twelve,0x,0,12x,99999999999999999999", ","),
        PDUMP_OK);
    ck_assert_int_eq(src.n_metrics, 2);
    ck_assert_int_eq(n_warnings(), 5);
    ck_assert(was_warned_of("event twelve "));
    ck_assert(was_warned_of("event 0x "));
    ck_assert(was_warned_of("event 12x "));
    ck_assert(was_warned_of("99999999999999999999"));
    pdump_sources_close(&src);
}
END_TEST

START_TEST(codes_are_decimal_or_hexadecimal_and_the_same)
{
    ck_assert_int_eq(open_by("pdump::rss",
                             "0x8000ffff, 0X8000FFFF,2147549183,-2147418113",
                             ","),
                     PDUMP_OK);
    ck_assert_int_eq(n_warnings(), 1);
    ck_assert(was_warned_of("code 0x8000ffff"));
    pdump_sources_close(&src);
}
END_TEST

START_TEST(nothing_usable_is_an_error_with_the_list)
{
    src.n_metrics = -7;
    ck_assert_int_eq(open_by("NO_SUCH_A,NO_SUCH_B", "x", ","), PDUMP_ESOURCE);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "NO_SUCH_A ("));
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "NO_SUCH_B ("));
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "x (not a code"));
    ck_assert_int_eq(src.n_metrics, -7);
}
END_TEST

START_TEST(nothing_usable_is_time_alone_if_the_session_is_lenient)
{
    set.is_lenient = true;
    ck_assert_int_eq(open_events("NO_SUCH_A,NO_SUCH_B"), PDUMP_OK);
    ck_assert_int_eq(src.n_metrics, 1);
    ck_assert_int_eq(src.n, 0);
    ck_assert_int_eq(n_warnings(), 3);
    ck_assert(was_warned_of("event NO_SUCH_A is not counted"));
    ck_assert(was_warned_of("event NO_SUCH_B is not counted"));
    ck_assert(was_warned_of("only time is recorded"));
    pdump_sources_close(&src);
}
END_TEST

START_TEST(long_names_and_long_lists_are_harmless)
{
    enum { N = 3000 };
    char *text = malloc(N * 24 + 100000);
    char *at = text;

    ck_assert_ptr_nonnull(text);
    memset(at, 'x', 70000);
    at += 70000;
    for (int i = 0; i < N; i++)
        at += sprintf(at, ",NO_SUCH_EVENT_%d", i);
    strcpy(at, ",pdump::rss");
    ck_assert_int_eq(open_events(text), PDUMP_OK);
    ck_assert_int_eq(src.n_metrics, 2);
    pdump_sources_close(&src);
    free(text);
}
END_TEST

START_TEST(too_many_metrics_are_named)
{
    static const char *const kinds[] = { "PAGE-FAULTS", "MINOR-FAULTS",
                                         "MAJOR-FAULTS", "TASK-CLOCK",
                                         "CPU-CLOCK" };
    static const char *const modes[] = { "u",   "u=1:k=1", "k",      "k=1:u=0",
                                         "u=1", "k=1",     "u=1:k=0" };
    char text[4000] = "";
    char *at = text;

    if (!has_perf())
        return;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 7; j++)
            at += sprintf(at, "perf::%s:%s,", kinds[i], modes[j]);
    ck_assert_int_eq(open_events(text), PDUMP_OK);
    ck_assert_int_le(src.n_metrics, PDUMP_METRICS_MAX);
    if (src.n_metrics == PDUMP_METRICS_MAX)
        ck_assert(was_warned_of("left out: perf::CPU-CLOCK"));
    pdump_sources_close(&src);
}
END_TEST

START_TEST(the_default_fits_the_machine_and_says_so)
{
    ck_assert_int_eq(open_events(" , "), PDUMP_OK);
    ck_assert_int_eq(src.n_metrics, 3);
    ck_assert_int_eq(n_warnings(), 0);
    ck_assert_int_eq(strncmp(src.choice, "default: ", 9), 0);
    ck_assert_ptr_nonnull(strstr(src.choice, src.metric[1].name));
    if (metric("PAPI_TOT_CYC") > 0)
        ck_assert_int_gt(metric("PAPI_TOT_INS"), 0);
    else if (has_perf())
        ck_assert_int_gt(metric("perf::TASK-CLOCK"), 0);
    else
        ck_assert_int_gt(metric("pdump::cpu_time"), 0);
    pdump_sources_close(&src);
}
END_TEST

static int names_seen;

static int see_name(const char *name, const char *about, void *data)
{
    ck_assert_ptr_nonnull(about);
    names_seen++;
    return strcmp(name, data) == 0;
}

START_TEST(names_are_told_until_the_listener_has_enough)
{
    ck_assert_int_eq(pdump_sources_names(see_name, "pdump::rss"), 1);
    ck_assert_int_eq(names_seen, 2);
    names_seen = 0;
    ck_assert_int_eq(pdump_sources_names(see_name, "no such name"), 0);
    ck_assert_int_ge(names_seen, 9);
    if (has_perf())
        ck_assert_int_eq(pdump_sources_names(see_name, "perf::TASK-CLOCK"), 1);
}
END_TEST

START_TEST(trying_says_yes_or_why_not)
{
    struct pdump_metric m;
    char why[200] = "";

    ck_assert_int_eq(pdump_sources_try("pdump::io_write", &m, why, sizeof(why)),
                     1);
    ck_assert_str_eq(m.unit, "B");
    ck_assert_int_eq(pdump_sources_try("NO_SUCH", &m, why, sizeof(why)), 0);
    ck_assert_uint_gt(strlen(why), 10);
    ck_assert_int_eq(pdump_sources_try("", &m, why, sizeof(why)), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("source");
    TCase *asked = tcase_create("asked");

    tcase_add_test(asked, blanks_and_empty_entries_do_not_count);
    tcase_add_test(asked, any_text_separates_events);
    tcase_add_test(asked, no_delimiter_means_one_event);
    tcase_add_test(asked, repeated_events_are_counted_once);
    tcase_add_test(asked, the_text_of_the_user_stays_whole);
    tcase_add_test(asked, time_comes_first_and_may_be_asked_for);
    tcase_add_test(asked, none_is_time_only);
    tcase_add_test(asked, an_unknown_event_is_named_and_the_rest_counted);
    tcase_add_test(asked, bad_codes_are_named);
    tcase_add_test(asked, codes_are_decimal_or_hexadecimal_and_the_same);
    tcase_add_test(asked, nothing_usable_is_an_error_with_the_list);
    tcase_add_test(asked,
                   nothing_usable_is_time_alone_if_the_session_is_lenient);
    tcase_add_test(asked, long_names_and_long_lists_are_harmless);
    tcase_add_test(asked, too_many_metrics_are_named);
    tcase_add_test(asked, the_default_fits_the_machine_and_says_so);
    tcase_add_test(asked, names_are_told_until_the_listener_has_enough);
    tcase_add_test(asked, trying_says_yes_or_why_not);
    suite_add_tcase(s, asked);
    return s;
}

int main(void)
{
    return suite_run(suite());
}
