/* SPDX-License-Identifier: BSD-3-Clause */
/* Views and derived metrics of small dumps made by hand. */
#include "view_kit.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>

/* The names shown, in order, with their depths: "0main 1solve". */
static const char *page(void)
{
    static char text[400];
    size_t n = 0;

    text[0] = '\0';
    for (int i = 0; i < view->n_shown; i++) {
        const struct pdump_view_item *item = &view->items[view->shown[i]];

        n += (size_t)snprintf(
            text + n, sizeof(text) - n, "%s%d%s", i ? " " : "", item->depth,
            item->region < 0 ? "thread" : dump->regions[item->region].name);
    }
    return text;
}

START_TEST(tree_sums_over_threads)
{
    two_threads();
    look();
    ck_assert_str_eq(page(), "0main 1solve 2dot 1io");
    ck_assert_int_eq(time_of("solve")->sum, 3000);
    ck_assert_int_eq(time_of("solve")->self, 2500);
    ck_assert_int_eq(time_of("solve")->min, 60);
    ck_assert_int_eq(time_of("solve")->max, 240);
    ck_assert_int_eq(time_of("solve")->most, 2400);
    ck_assert_int_eq(view->items[find("solve")].visits, 20);
    ck_assert_int_eq(view->totals[TIME], 4000);
    ck_assert_double_eq(pdump_view_percent(view, find("solve")), 75);
    ck_assert_double_eq(pdump_view_self_percent(view, find("dot")), 12.5);
    ck_assert(view->items[find("io")].is_last);
    ck_assert(!view->items[find("solve")].is_last);
    finish();
}
END_TEST

START_TEST(by_thread_keeps_threads_apart)
{
    two_threads();
    how.by_thread = true;
    look();
    ck_assert_str_eq(page(), "0thread 1main 2solve 3dot 2io "
                             "0thread 1main 2solve 3dot");
    ck_assert_int_eq(time_of("solve")->sum, 600);
    ck_assert_int_eq(pdump_view_value(view, view->shown[5], TIME)->sum, 3000);
    finish();
}
END_TEST

START_TEST(flat_does_not_count_recursion_twice)
{
    int f, g, thread;

    start();
    thread = new_thread();
    f = node(-1, "f");
    g = node(f, "g");
    row(thread, f, 1, 1000);
    row(thread, g, 1, 900);
    row(thread, node(g, "f"), 2, 800);
    row(thread, node(node(g, "f"), "f"), 2, 500);
    row(thread, node(-1, "h"), 1, 50);
    row(thread, node(node(-1, "h"), "f"), 1, 40);
    how.is_flat = true;
    look();
    ck_assert_str_eq(page(), "0f 0g 0h");
    ck_assert_int_eq(time_of("f")->sum, 1040);
    ck_assert_int_eq(time_of("f")->self, 100 + 300 + 500 + 40);
    ck_assert_int_eq(time_of("f")->min, 40);
    ck_assert_int_eq(time_of("f")->max, 1000);
    ck_assert_int_eq(view->items[find("f")].visits, 6);
    ck_assert_int_eq(view->totals[TIME], 1050);
    finish();
}
END_TEST

START_TEST(flat_finds_the_thread_that_has_most)
{
    int first, second;

    start();
    first = new_thread();
    second = new_thread();
    row(first, node(-1, "a"), 1, 100);
    row(first, node(node(-1, "a"), "x"), 1, 30);
    row(first, node(-1, "x"), 1, 30);
    row(second, node(-1, "x"), 1, 50);
    how.is_flat = true;
    look();
    ck_assert_int_eq(time_of("x")->sum, 110);
    ck_assert_int_eq(time_of("x")->most, 60);
    finish();
}
END_TEST

START_TEST(sorts_by_what_is_asked)
{
    two_threads();
    how.is_flat = true;
    look();
    ck_assert_str_eq(page(), "0main 0solve 0dot 0io");
    pdump_view_free(view);
    ck_assert_int_eq(pdump_view_sort_by(dump, "visits", &how), PDUMP_OK);
    look();
    ck_assert_str_eq(page(), "0dot 0solve 0io 0main");
    pdump_view_free(view);
    ck_assert_int_eq(pdump_view_sort_by(dump, "name", &how), PDUMP_OK);
    look();
    ck_assert_str_eq(page(), "0dot 0io 0main 0solve");
    pdump_view_free(view);
    ck_assert_int_eq(pdump_view_sort_by(dump, "self", &how), PDUMP_OK);
    look();
    ck_assert_str_eq(page(), "0solve 0main 0dot 0io");
    finish();
}
END_TEST

