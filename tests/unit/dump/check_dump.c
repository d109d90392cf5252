/* SPDX-License-Identifier: BSD-3-Clause */
/* Dumps: built, asked, merged. */
#include "dump/builder.h"
#include "dump/merge.h"
#include "suite.h"
#include "base/string_pool.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pdump_builder *b;

static void new_builder(void)
{
    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
}

static void free_builder(void)
{
    pdump_builder_free(b);
}

static int metric(const char *name, enum pdump_metric_kind kind)
{
    return pdump_builder_metric(
        b, &(struct pdump_dump_metric){ .name = name, .kind = kind });
}

static int region(const char *name)
{
    return pdump_builder_region(b, &(struct pdump_dump_region){ .name = name });
}

static int thread(int process, int number)
{
    return pdump_builder_thread(
        b, &(struct pdump_dump_thread){ .process = process, .number = number });
}

static int process(int rank)
{
    return pdump_builder_process(b,
                                 &(struct pdump_dump_process){ .rank = rank });
}

static int64_t row(int at, int node, int64_t sum)
{
    int64_t i = pdump_builder_row(b, at, node, 2, false);

    ck_assert_int_ge(i, 0);
    ck_assert_int_eq(
        pdump_builder_value(b, i, 0, sum, sum, sum, (double)(sum * sum)),
        PDUMP_OK);
    return i;
}

static struct pdump_dump *finish(void)
{
    struct pdump_dump *dump;

    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    return dump;
}

START_TEST(equal_strings_are_kept_once)
{
    struct pdump_string_pool *text;
    char longer[100000];
    const char *a;

    memset(longer, 'x', sizeof(longer));
    ck_assert_int_eq(pdump_string_pool_new(&text), PDUMP_OK);
    a = pdump_string_pool_keep(text, "solve!", 5);
    ck_assert_str_eq(a, "solve");
    ck_assert_uint_eq(
        strlen(pdump_string_pool_keep(text, longer, sizeof(longer))),
        sizeof(longer));
    for (int i = 0; i < 100000; i++) {
        char name[16];
        int n = snprintf(name, sizeof(name), "%d", i);

        ck_assert_str_eq(pdump_string_pool_keep(text, name, (size_t)n), name);
    }
    ck_assert_ptr_eq(pdump_string_pool_keep(text, "solve", 5), a);
    ck_assert_ptr_ne(pdump_string_pool_keep(text, "solv", 4), a);
    pdump_string_pool_free(text);
}
END_TEST

START_TEST(adding_twice_gives_the_same_index)
{
    int time = metric("time", PDUMP_COUNTER);
    int a = region("a");
    int other = pdump_builder_region(
        b, &(struct pdump_dump_region){ .name = "a", .group = "step" });
    int root = pdump_builder_node(b, -1, a);
    int child = pdump_builder_node(b, root, a);
    struct pdump_dump *dump;

    ck_assert_int_ne(a, other);
    ck_assert_int_ne(root, child);
    ck_assert_int_eq(metric("time", PDUMP_GAUGE), time);
    ck_assert_int_eq(region("a"), a);
    ck_assert_int_eq(pdump_builder_node(b, root, a), child);
    dump = finish();
    ck_assert_int_eq(dump->metrics[time].kind, PDUMP_COUNTER);
    ck_assert_str_eq(dump->regions[a].file, "");
    ck_assert_int_eq(dump->n_nodes, 2);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(bad_places_are_refused)
{
    ck_assert_int_eq(pdump_builder_node(b, -1, 0), PDUMP_EINVAL);
    region("a");
    ck_assert_int_eq(pdump_builder_node(b, 0, 0), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_builder_node(b, -2, 0), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_builder_node(b, -1, 0), 0);
    ck_assert_int_eq(thread(0, 0), PDUMP_EINVAL);
    process(0);
    ck_assert_int_eq(thread(0, 0), 0);
    ck_assert_int_eq(thread(0, 0), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_builder_row(b, 1, 0, 1, false), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_builder_row(b, 0, 1, 1, false), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_builder_value(b, 0, 0, 1, 1, 1, 1), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_builder_row(b, 0, 0, 1, false), 0);
    ck_assert_int_eq(metric("late", PDUMP_COUNTER), PDUMP_ESTATE);
}
END_TEST

START_TEST(a_node_twice_in_a_thread_is_refused)
{
    struct pdump_dump *dump;

    metric("time", PDUMP_COUNTER);
    process(0);
    thread(0, 0);
    pdump_builder_node(b, -1, region("a"));
    row(0, 0, 1);
    row(0, 0, 2);
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_EFORMAT);
}
END_TEST

