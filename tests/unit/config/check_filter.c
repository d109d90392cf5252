/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of filters: the files, the patterns, and what is not recorded. */
#include "fake.h"
#include "config/filter.h"
#include "record/rewind.h"
#include "base/wildcard.h"

static struct pdump_filter *filter;

static int parse(const char *text)
{
    pdump_filter_free(filter);
    filter = NULL;
    return pdump_filter_parse(text, strlen(text), "f", &filter);
}

static void use(const char *text)
{
    ck_assert_msg(parse(text) == PDUMP_OK, "%s", pdump_last_error());
}

/* Rules for names only. */
static void use_names(const char *rules)
{
    char text[1000];

    snprintf(text, sizeof(text),
             "SCOREP_REGION_NAMES_BEGIN\n%s\nSCOREP_REGION_NAMES_END\n", rules);
    use(text);
}

static bool is_out(const char *name)
{
    return pdump_filter_excludes(filter, name, NULL, PDUMP_GROUP_USER);
}

static bool is_file_out(const char *file)
{
    return pdump_filter_excludes(filter, "any", file, PDUMP_GROUP_USER);
}

static void expect_error(const char *text, const char *where)
{
    char start[40];

    ck_assert_msg(parse(text) == PDUMP_EFORMAT, "good: %s", text);
    ck_assert_ptr_null(filter);
    snprintf(start, sizeof(start), "f:%s: ", where);
    ck_assert_msg(strncmp(pdump_last_error(), start, strlen(start)) == 0,
                  "'%s' is not at %s", pdump_last_error(), where);
}

