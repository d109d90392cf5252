/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of what is known about the cost of reading counters: a source that adds
 * to its own counter whenever it is read, by known amounts. */
#include "fake.h"

#include "record/calibrate.h"

/* What a reading adds before it takes the value, and after. */
enum { HEAD = 30, TAIL = 70, ALL = HEAD + TAIL };

/* In every so-manieth reading, before it takes the value; 0: never. */
static int64_t n_reads, more, more_every;

static int dear_read(void *state, int64_t *values)
{
    int64_t *now = state;

    now[WORK] += HEAD;
    if (more_every && ++n_reads % more_every == 0)
        now[WORK] += more;
    values[0] = now[WORK];
    values[1] = now[LEVEL];
    now[WORK] += TAIL;
    return PDUMP_OK;
}

static const struct pdump_source dear_source = { .name = "dear",
                                                 .attach = fake_attach,
                                                 .read = dear_read,
                                                 .detach = fake_detach };

/* As a session does it. */
static struct pdump_cost calibrate(int64_t every, int64_t amount, int64_t often)
{
    struct pdump_cost cost[METRICS];

    sources.source[0] = &dear_source;
    more = amount;
    more_every = often;
    n_reads = 0;
    pdump_calibrate(&sources, every, cost);
    ck_assert_int_gt(cost[TIME].counted, 0);
    ck_assert_int_eq(cost[LEVEL].counted, 0);
    ck_assert_int_eq(cost[OTHER].counted, 0);
    ck_assert_int_eq(cost[OTHER].inside, 0);
    ck_assert_int_eq(n_attached, 0);
    return cost[WORK];
}

START_TEST(the_cost_of_a_reading_is_found)
{
    struct pdump_cost cost = calibrate(1, 0, 0);

    ck_assert_int_eq(cost.inside, ALL);
    ck_assert_int_eq(cost.counted, 2 * ALL);
    ck_assert_int_eq(cost.timed, 0);
}
END_TEST

/* One of five costs less. */
START_TEST(it_is_that_of_a_usual_reading)
{
    struct pdump_cost cost = calibrate(1, -80, 5);

    ck_assert_int_eq(cost.inside, ALL);
    ck_assert_int_le(cost.counted, 2 * (ALL - 80 / 5) + 3);
    ck_assert_int_ge(cost.counted, 2 * (ALL - 80 / 5) - 3);
}
END_TEST

/* So many that there is no round without. */
START_TEST(those_that_are_disturbed_change_nothing)
{
    struct pdump_cost cost = calibrate(1, 1000000, 21);

    ck_assert_int_eq(cost.inside, ALL);
    cost = calibrate(1, 1000000, 150);
    ck_assert_int_eq(cost.inside, ALL);
    ck_assert_int_eq(cost.counted, 2 * ALL);
}
END_TEST

START_TEST(it_is_the_same_if_few_visits_are_counted)
{
    struct pdump_cost cost = calibrate(1000, -80, 5);

    ck_assert_int_eq(cost.inside, ALL);
    ck_assert_int_lt(cost.counted, ALL);
}
END_TEST

/* Regions in each other, each with some work: what is left is the work. */
START_TEST(figures_are_those_of_the_program)
{
    struct pdump_metric *metric;
    struct pdump_dump *dump;
    struct pdump_cost cost = calibrate(1, 0, 0);

    fake_open();
    metric = pdump_store_at((char *)recording.head, recording.head->metrics);
    metric[WORK].cost = cost;
    for (int i = 0; i < 3; i++) {
        begin("a");
        for (int j = 0; j < 4; j++) {
            begin("b");
            work(5);
            begin("c");
            end("c");
            end("b");
        }
        work(2);
        end("a");
    }
    dump = snapshot();
    ck_assert_int_eq(dump->columns[WORK].sum[row_at(dump, "a/b/c")], 0);
    ck_assert_int_eq(dump->columns[WORK].sum[row_at(dump, "a/b")],
                     12 * (5 + 2 * ALL));
    pdump_dump_free(dump);
    recording.head->is_subtracted = 1;
    dump = snapshot();
    ck_assert_int_eq(dump->columns[WORK].sum[row_at(dump, "a/b/c")], 0);
    ck_assert_int_eq(dump->columns[WORK].sum[row_at(dump, "a/b")], 12 * 5);
    ck_assert_int_eq(dump->columns[WORK].sum[row_at(dump, "a")],
                     3 * (4 * 5 + 2));
    pdump_dump_free(dump);
    fake_close();
}
END_TEST

/* More than the clock can have counted meanwhile. */
START_TEST(cpu_time_that_is_cut_is_told)
{
    const int64_t much = INT64_C(1) << 50;
    struct pdump_metric *metric;
    struct pdump_dump *dump;
    const char *ns;

    fake_open();
    metric = pdump_store_at((char *)recording.head, recording.head->metrics);
    snprintf(metric[WORK].name, sizeof(metric[WORK].name), "pdump::cpu_time");
    begin("a");
    end("a");
    dump = snapshot();
    ck_assert_ptr_null(pdump_dump_metadata(dump, "cpu_time_cut_rows"));
    pdump_dump_free(dump);
    begin("b");
    work(much);
    end("b");
    dump = snapshot();
    ck_assert_str_eq(pdump_dump_metadata(dump, "cpu_time_cut_rows"), "1");
    ns = pdump_dump_metadata(dump, "cpu_time_cut_ns");
    ck_assert_ptr_nonnull(ns);
    ck_assert_int_eq(atoll(ns) + dump->columns[WORK].sum[row_at(dump, "b")],
                     much);
    pdump_dump_free(dump);
    fake_close();
}
END_TEST

START_TEST(what_processes_have_cut_adds_up)
{
    struct pdump_builder *b;
    struct pdump_dump *dump;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    for (int i = 0; i < 2; i++) {
        pdump_builder_metadata_more(b, "cpu_time_cut_rows", "3");
        pdump_builder_metadata_more(b, "cpu_time_cut_ns", "500");
    }
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_builder_free(b);
    ck_assert_str_eq(pdump_dump_metadata(dump, "cpu_time_cut_rows"), "6");
    ck_assert_str_eq(pdump_dump_metadata(dump, "cpu_time_cut_ns"), "1000");
    pdump_dump_free(dump);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("calibrate");
    TCase *tc = tcase_create("calibrate");

    tcase_add_test(tc, the_cost_of_a_reading_is_found);
    tcase_add_test(tc, it_is_that_of_a_usual_reading);
    tcase_add_test(tc, those_that_are_disturbed_change_nothing);
    tcase_add_test(tc, it_is_the_same_if_few_visits_are_counted);
    tcase_add_test(tc, figures_are_those_of_the_program);
    tcase_add_test(tc, cpu_time_that_is_cut_is_told);
    tcase_add_test(tc, what_processes_have_cut_adds_up);
    suite_add_tcase(suite, tc);
    return fake_run(suite);
}