START_TEST(unknown_key_changes_nothing)
{
    two_threads();
    look();
    how.key = 2;
    ck_assert_int_eq(pdump_view_sort_by(dump, "tme", &how), PDUMP_ENOENT);
    ck_assert_int_eq(how.key, 2);
    ck_assert_int_eq(how.order, PDUMP_VIEW_BY_SUM);
    finish();
}
END_TEST

START_TEST(metrics_are_found_by_short_names)
{
    bool is_derived;

    two_threads();
    look();
    ck_assert_int_eq(pdump_view_find(dump, "tot_ins", &is_derived),
                     INSTRUCTIONS);
    ck_assert(!is_derived);
    ck_assert_int_eq(pdump_view_find(dump, "ipc", &is_derived), 0);
    ck_assert(is_derived);
    finish();
}
END_TEST

START_TEST(depth_and_percent_leave_out)
{
    two_threads();
    how.depth = 2;
    look();
    ck_assert_str_eq(page(), "0main 1solve 1io");
    ck_assert(view->items[find("solve")].is_cut);
    pdump_view_free(view);
    how.depth = 0;
    how.min_percent = 10;
    look();
    ck_assert_str_eq(page(), "0main 1solve 2dot");
    ck_assert(view->items[find("solve")].is_last);
    ck_assert_int_eq(view->n_items - view->n_shown, 1);
    finish();
}
END_TEST

START_TEST(a_missing_parent_row_gets_a_place)
{
    int thread;

    start();
    thread = new_thread();
    row(thread, node(node(-1, "ghost"), "child"), 1, 70);
    look();
    ck_assert_str_eq(page(), "0ghost 1child");
    ck_assert_int_eq(time_of("ghost")->sum, PDUMP_MISSING);
    ck_assert(isnan(pdump_view_percent(view, find("ghost"))));
    ck_assert_int_eq(view->totals[TIME], 70);
    finish();
}
END_TEST

START_TEST(derived_metrics_use_rows_that_have_both)
{
    int first, second;
    int64_t r;

    start();
    first = new_thread();
    second = new_thread();
    r = row(first, node(-1, "a"), 1, 10);
    set(r, CYCLES, 100);
    set(r, INSTRUCTIONS, 250);
    r = row(second, node(-1, "a"), 1, 10);
    set(r, CYCLES, 900);
    r = row(second, node(-1, "b"), 1, 10);
    set(r, CYCLES, 0);
    set(r, INSTRUCTIONS, 0);
    look();
    ck_assert_str_eq(view->derived[0].recipe->name, "IPC");
    ck_assert_double_eq(view->figures[find("a") * view->n_derived], 2.5);
    ck_assert(isnan(view->figures[find("b") * view->n_derived]));
    finish();
}
END_TEST

START_TEST(derived_metrics_need_their_inputs)
{
    start();
    look();
    for (int i = 0; i < view->n_derived; i++)
        ck_assert_str_ne(view->derived[i].recipe->name, "FLOP/s");
    finish();
}
END_TEST

START_TEST(sums_do_not_overflow)
{
    start();
    for (int i = 0; i < 3; i++)
        row(new_thread(), node(-1, "a"), 1, INT64_MAX - 1);
    look();
    ck_assert_int_eq(time_of("a")->sum, INT64_MAX);
    finish();
}
END_TEST

START_TEST(top_keeps_what_is_around)
{
    two_threads();
    how.top = 2;
    look();
    ck_assert_str_eq(page(), "0main 1solve");
    pdump_view_free(view);
    how.top = 1;
    ck_assert_int_eq(pdump_view_sort_by(dump, "visits", &how), PDUMP_OK);
    look();
    ck_assert_str_eq(page(), "0main 1solve 2dot");
    pdump_view_free(view);
    how.is_flat = true;
    look();
    ck_assert_str_eq(page(), "0dot");
    pdump_view_free(view);
    ck_assert_int_eq(pdump_view_sort_by(dump, "name", &how), PDUMP_OK);
    how.top = 3;
    look();
    ck_assert_str_eq(page(), "0dot 0io 0main");
    finish();
}
END_TEST

START_TEST(hot_path_ends_where_no_child_has_half)
{
    int path[4];

    two_threads();
    look();
    ck_assert_int_eq(pdump_view_hot_path(view, path), 2);
    ck_assert_int_eq(path[0], find("main"));
    ck_assert_int_eq(path[1], find("solve"));
    pdump_view_free(view);
    how.is_hot = true;
    look();
    ck_assert_str_eq(page(), "0main 1solve");
    pdump_view_free(view);
    how.is_flat = true;
    look();
    ck_assert_int_eq(pdump_view_hot_path(view, path), 0);
    finish();
}
END_TEST