START_TEST(wildcards_are_the_shells)
{
    static const struct {
        const char *pattern, *text;
        bool is_match;
    } cases[] = {
        { "a", "a", true },
        { "a", "ab", false },
        { "ab", "a", false },
        { "*", "anything", true },
        { "*", "", true },
        { "a*c", "abbc", true },
        { "a*c", "ac", true },
        { "a*c", "acb", false },
        { "*a*b*c", "xxaxbxbxc", true },
        { "*a*b*c", "xxbxaxc", false },
        { "a**", "a", true },
        { "?", "", false },
        { "?b", "ab", true },
        { "[abc]x", "bx", true },
        { "[a-c]x", "dx", false },
        { "[!a-c]x", "dx", true },
        { "[^a-c]x", "bx", false },
        { "[]a]", "]", true },
        { "[!]a]", "]", false },
        { "[a\\]]", "]", true },
        { "[a-]", "-", true },
        { "[z-a]", "m", false },
        { "a\\*", "a*", true },
        { "a\\*", "ab", false },
        { "]", "]", true },
        { "caf?", "caf\xc3\xa9", true },
        { "caf??", "caf\xc3\xa9", false },
        { "[\xc3\xa0-\xc3\xbf]", "\xc3\xa9", true },
        { "[!a]", "\xc3\xa9", true },
        { "?\xff?", "a\xff\xfe", true },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        ck_assert_msg(pdump_wildcard_match(cases[i].pattern, cases[i].text) ==
                          cases[i].is_match,
                      "%s, %s", cases[i].pattern, cases[i].text);
}
END_TEST

START_TEST(many_stars_end_soon)
{
    char pattern[2001], name[4001];

    for (int i = 0; i < 1000; i++)
        memcpy(pattern + 2 * i, "*a", 2);
    memset(name, 'a', 4000);
    pattern[2000] = name[4000] = '\0';
    ck_assert(pdump_wildcard_match(pattern, name));
    name[3999] = 'b';
    ck_assert(!pdump_wildcard_match(pattern, name));
}
END_TEST

START_TEST(the_last_rule_that_matches_decides)
{
    use_names("EXCLUDE *\n INCLUDE main solve* # comment EXCLUDE main\n"
              "EXCLUDE solve_tiny");
    ck_assert(is_out("other"));
    ck_assert(!is_out("main"));
    ck_assert(!is_out("solve_all"));
    ck_assert(is_out("solve_tiny"));
}
END_TEST

START_TEST(without_a_rule_all_is_recorded)
{
    use("");
    ck_assert(!is_out("a"));
    use("\xef\xbb\xbf# only a comment");
    ck_assert(!is_out("a"));
    use_names("EXCLUDE");
    ck_assert(!is_out("a"));
    ck_assert(!pdump_filter_excludes(NULL, "a", "b.c", PDUMP_GROUP_USER));
}
END_TEST

START_TEST(files_and_names_are_rules_apart)
{
    use("PDUMP_FILE_NAMES_BEGIN EXCLUDE */lib/* INCLUDE */lib/ours.c "
        "PDUMP_FILE_NAMES_END\r\n"
        "SCOREP_REGION_NAMES_BEGIN EXCLUDE tiny INCLUDE big "
        "SCOREP_REGION_NAMES_END");
    ck_assert(is_file_out("/usr/lib/a.c"));
    ck_assert(!is_file_out("/usr/lib/ours.c"));
    ck_assert(!is_file_out("a.c"));
    /* A name cannot bring back what its file has lost, and the other way. */
    ck_assert(
        pdump_filter_excludes(filter, "big", "/lib/a.c", PDUMP_GROUP_USER));
    ck_assert(
        pdump_filter_excludes(filter, "tiny", "/lib/ours.c", PDUMP_GROUP_USER));
    ck_assert(!pdump_filter_excludes(filter, "big", NULL, PDUMP_GROUP_USER));
}
END_TEST

START_TEST(quotes_and_backslashes_are_literal)
{
    use_names("EXCLUDE \"two words\" a\\ b 'x*' y\\* \\#1 \"say \"'\"'hi "
              "operator\\ \\* EXCLUDE \"INCLUDE\" MANGLED _Z1fi \"#2\"");
    ck_assert(is_out("two words"));
    ck_assert(is_out("a b"));
    ck_assert(is_out("x*"));
    ck_assert(!is_out("xy"));
    ck_assert(is_out("y*"));
    ck_assert(!is_out("yy"));
    ck_assert(is_out("#1"));
    ck_assert(is_out("#2"));
    ck_assert(is_out("say \"hi"));
    ck_assert(is_out("operator *"));
    ck_assert(is_out("INCLUDE"));
    ck_assert(is_out("_Z1fi"));
    ck_assert(!is_out("MANGLED"));
}
END_TEST

START_TEST(functions_of_python_go_by_their_own_name_too)
{
    use_names("EXCLUDE * INCLUDE solve package:help*");
    ck_assert(!is_out("__main__:solve"));
    ck_assert(!is_out("package:helper"));
    ck_assert(is_out("other:helper"));
    ck_assert(is_out("class::solve"));
    ck_assert(is_out(":solve"));
    ck_assert(is_out("x:"));
}
END_TEST

START_TEST(what_cannot_be_excluded)
{
    use_names("EXCLUDE *");
    ck_assert(
        !pdump_filter_excludes(filter, "n=1", NULL, PDUMP_GROUP_PARAMETER));
    ck_assert(!pdump_filter_excludes(filter, "step", NULL, PDUMP_GROUP_STEP));
    ck_assert(!pdump_filter_excludes(filter, "<overflow>", NULL,
                                     PDUMP_GROUP_OVERFLOW));
}
END_TEST

START_TEST(errors_have_a_line_and_a_column)
{
    expect_error("EXCLUDE *", "1:1");
    expect_error("# c\n  SCOREP_REGION_NAMES_END", "2:3");
    expect_error("SCOREP_REGION_NAMES_BEGIN\n\tx", "2:2");
    expect_error("SCOREP_REGION_NAMES_BEGIN MANGLED", "1:27");
    expect_error("SCOREP_REGION_NAMES_BEGIN\nSCOREP_FILE_NAMES_BEGIN", "2:1");
    expect_error("SCOREP_REGION_NAMES_BEGIN\nSCOREP_FILE_NAMES_END", "2:1");
    expect_error("\n SCOREP_REGION_NAMES_BEGIN\nEXCLUDE a", "2:2");
    expect_error("SCOREP_REGION_NAMES_BEGIN EXCLUDE\n a[b", "2:2");
    expect_error("SCOREP_REGION_NAMES_BEGIN EXCLUDE\n \xc3\xa9 'b\n'", "2:4");
    expect_error("SCOREP_REGION_NAMES_BEGIN EXCLUDE a\\\nb", "1:36");
    expect_error("SCOREP_REGION_NAMES_BEGIN EXCLUDE ''", "1:35");
    expect_error("SCOREP_REGION_NAME_BEGIN", "1:1");
    ck_assert_int_eq(pdump_filter_parse("a\0b", 3, "f", &filter),
                     PDUMP_EFORMAT);
    ck_assert_int_eq(pdump_filter_parse("\n \0", 3, "f", &filter),
                     PDUMP_EFORMAT);
    ck_assert_str_eq(pdump_last_error(),
                     "f:2:2: a NUL byte: this is no filter file");
}
END_TEST

START_TEST(files_that_cannot_be_read)
{
    ck_assert_int_eq(pdump_filter_read("nowhere.filter", &filter), PDUMP_EIO);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "nowhere.filter"));
    ck_assert_int_eq(pdump_filter_read(".", &filter), PDUMP_EIO);
    ck_assert_int_eq(pdump_filter_read("/dev/zero", &filter), PDUMP_EIO);
    ck_assert_int_eq(pdump_filter_read(",", &filter), PDUMP_OK);
    ck_assert(!is_out("a"));
}
END_TEST

