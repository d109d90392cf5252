/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the settings: where values come from, and what bad ones cost. */
#include "fake.h"

#include "config/settings.h"

enum { VARIABLES_MAX = 8 };

static struct {
    const char *name;
    const char *value;
} variables[VARIABLES_MAX];
static int n_variables;
static struct pdump_settings set;

static void export(const char *name, const char *value)
{
    variables[n_variables].name = name;
    variables[n_variables++].value = value;
}

static const char *look_up(const char *name)
{
    for (int i = 0; i < n_variables; i++)
        if (strcmp(variables[i].name, name) == 0)
            return variables[i].value;
    return NULL;
}

static void load(void)
{
    pdump_settings_free(&set);
    ck_assert_int_eq(pdump_settings_load(&set, look_up), PDUMP_OK);
}

static void choose(const char *name, const char *value)
{
    ck_assert_int_eq(pdump_settings_choose(name, value), PDUMP_OK);
}

static void forget(void)
{
    struct pdump_setting_info info;

    pdump_settings_free(&set);
    for (int i = 0; pdump_settings_row(&set, i, &info); i++)
        pdump_settings_choose(info.name, NULL);
}

static int n_warnings(void)
{
    char text[512];
    int64_t count;
    int n = 0;

    while (pdump_log_get(n, text, sizeof(text), &count)) {
        ck_assert_int_eq(count, 1);
        n++;
    }
    return n;
}

START_TEST(without_any_choice_there_are_defaults)
{
    struct pdump_setting_info info;
    int n = 0;

    load();
    ck_assert_str_eq(set.events, "");
    ck_assert_str_eq(set.delimiter, ",");
    ck_assert_str_eq(set.dir, ".");
    ck_assert_str_eq(set.filename, "perf_dump");
    ck_assert_str_eq(set.format, "auto");
    ck_assert(!set.quiet && !set.overwrite && !set.is_disabled);
    ck_assert_int_gt(set.depth_max, 0);
    for (; pdump_settings_row(&set, n, &info); n++) {
        ck_assert_str_eq(info.value, info.fallback);
        ck_assert_int_eq(strncmp(info.name, "PDUMP_", 6), 0);
        ck_assert_uint_gt(strlen(info.help), 5);
    }
    ck_assert_int_gt(n, 15);
    ck_assert_int_eq(n_warnings(), 0);
}
END_TEST

START_TEST(every_kind_comes_from_the_environment)
{
    export("PDUMP_EVENTS", " PAPI_TOT_INS , x::y=1");
    export("PDUMP_CLOCK", "monotonic");
    export("PDUMP_RECORD", "samples,profile");
    export("PDUMP_OVERWRITE", "1");
    export("PDUMP_DEPTH_MAX", "17");
    export("PDUMP_SAMPLES_MAX", "0");
    export("PDUMP_STACKS", "250");
    load();
    ck_assert_str_eq(set.events, " PAPI_TOT_INS , x::y=1");
    ck_assert_str_eq(set.clock, "monotonic");
    ck_assert_str_eq(set.record, "samples,profile");
    ck_assert(set.overwrite);
    ck_assert_int_eq(set.depth_max, 17);
    ck_assert_int_eq(set.samples_max, 0);
    ck_assert_int_eq(set.stacks, 250);
    ck_assert_int_eq(n_warnings(), 0);
}
END_TEST

START_TEST(a_bad_value_costs_one_warning_and_is_the_default)
{
    static const char *const bad[][2] = {
        { "PDUMP_DEPTH_MAX", "" },
        { "PDUMP_DEPTH_MAX", "0" },
        { "PDUMP_DEPTH_MAX", "-1" },
        { "PDUMP_DEPTH_MAX", "many" },
        { "PDUMP_DEPTH_MAX", "10x" },
        { "PDUMP_DEPTH_MAX", "1e3" },
        { "PDUMP_DEPTH_MAX", "99999999999999999999999" },
        { "PDUMP_MEMORY_MAX", "32768" },
        { "PDUMP_REGIONS_MAX", "15" },
        { "PDUMP_OVERWRITE", "yes" },
        { "PDUMP_OVERWRITE", "" },
        { "PDUMP_OVERWRITE", "11" },
        { "PDUMP_QUIET", "2" },
        { "PDUMP_DISABLE", "true" },
        { "PDUMP_CLOCK", "" },
        { "PDUMP_CLOCK", "auto|tsc" },
        { "PDUMP_CLOCK", "sundial" },
        { "PDUMP_RECORD", "" },
        { "PDUMP_RECORD", "profile," },
        { "PDUMP_RECORD", "profile,everything" },
        { "PDUMP_DELIMITER", "" },
        { "PDUMP_DUMP_DIR", "" },
        { "PDUMP_FILENAME", "" },
        { "PDUMP_OUTPUT_FORMAT", "" },
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct pdump_setting_info info;

        n_variables = 0;
        export(bad[i][0], bad[i][1]);
        pdump_log_reset();
        load();
        ck_assert_msg(n_warnings() == 1, "%s=%s: %d warnings", bad[i][0],
                      bad[i][1], n_warnings());
        ck_assert_int_eq(warned_of(bad[i][0]), 1);
        for (int n = 0; pdump_settings_row(&set, n, &info); n++)
            ck_assert_str_eq(info.value, info.fallback);
    }
}
END_TEST