/* main/{a/a, b} on two threads, rows in the wrong order. */
static struct pdump_dump *tree_dump(void)
{
    int main_node, a, inner, other;

    metric("time", PDUMP_COUNTER);
    metric("rss", PDUMP_GAUGE);
    process(0);
    process(1);
    thread(0, 0);
    thread(1, 0);
    main_node = pdump_builder_node(b, -1, region("ma/in"));
    a = pdump_builder_node(b, main_node, region("a"));
    inner = pdump_builder_node(b, a, region("a"));
    other = pdump_builder_node(b, main_node, region("b\\"));
    row(1, other, 5);
    row(1, main_node, 50);
    row(0, inner, 20);
    row(0, other, 30);
    row(0, main_node, 100);
    row(0, a, 60);
    pdump_builder_value(b, 4, 1, 7, 7, 7, 49);
    return finish();
}

START_TEST(rows_are_sorted_and_know_their_parents)
{
    static const int threads[] = { 0, 0, 0, 0, 1, 1 };
    static const int nodes[] = { 0, 1, 2, 3, 0, 3 };
    static const int64_t parents[] = { -1, 0, 1, 0, -1, 4 };
    static const int64_t sums[] = { 100, 60, 20, 30, 50, 5 };
    static const int64_t exclusive[] = { 10, 40, 20, 30, 45, 5 };
    struct pdump_dump *dump = tree_dump();

    ck_assert_int_eq(dump->n_rows, 6);
    for (int i = 0; i < 6; i++) {
        ck_assert_int_eq(dump->rows[i].thread, threads[i]);
        ck_assert_int_eq(dump->rows[i].node, nodes[i]);
        ck_assert_int_eq(dump->rows[i].parent, parents[i]);
        ck_assert_int_eq(dump->columns[0].sum[i], sums[i]);
        ck_assert_int_eq(dump->columns[0].exclusive[i], exclusive[i]);
        ck_assert_int_eq(dump->columns[1].exclusive[i], PDUMP_MISSING);
    }
    ck_assert_int_eq(dump->columns[1].sum[0], 7);
    ck_assert_int_eq(dump->columns[1].sum[1], PDUMP_MISSING);
    ck_assert(isnan(dump->columns[1].sumsq[1]));
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_parent_in_another_thread_is_none)
{
    struct pdump_dump *dump;
    int root;

    metric("time", PDUMP_COUNTER);
    process(0);
    thread(0, 0);
    thread(0, 1);
    root = pdump_builder_node(b, -1, region("main"));
    row(0, root, 10);
    row(1, pdump_builder_node(b, root, region("solve")), 4);
    dump = finish();
    ck_assert_int_eq(dump->rows[1].parent, -1);
    ck_assert_int_eq(dump->columns[0].exclusive[0], 10);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(paths_escape_slashes_and_are_cut_like_snprintf)
{
    struct pdump_dump *dump = tree_dump();
    char path[32];

    ck_assert_int_eq(pdump_dump_path(dump, 2, path, sizeof(path)), 10);
    ck_assert_str_eq(path, "ma\\/in/a/a");
    ck_assert_int_eq(pdump_dump_path(dump, 3, path, sizeof(path)), 10);
    ck_assert_str_eq(path, "ma\\/in/b\\\\");
    for (size_t len = 1; len < 11; len++) {
        memset(path, '#', sizeof(path));
        ck_assert_int_eq(pdump_dump_path(dump, 2, path, len), 10);
        ck_assert_uint_eq(strlen(path), len - 1);
        ck_assert_int_eq(strncmp(path, "ma\\/in/a/a", len - 1), 0);
        ck_assert_int_eq(path[len], '#');
    }
    ck_assert_int_eq(pdump_dump_path(dump, 0, NULL, 0), 6);
    ck_assert_int_eq(pdump_dump_path(dump, 6, path, 4), PDUMP_ENOENT);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(rows_and_metrics_are_public)
{
    struct pdump_dump *dump = tree_dump();
    struct pdump_row r = { .size = sizeof(r) };
    struct pdump_metric_info m = { .size = sizeof(m) };

    ck_assert_int_eq(pdump_dump_n_metrics(dump), 2);
    ck_assert_int_eq(pdump_dump_n_rows(dump), 6);
    ck_assert_int_eq(pdump_dump_row(dump, 5, &r), PDUMP_OK);
    ck_assert_int_eq(r.rank, 1);
    ck_assert_int_eq(r.node, 3);
    ck_assert_int_eq(r.parent, 4);
    ck_assert_int_eq(r.depth, 1);
    ck_assert_int_eq(r.visits, 2);
    ck_assert_str_eq(r.region, "b\\");
    ck_assert_str_eq(r.thread_name, "");
    ck_assert_int_eq(pdump_dump_metric(dump, 1, &m), PDUMP_OK);
    ck_assert_str_eq(m.name, "rss");
    ck_assert_int_eq(m.kind, PDUMP_GAUGE);
    ck_assert_int_eq(pdump_dump_row(dump, -1, &r), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_dump_metric(dump, 2, &m), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_dump_row(NULL, 0, &r), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_dump_n_rows(NULL), 0);
    pdump_dump_free(dump);
    pdump_dump_free(NULL);
}
END_TEST

START_TEST(processes_metadata_and_warnings_are_public)
{
    struct pdump_process_info p = { .size = sizeof(p) };
    struct pdump_row r = { .size = sizeof(r) };
    struct pdump_dump *dump;
    int64_t count = 0;

    pdump_builder_metadata(b, "mesh", "128");
    pdump_builder_metadata(b, "case", "ring");
    pdump_builder_warning(b, "lost", 3);
    dump = tree_dump();
    ck_assert_int_eq(pdump_dump_n_processes(dump), 2);
    ck_assert_int_eq(pdump_dump_process(dump, 1, &p), PDUMP_OK);
    ck_assert_int_eq(p.rank, 1);
    ck_assert_str_eq(p.host, dump->processes[1].host);
    ck_assert_int_eq(pdump_dump_row(dump, 5, &r), PDUMP_OK);
    ck_assert_int_eq(r.process, 1);
    ck_assert_int_eq(pdump_dump_process(dump, 2, &p), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_dump_process(dump, -1, &p), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_dump_process(NULL, 0, &p), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_dump_n_metadata(dump), 2);
    ck_assert_str_eq(pdump_dump_metadata_key(dump, 1), "case");
    ck_assert_str_eq(pdump_dump_metadata(dump, "case"), "ring");
    ck_assert_ptr_null(pdump_dump_metadata(dump, "none"));
    ck_assert_ptr_null(pdump_dump_metadata(dump, NULL));
    ck_assert_ptr_null(pdump_dump_metadata_key(dump, 2));
    ck_assert_ptr_null(pdump_dump_metadata_key(dump, -1));
    ck_assert_int_eq(pdump_dump_n_warnings(dump), 1);
    ck_assert_str_eq(pdump_dump_warning(dump, 0, &count), "lost");
    ck_assert_int_eq(count, 3);
    ck_assert_str_eq(pdump_dump_warning(dump, 0, NULL), "lost");
    ck_assert_ptr_null(pdump_dump_warning(dump, 1, &count));
    ck_assert_int_eq(pdump_dump_n_processes(NULL), 0);
    ck_assert_int_eq(pdump_dump_n_metadata(NULL), 0);
    ck_assert_int_eq(pdump_dump_n_warnings(NULL), 0);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(callers_of_other_releases_get_what_they_know)
{
    struct pdump_dump *dump = tree_dump();
    struct {
        struct pdump_row row;
        char more[64];
    } newer;
    struct pdump_row older;

    memset(&newer, '#', sizeof(newer));
    newer.row.size = sizeof(newer);
    ck_assert_int_eq(pdump_dump_row(dump, 0, &newer.row), PDUMP_OK);
    ck_assert_int_eq(newer.row.visits, 2);
    ck_assert_int_eq(newer.more[0], 0);
    ck_assert_int_eq(newer.more[63], 0);
    ck_assert_uint_eq(newer.row.size, sizeof(newer));

    memset(&older, '#', sizeof(older));
    older.size = offsetof(struct pdump_row, region);
    ck_assert_int_eq(pdump_dump_row(dump, 0, &older), PDUMP_OK);
    ck_assert_int_eq(older.pid, 0);
    ck_assert_int_eq(*(char *)&older.region, '#');

    older.size = 0;
    ck_assert_int_eq(pdump_dump_row(dump, 0, &older), PDUMP_EINVAL);
    older.size = (size_t)-1;
    ck_assert_int_eq(pdump_dump_row(dump, 0, &older), PDUMP_EINVAL);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(stats_have_mean_and_deviation)
{
    struct pdump_stats s = { .size = sizeof(s) };
    struct pdump_dump *dump;

    metric("time", PDUMP_COUNTER);
    process(0);
    thread(0, 0);
    pdump_builder_node(b, -1, region("a"));
    pdump_builder_node(b, 0, region("b"));
    pdump_builder_row(b, 0, 0, 4, true);
    pdump_builder_row(b, 0, 1, 0, true);
    /* Visits of 2, 4, 4 and 6. */
    pdump_builder_value(b, 0, 0, 16, 2, 6, 72);
    dump = finish();
    ck_assert_int_eq(pdump_dump_stats(dump, 0, 0, &s), PDUMP_OK);
    ck_assert_int_eq(s.has_value, 1);
    ck_assert_int_eq(s.visits, 4);
    ck_assert_int_eq(s.sum, 16);
    ck_assert_int_eq(s.exclusive, 16);
    ck_assert_int_eq(s.min, 2);
    ck_assert_int_eq(s.max, 6);
    ck_assert_double_eq(s.mean, 4);
    ck_assert_double_eq_tol(s.stddev, sqrt(2), 1e-12);
    ck_assert_int_eq(pdump_dump_stats(dump, 1, 0, &s), PDUMP_OK);
    ck_assert_int_eq(s.has_value, 0);
    ck_assert_int_eq(s.sum, 0);
    ck_assert_double_eq(s.mean, 0);
    ck_assert_double_eq(s.stddev, 0);
    ck_assert_int_eq(pdump_dump_stats(dump, 2, 0, &s), PDUMP_ENOENT);
    ck_assert_int_eq(pdump_dump_stats(dump, 0, 1, &s), PDUMP_ENOENT);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(of_other_processes_the_longest_wall_time_stays)
{
    const char *const walls[] = { "900", "25000", "3000" };
    struct pdump_dump *dump;

    for (int i = 0; i < 3; i++) {
        pdump_builder_metadata_more(b, "wall_time_ns", walls[i]);
        pdump_builder_metadata_more(b, "mesh", walls[i]);
    }
    dump = finish();
    ck_assert_str_eq(pdump_dump_metadata(dump, "wall_time_ns"), "25000");
    ck_assert_str_eq(pdump_dump_metadata(dump, "mesh"), "900");
    pdump_dump_free(dump);
}
END_TEST

START_TEST(the_last_value_of_a_key_stays_and_warnings_add_up)
{
    struct pdump_dump *dump;

    pdump_builder_metadata(b, "host", "a");
    pdump_builder_metadata(b, "user", "u");
    pdump_builder_metadata(b, "host", "b");
    pdump_builder_warning(b, "lost", 2);
    pdump_builder_warning(b, "lost", 3);
    dump = finish();
    ck_assert_int_eq(dump->n_metadata, 2);
    ck_assert_str_eq(dump->metadata[0].key, "host");
    ck_assert_str_eq(pdump_dump_metadata(dump, "host"), "b");
    ck_assert_ptr_null(pdump_dump_metadata(dump, "none"));
    ck_assert_int_eq(dump->n_warnings, 1);
    ck_assert_int_eq(dump->warnings[0].count, 5);
    pdump_dump_free(dump);
}
END_TEST

/* Another run: another metric first, another region, the same root. */
static struct pdump_dump *other_dump(void)
{
    struct pdump_dump *dump;
    int root;

    new_builder();
    metric("misses", PDUMP_COUNTER);
    metric("time", PDUMP_COUNTER);
    process(9);
    thread(0, 3);
    root = pdump_builder_node(b, -1, region("ma/in"));
    row(0, root, 8);
    row(0, pdump_builder_node(b, root, region("new")), 6);
    pdump_builder_sample(b, &(struct pdump_dump_sample){ 0, 1, 4, 12 },
                         (int64_t[]){ 3, 2 });
    pdump_builder_metadata(b, "host", "second");
    pdump_builder_metadata(b, "extra", "x");
    pdump_builder_warning(b, "lost", 1);
    dump = finish();
    pdump_builder_free(b);
    return dump;
}

START_TEST(a_merge_is_the_union)
{
    struct pdump_dump *dumps[2];
    struct pdump_dump *all;

    pdump_builder_metadata(b, "host", "first");
    pdump_builder_warning(b, "lost", 2);
    dumps[0] = tree_dump();
    pdump_builder_free(b);
    dumps[1] = other_dump();
    b = NULL;
    ck_assert_int_eq(pdump_merge(dumps, 2, &all), PDUMP_OK);
    ck_assert_int_eq(all->n_metrics, 3);
    ck_assert_int_eq(all->n_processes, 3);
    ck_assert_int_eq(all->n_threads, 3);
    ck_assert_int_eq(all->n_rows, 8);
    ck_assert_int_eq(all->n_nodes, 5);
    ck_assert_int_eq(all->processes[2].rank, 9);
    ck_assert_int_eq(all->threads[2].process, 2);
    ck_assert_int_eq(all->threads[2].number, 3);
    ck_assert_int_eq(all->rows[6].thread, 2);
    ck_assert_int_eq(all->rows[7].parent, 6);
    ck_assert_str_eq(all->regions[all->nodes[4].region].name, "new");
    ck_assert_int_eq(all->columns[2].sum[7], 6);
    ck_assert_int_eq(all->columns[2].sum[0], PDUMP_MISSING);
    ck_assert_int_eq(all->columns[0].sum[7], PDUMP_MISSING);
    ck_assert_int_eq(all->n_samples, 1);
    ck_assert_int_eq(all->samples[0].thread, 2);
    ck_assert_int_eq(all->samples[0].node, 4);
    ck_assert_int_eq(all->sample_values[2][0], 3);
    ck_assert_int_eq(all->sample_values[0][0], 2);
    ck_assert_int_eq(all->sample_values[1][0], PDUMP_MISSING);
    ck_assert_str_eq(pdump_dump_metadata(all, "host"), "first");
    ck_assert_str_eq(pdump_dump_metadata(all, "extra"), "x");
    ck_assert_int_eq(all->warnings[0].count, 3);
    pdump_dump_free(all);
    pdump_dump_free(dumps[0]);
    pdump_dump_free(dumps[1]);
}
END_TEST

START_TEST(a_public_merge_checks_what_it_gets)
{
    struct pdump_dump *dumps[2] = { tree_dump(), NULL };
    struct pdump_dump *all;

    ck_assert_int_eq(pdump_dump_merge(dumps, 2, &all), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_dump_merge(NULL, 1, &all), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_dump_merge(dumps, 1, NULL), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_dump_merge(dumps, -1, &all), PDUMP_EINVAL);
    ck_assert_int_eq(pdump_dump_merge(dumps, 1, &all), PDUMP_OK);
    ck_assert_int_eq(pdump_dump_n_rows(all), 6);
    pdump_dump_free(all);
    pdump_dump_free(dumps[0]);
}
END_TEST

START_TEST(a_merge_of_nothing_is_empty)
{
    struct pdump_dump *all;

    ck_assert_int_eq(pdump_merge(NULL, 0, &all), PDUMP_OK);
    ck_assert_int_eq(all->n_rows, 0);
    pdump_dump_free(all);
}
END_TEST

/* Quadratic work would run into the timeout by far. */
START_TEST(half_a_million_levels_are_built_and_merged)
{
    enum { N = 500000 };
    struct pdump_dump *dump, *all;
    int node = -1;
    int name;

    metric("time", PDUMP_COUNTER);
    process(0);
    thread(0, 0);
    name = region("recurse");
    for (int i = 0; i < N; i++)
        node = pdump_builder_node(b, node, name);
    for (int i = N - 1; i >= 0; i--)
        row(0, i, N - i);
    dump = finish();
    ck_assert_int_eq(dump->rows[N - 1].parent, N - 2);
    ck_assert_int_eq(dump->nodes[N - 1].depth, N - 1);
    ck_assert_int_eq(dump->columns[0].exclusive[0], 1);
    ck_assert_int_eq(pdump_merge(&dump, 1, &all), PDUMP_OK);
    ck_assert_int_eq(all->columns[0].sum[0], N);
    pdump_dump_free(all);
    pdump_dump_free(dump);
}
END_TEST

static Suite *dump_suite(void)
{
    Suite *suite = suite_create("dump");
    TCase *tc = tcase_create("tables");

    tcase_add_checked_fixture(tc, new_builder, free_builder);
    tcase_add_test(tc, equal_strings_are_kept_once);
    tcase_add_test(tc, adding_twice_gives_the_same_index);
    tcase_add_test(tc, bad_places_are_refused);
    tcase_add_test(tc, a_node_twice_in_a_thread_is_refused);
    tcase_add_test(tc, rows_are_sorted_and_know_their_parents);
    tcase_add_test(tc, a_parent_in_another_thread_is_none);
    tcase_add_test(tc, paths_escape_slashes_and_are_cut_like_snprintf);
    tcase_add_test(tc, rows_and_metrics_are_public);
    tcase_add_test(tc, processes_metadata_and_warnings_are_public);
    tcase_add_test(tc, callers_of_other_releases_get_what_they_know);
    tcase_add_test(tc, stats_have_mean_and_deviation);
    tcase_add_test(tc, of_other_processes_the_longest_wall_time_stays);
    tcase_add_test(tc, the_last_value_of_a_key_stays_and_warnings_add_up);
    tcase_add_test(tc, a_merge_is_the_union);
    tcase_add_test(tc, a_public_merge_checks_what_it_gets);
    tcase_add_test(tc, a_merge_of_nothing_is_empty);
    tcase_add_test(tc, half_a_million_levels_are_built_and_merged);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    return suite_run(dump_suite());
}