START_TEST(a_filter_describes_itself)
{
    char text[200];

    use("SCOREP_REGION_NAMES_BEGIN EXCLUDE a* b INCLUDE 'a*' "
        "SCOREP_REGION_NAMES_END "
        "SCOREP_FILE_NAMES_BEGIN EXCLUDE c SCOREP_FILE_NAMES_END");
    pdump_filter_describe(filter, text, sizeof(text));
    ck_assert_str_eq(text, "EXCLUDE a* b INCLUDE a\\*; files EXCLUDE c");
    pdump_filter_describe(filter, text, 12);
    ck_assert_str_eq(text, "EXCLUDE a* ");
}
END_TEST

START_TEST(an_escaped_name_is_a_pattern_for_itself)
{
    static const char *const names[] = { "a",
                                         "a b",
                                         "x*[1]?",
                                         "\\",
                                         "#'\"\t",
                                         "INCLUDE",
                                         "PDUMP_FILE_NAMES_END",
                                         "two\nlines",
                                         "caf\xc3\xa9" };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char escaped[64], rule[100];

        pdump_filter_escape(names[i], escaped, sizeof(escaped));
        snprintf(rule, sizeof(rule), "EXCLUDE %s", escaped);
        use_names(rule);
        ck_assert_msg(is_out(names[i]), "%s", escaped);
        ck_assert(!is_out("b"));
        ck_assert(!is_out("x12"));
    }
}
END_TEST

/* Whatever is in a file: it is read or refused, and an error has a place. */
START_TEST(damaged_files_do_no_harm)
{
    static const char good[] =
        "SCOREP_REGION_NAMES_BEGIN # c\n EXCLUDE a* 'b c' [d-f]? \\*\n"
        "INCLUDE MANGLED g\nSCOREP_REGION_NAMES_END\n"
        "SCOREP_FILE_NAMES_BEGIN EXCLUDE */h SCOREP_FILE_NAMES_END\n";
    static const char odd[] = "\"'\\[]*?#\n \0\xff\xc3!-E";
    uint32_t seed = 1;

    for (int i = 0; i < 20000; i++) {
        char text[sizeof(good)];
        size_t len = sizeof(good) - 1;

        memcpy(text, good, sizeof(good));
        for (int j = 0; j <= i % 4; j++) {
            seed = seed * 1664525 + 1013904223;
            text[(seed >> 8) % len] = odd[(seed >> 24) % (sizeof(odd) - 1)];
        }
        if (i % 3 == 0)
            len = (seed >> 4) % len;
        pdump_filter_free(filter);
        filter = NULL;
        if (pdump_filter_parse(text, len, "f", &filter) < 0) {
            int line, column;

            ck_assert_int_eq(
                sscanf(pdump_last_error(), "f:%d:%d: ", &line, &column), 2);
            ck_assert(line >= 1 && line <= 8 && column >= 1 && column < 200);
            ck_assert_ptr_null(filter);
        } else {
            is_out("abc");
            is_out("\xff");
            is_file_out("g/h");
        }
    }
}
END_TEST

/* Regions that match "tiny*" are excluded from here on. */
static void open_filtered(bool wants_samples)
{
    fake_open_by((struct fake_options){ .wants_samples = wants_samples });
    use_names("EXCLUDE tiny*");
    regions.filter = filter;
}

static void close_filtered(void)
{
    ck_assert(is_balanced());
    fake_close();
}

START_TEST(children_of_the_excluded_belong_to_its_parent)
{
    open_filtered(_i);
    for (int i = 0; i < 3; i++) {
        begin("a");
        work(1);
        begin("tiny");
        work(10);
        begin("b");
        work(100);
        begin("tiny2");
        work(1000);
        end(i == 0 ? "tiny2" : NULL);
        end("b");
        ck_assert_int_eq(pdump_recorder_end_n(&rec, "tiny", 4), PDUMP_OK);
        end("a");
    }
    expect("a", 3, 3333);
    expect("a/b", 3, 3300);
    ck_assert_ptr_null(node_at("a/tiny"));
    ck_assert_ptr_null(node_at("a/b/tiny2"));
    close_filtered();
}
END_TEST