START_TEST(an_endless_value_is_harmless)
{
    static char huge[100001];

    memset(huge, '9', sizeof(huge) - 1);
    export("PDUMP_DEPTH_MAX", huge);
    export("PDUMP_EVENTS", huge);
    load();
    ck_assert_int_eq(n_warnings(), 1);
    ck_assert_uint_eq(strlen(set.events), sizeof(huge) - 1);
    ck_assert_int_gt(set.depth_max, 1);
}
END_TEST

START_TEST(the_program_goes_before_the_environment)
{
    export("PDUMP_EVENTS", "user");
    export("PDUMP_DEPTH_MAX", "5");
    export("PDUMP_CLOCK", "sundial");
    choose("PDUMP_EVENTS", "program");
    choose("PDUMP_DEPTH_MAX", "7");
    choose("PDUMP_CLOCK", "tsc");
    load();
    ck_assert_str_eq(set.events, "program");
    ck_assert_int_eq(set.depth_max, 7);
    ck_assert_str_eq(set.clock, "tsc");
    choose("PDUMP_EVENTS", NULL);
    load();
    ck_assert_str_eq(set.events, "user");
}
END_TEST

START_TEST(the_user_goes_first_where_it_says_so)
{
    choose("PDUMP_DUMP_DIR", "program");
    choose("PDUMP_QUIET", "1");
    choose("PDUMP_DISABLE", "1");
    load();
    ck_assert_str_eq(set.dir, "program");
    ck_assert(set.quiet && set.is_disabled);
    export("PDUMP_DUMP_DIR", "user");
    export("PDUMP_QUIET", "0");
    export("PDUMP_DISABLE", "0");
    load();
    ck_assert_str_eq(set.dir, "user");
    ck_assert(!set.quiet && !set.is_disabled);
}
END_TEST

START_TEST(a_bad_wish_of_the_user_leaves_the_programs)
{
    choose("PDUMP_DUMP_DIR", "program");
    export("PDUMP_DUMP_DIR", "");
    load();
    ck_assert_str_eq(set.dir, "program");
    ck_assert_int_eq(n_warnings(), 1);
    ck_assert_int_eq(warned_of("using program"), 1);
}
END_TEST

START_TEST(the_program_is_told_what_it_cannot_choose)
{
    char value[] = "before";

    choose("PDUMP_EVENTS", value);
    value[0] = 'x';
    choose("PDUMP_DEPTH_MAX", "5");
    ck_assert_int_eq(pdump_settings_choose("PDUMP_DEPTH_MAX", "-5"),
                     PDUMP_EINVAL);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "PDUMP_DEPTH_MAX=-5"));
    ck_assert_int_eq(pdump_settings_choose("PDUMP_EVENT", "x"), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_settings_choose("PDUMP_LIBRARY", "x"), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_settings_choose("", "x"), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_settings_choose(NULL, "x"), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_settings_choose("PDUMP_DELIMITER", ""),
                     PDUMP_EINVAL);
    load();
    ck_assert_str_eq(set.events, "before");
    ck_assert_int_eq(set.depth_max, 5);
    ck_assert_int_eq(n_warnings(), 0);
}
END_TEST

START_TEST(quiet_is_in_force_before_the_first_warning)
{
    export("PDUMP_CLOCK", "sundial");
    export("PDUMP_QUIET", "1");
    ck_assert_ptr_nonnull(freopen("settings.err", "w", stderr));
    load();
    fflush(stderr);
    ck_assert_int_eq(ftell(stderr), 0);
    ck_assert_int_eq(n_warnings(), 1);
    n_variables = 1;
    pdump_log_reset();
    load();
    fflush(stderr);
    ck_assert_int_gt(ftell(stderr), 0);
    remove("settings.err");
}
END_TEST

START_TEST(unknown_names_are_told_with_the_nearest)
{
    static char *const environment[] = {
        "HOME=/",         "PDUMP_EVENTS=x",        "PDUMP_LIBRARY=y",
        "PDUMP_EVENT=x",  "PDUMP_OUTPUT_FROMAT=x", "PDUMPX=1",
        "XPDUMP_EVENT=1", "PDUMP_DUMPDIR",         NULL
    };

    pdump_log_set_quiet(true);
    pdump_settings_check_names(environment);
    ck_assert_int_eq(n_warnings(), 3);
    ck_assert_int_eq(warned_of("PDUMP_EVENT is not a setting; did you mean "
                               "PDUMP_EVENTS?"),
                     1);
    ck_assert_int_eq(warned_of("did you mean PDUMP_OUTPUT_FORMAT?"), 1);
    ck_assert_int_eq(warned_of("did you mean PDUMP_DUMP_DIR?"), 1);
    pdump_settings_check_names(NULL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("settings");
    TCase *t = tcase_create("settings");

    tcase_add_checked_fixture(t, pdump_log_reset, forget);
    tcase_add_test(t, without_any_choice_there_are_defaults);
    tcase_add_test(t, every_kind_comes_from_the_environment);
    tcase_add_test(t, a_bad_value_costs_one_warning_and_is_the_default);
    tcase_add_test(t, an_endless_value_is_harmless);
    tcase_add_test(t, the_program_goes_before_the_environment);
    tcase_add_test(t, the_user_goes_first_where_it_says_so);
    tcase_add_test(t, a_bad_wish_of_the_user_leaves_the_programs);
    tcase_add_test(t, the_program_is_told_what_it_cannot_choose);
    tcase_add_test(t, quiet_is_in_force_before_the_first_warning);
    tcase_add_test(t, unknown_names_are_told_with_the_nearest);
    suite_add_tcase(s, t);
    return fake_run(s);
}