START_TEST(regions_are_shown_with_what_is_in_and_around_them)
{
    static const bool solve[] = { false, true, false, false };
    static const bool none[] = { false, false, false, false };

    two_threads();
    how.regions = solve;
    look();
    ck_assert_str_eq(page(), "0main 1solve 2dot");
    pdump_view_free(view);
    how.is_flat = true;
    look();
    ck_assert_str_eq(page(), "0solve");
    pdump_view_free(view);
    how.regions = none;
    look();
    ck_assert_int_eq(view->n_shown, 0);
    finish();
}
END_TEST

static int place(int parent, const char *name, const char *file, int line)
{
    struct pdump_dump_region region = {
        .name = name, .group = "user", .file = file, .line = line
    };

    return pdump_builder_node(builder, parent,
                              pdump_builder_region(builder, &region));
}

/* a.c: f { b.c: g { a.c: h { "no file" } } }, and f once more by another name.
 */
static void in_files(void)
{
    int thread, f, g, h;

    start();
    thread = new_thread();
    f = place(-1, "f", "src/a.c", 10);
    g = place(f, "g", "src/b.c", 3);
    h = place(g, "h", "src/a.c", 20);
    row(thread, f, 1, 1000);
    row(thread, g, 2, 600);
    row(thread, h, 4, 500);
    row(thread, place(h, "user", "", 0), 1, 100);
    row(thread, place(-1, "f again", "src/a.c", 10), 1, 50);
    how.is_flat = true;
}

START_TEST(a_file_is_not_counted_twice)
{
    static const bool h_only[] = { false, false, true, false, false };
    char buf[100];

    in_files();
    how.flat_by = PDUMP_VIEW_FILES;
    look();
    ck_assert_int_eq(view->n_shown, 3);
    ck_assert_str_eq(pdump_view_name(view, view->shown[0], buf, 100),
                     "src/a.c");
    ck_assert_str_eq(pdump_view_name(view, view->shown[1], buf, 100),
                     "src/b.c");
    ck_assert_str_eq(pdump_view_name(view, view->shown[2], buf, 100),
                     "(no file)");
    ck_assert_int_eq(pdump_view_value(view, view->shown[0], TIME)->sum, 1050);
    ck_assert_int_eq(pdump_view_value(view, view->shown[0], TIME)->self,
                     400 + 400 + 50);
    ck_assert_int_eq(view->items[view->shown[0]].visits, 6);
    pdump_view_free(view);
    how.regions = h_only;
    look();
    ck_assert_int_eq(view->n_shown, 1);
    ck_assert_str_eq(pdump_view_name(view, view->shown[0], buf, 100),
                     "src/a.c");
    finish();
}
END_TEST

START_TEST(a_function_is_a_place_in_the_source)
{
    char buf[100];

    in_files();
    how.flat_by = PDUMP_VIEW_FUNCTIONS;
    look();
    ck_assert_int_eq(view->n_shown, 4);
    ck_assert_str_eq(pdump_view_name(view, view->shown[0], buf, 100),
                     "f (a.c:10)");
    ck_assert_int_eq(pdump_view_value(view, view->shown[0], TIME)->sum, 1050);
    ck_assert_str_eq(pdump_view_name(view, view->shown[3], buf, 100), "user");
    finish();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view");
    TCase *tests = tcase_create("view");

    suite_add_tcase(suite, tests);
    tcase_add_test(tests, tree_sums_over_threads);
    tcase_add_test(tests, by_thread_keeps_threads_apart);
    tcase_add_test(tests, flat_does_not_count_recursion_twice);
    tcase_add_test(tests, flat_finds_the_thread_that_has_most);
    tcase_add_test(tests, sorts_by_what_is_asked);
    tcase_add_test(tests, unknown_key_changes_nothing);
    tcase_add_test(tests, metrics_are_found_by_short_names);
    tcase_add_test(tests, depth_and_percent_leave_out);
    tcase_add_test(tests, a_missing_parent_row_gets_a_place);
    tcase_add_test(tests, derived_metrics_use_rows_that_have_both);
    tcase_add_test(tests, derived_metrics_need_their_inputs);
    tcase_add_test(tests, sums_do_not_overflow);
    tcase_add_test(tests, top_keeps_what_is_around);
    tcase_add_test(tests, hot_path_ends_where_no_child_has_half);
    tcase_add_test(tests, regions_are_shown_with_what_is_in_and_around_them);
    tcase_add_test(tests, a_file_is_not_counted_twice);
    tcase_add_test(tests, a_function_is_a_place_in_the_source);
    return suite_run(suite);
}