START_TEST(excluded_regions_by_number)
{
    uint32_t tiny, b;

    open_filtered(false);
    tiny = add_region("tiny");
    b = add_region("b");
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(pdump_recorder_enter(&rec, tiny), PDUMP_OK);
        ck_assert_int_eq(pdump_recorder_enter(&rec, b), PDUMP_OK);
        work(1);
        ck_assert_int_eq(pdump_recorder_leave(&rec, b), PDUMP_OK);
        ck_assert_int_eq(pdump_recorder_leave(&rec, tiny), PDUMP_OK);
    }
    expect("b", 3, 3);
    ck_assert_ptr_null(node_at("tiny"));
    close_filtered();
}
END_TEST

START_TEST(excluded_regions_still_have_an_order)
{
    open_filtered(false);
    begin("tiny");
    begin("a");
    ck_assert_int_eq(pdump_recorder_end(&rec, "tiny"), PDUMP_ESTATE);
    end("a");
    end("tiny");
    ck_assert_int_eq(pdump_recorder_end(&rec, "tiny"), PDUMP_ESTATE);
    close_filtered();
}
END_TEST

START_TEST(the_excluded_take_no_depth)
{
    fake_open_by((struct fake_options){ .depth_max = 2 });
    use_names("EXCLUDE tiny*");
    regions.filter = filter;
    for (int i = 0; i < 5; i++)
        begin("tiny");
    begin("a");
    begin("b");
    begin("tiny");
    work(1);
    for (int i = 0; i < 8; i++)
        end(NULL);
    expect("a/b", 1, 1);
    ck_assert_int_eq((int)rec.record->too_deep, 0);
    close_filtered();
}
END_TEST

START_TEST(a_rewind_region_can_be_excluded)
{
    struct pdump_dump *dump;

    open_filtered(true);
    for (int i = 0; i < 4; i++) {
        begin("a");
        ck_assert_int_eq(pdump_rewind_enter(&rec, add_region("tiny")),
                         PDUMP_OK);
        begin("b");
        begin("c");
        work(1);
        end("c");
        end("b");
        begin("d");
        end("d");
        ck_assert_int_eq(pdump_rewind_leave(&rec, "tiny", i % 2), PDUMP_OK);
        end("a");
    }
    expect("a", 4, 4);
    expect("a/b", 2, 2);
    expect("a/b/c", 2, 2);
    expect("a/d", 2, 0);
    ck_assert_ptr_null(node_at("a/tiny"));
    dump = snapshot();
    ck_assert_int_eq((int)row_at(dump, "a/tiny"), -1);
    /* a four times, b, c and d twice. */
    ck_assert_int_eq((int)dump->n_samples, 10);
    pdump_dump_free(dump);
    close_filtered();
}
END_TEST

static void tidy(void)
{
    pdump_filter_free(filter);
    filter = NULL;
}

int main(void)
{
    Suite *suite = suite_create("filter");
    TCase *text = tcase_create("text"), *recorded = tcase_create("recorded");

    tcase_add_checked_fixture(text, NULL, tidy);
    tcase_add_test(text, wildcards_are_the_shells);
    tcase_add_test(text, many_stars_end_soon);
    tcase_add_test(text, the_last_rule_that_matches_decides);
    tcase_add_test(text, without_a_rule_all_is_recorded);
    tcase_add_test(text, files_and_names_are_rules_apart);
    tcase_add_test(text, quotes_and_backslashes_are_literal);
    tcase_add_test(text, functions_of_python_go_by_their_own_name_too);
    tcase_add_test(text, what_cannot_be_excluded);
    tcase_add_test(text, errors_have_a_line_and_a_column);
    tcase_add_test(text, files_that_cannot_be_read);
    tcase_add_test(text, a_filter_describes_itself);
    tcase_add_test(text, an_escaped_name_is_a_pattern_for_itself);
    tcase_add_test(text, damaged_files_do_no_harm);
    suite_add_tcase(suite, text);

    tcase_add_checked_fixture(recorded, NULL, tidy);
    tcase_add_loop_test(recorded, children_of_the_excluded_belong_to_its_parent,
                        0, 2);
    tcase_add_test(recorded, excluded_regions_by_number);
    tcase_add_test(recorded, excluded_regions_still_have_an_order);
    tcase_add_test(recorded, the_excluded_take_no_depth);
    tcase_add_test(recorded, a_rewind_region_can_be_excluded);
    suite_add_tcase(suite, recorded);
    return fake_run(suite);
}
