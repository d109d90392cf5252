/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the fields that lines of Python functions have. */
#include "plugins/python/line_fields.h"
#include "fake.h"

#define LONG "skx::OFFCORE_RESPONSE_0:DMND_DATA_RD:L3_MISS_LOCAL:"

static struct pdump_detail_table table = { .name = "lines" };

/* The table of a session that has these metrics after the time. */
static void make_table(int n, const char *const *metrics, uint32_t gauges)
{
    static unsigned session;
    static struct pdump_sources of;
    static const struct pdump_recording shared = { .sources = &of };
    static struct pdump_recorder r = { .shared = &shared };
    struct pdump_call call = { .r = &r, .session = ++session };

    of = (struct pdump_sources){ .n_metrics = n + 1, .gauges = gauges };
    for (int i = 0; i < n; i++)
        of.metric[i + 1] = (struct pdump_metric){ .unit = "1" };
    for (int i = 0; i < n; i++)
        strcpy(of.metric[i + 1].name, metrics[i]);
    pdump_line_fields_make(&table, &call);
}

static void expect_field(int at, const char *name)
{
    ck_assert_int_lt(PDUMP_LINES_FIRST + at, table.n_fields);
    ck_assert_str_eq(table.fields[PDUMP_LINES_FIRST + at].name, name);
}

START_TEST(fields_are_named_as_their_metrics)
{
    make_table(2, (const char *const[]){ "a::b/c", "level" }, 1 << 2);
    ck_assert_int_eq(table.n_fields, PDUMP_LINES_FIRST + 3);
    expect_field(0, "a::b_c");
    expect_field(1, "level");
    expect_field(2, "level.growth");
}
END_TEST

/* Or the whole dump would be refused. */
START_TEST(no_two_fields_have_one_name)
{
    make_table(5,
               (const char *const[]){ LONG "SNP_ANY", LONG "SNP_NONE", "a/b",
                                      "a_b", "time" },
               1 << 3 | 1 << 4);
    ck_assert_int_eq(table.n_fields, PDUMP_LINES_FIRST + 7);
    for (int i = 0; i < table.n_fields; i++)
        for (int k = 0; k < i; k++)
            ck_assert_str_ne(table.fields[i].name, table.fields[k].name);
    expect_field(1, "skx::OFFCORE_RESPONSE_0:DMND_DATA_RD:L3_MISS~2");
    expect_field(5, "a_b~4.growth");
    expect_field(6, "time~5");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lines");
    TCase *tc = tcase_create("lines");

    tcase_add_test(tc, fields_are_named_as_their_metrics);
    tcase_add_test(tc, no_two_fields_have_one_name);
    suite_add_tcase(suite, tc);
    return fake_run(suite);
}
